/**
 * Tools of attackers: a URL, accounts where they are required, connections to misuse, and a
 * deadline.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { asBytes, connectTo, exchange, writeRequest } from '../harness/raw-http.js';
import { Reach } from './reach.js';

/**
 * @typedef {import('node:net').Socket} Socket
 *
 * @typedef {object} Mode How the service is reached
 * @property {boolean} isProxied
 * @property {boolean} hasAccounts
 * @property {boolean} isShared Whether its state is in Redis
 *
 * @typedef {object} Circumstances
 * @property {string} url
 * @property {Mode} mode
 * @property {number} pid Of the service
 * @property {number} seconds How long to attack
 * @property {boolean} isShort
 *
 * @typedef {object} RequestParts
 * @property {Record<string, string>} [headers]
 * @property {string} [body]
 * @property {string | undefined} [key] Of an account; by default the next one of the attacker
 * @property {string} [localAddress] The address that the request comes from
 *
 * @typedef {object} Attack
 * @property {string} name
 * @property {import('./reach.js').Proof} reaches What each kind of request must get at least once, or the attack
 *   attacked nothing
 * @property {(mode: Mode) => boolean} [isFor] All modes by default
 * @property {readonly string[]} [flags] Of the service
 * @property {number} [seconds] Where an attack needs more time to show anything, except in a short run
 * @property {number} [proxiedSettleSeconds] How long a proxy may take to deliver what it holds of the attack; ten seconds
 *   by default
 * @property {(attacker: Attacker) => Promise<any>} [prepare] Runs before the service is measured; its result is passed
 *   to `run`
 * @property {(attacker: Attacker, prepared: any) => Promise<readonly string[] | void>} run Ends by itself, and returns
 *   what the service did wrong
 * @property {(output: string) => readonly string[]} [judgeOutput] Returns what is wrong with the output of the service
 */

/** One less than an address may create in an hour, so that a victim can have an account, too. */
const accountCount = 9;
/** Much longer than a busy machine needs. */
const patienceMs = 60_000;

export class Attacker {
  /** @type {string[]} */
  keys = [];
  /** @type {Set<Socket>} */
  #sockets = new Set();
  #endsAt = Number.POSITIVE_INFINITY;
  #turn = 0;
  /** Evidence of what its requests reached since it began. */
  reach = new Reach();

  /** @param {Circumstances} circumstances */
  constructor({ url, mode, pid, seconds, isShort }) {
    this.url = url;
    this.mode = mode;
    this.pid = pid;
    this.seconds = seconds;
    this.isShort = isShort;
  }

  async signUp() {
    if (!this.mode.hasAccounts) return;
    for (let made = 0; made < accountCount; made++) this.keys.push(await this.newAccount());
  }

  async newAccount() {
    const { status, text } = await this.ask('POST', '/api/accounts');
    if (status !== 201) throw new Error(`The attacker got no account: ${status} ${text}`);
    return String(JSON.parse(text).key);
  }

  begin() {
    this.reach = new Reach();
    this.#endsAt = performance.now() + this.seconds * 1000;
  }

  isOver() {
    return performance.now() >= this.#endsAt;
  }

  async untilOver() {
    await sleep(Math.max(0, this.#endsAt - performance.now()));
  }

  /**
   * Waits for what a busy machine shows late, at most a minute.
   *
   * @param {() => boolean} isShown
   */
  async until(isShown) {
    const endsAt = performance.now() + patienceMs;
    while (!isShown() && performance.now() < endsAt) await sleep(20);
  }

  /**
   * Returns parts that make requests belong to the same account.
   *
   * @returns {{key?: string}}
   */
  get sameAccount() {
    const [key] = this.keys;
    return key === undefined ? {} : { key };
  }

  /** Returns one of its accounts, in turn. */
  #nextKey() {
    return this.keys[this.#turn++ % this.keys.length];
  }

  /**
   * Writes a request as bytes on the wire.
   *
   * @param {string} method
   * @param {string} target
   * @param {RequestParts} [parts]
   */
  bytes(method, target, { headers = {}, body, key = this.#nextKey() } = {}) {
    const account = key === undefined ? {} : { 'X-Service-Key': key };
    const all = { Host: new URL(this.url).host, ...account, ...headers };
    return writeRequest(method, target, Object.entries(all), body);
  }

  /**
   * Sends a request over a new connection, and waits for the response.
   *
   * @param {string} method
   * @param {string} path
   * @param {RequestParts} [parts] The body as text
   */
  async ask(method, path, { headers = {}, body, localAddress, ...parts } = {}) {
    const bytes = this.bytes(method, path, {
      ...parts,
      headers: { Connection: 'close', ...headers },
      ...(body !== undefined && { body: asBytes(body) }),
    });
    this.reach.example(bytes);
    const options = { patienceMs, methods: [method], localAddress };
    const { responses } = await exchange(this.url, [bytes], options);
    const [response] = responses;
    if (response === undefined) throw new Error('There was no response.');
    this.reach.saw(`${method} ${path}`, `${response.head}\r\n\r\n${response.body.slice(0, 4000)}`);
    return { ...response, text: Buffer.from(response.body, 'latin1').toString() };
  }

  /**
   * Sends a request with a JSON body.
   *
   * @param {string} method
   * @param {string} path
   * @param {unknown} value
   * @param {RequestParts} [parts]
   */
  send(method, path, value, { headers, ...parts } = {}) {
    const json = { 'Content-Type': 'application/json' };
    return this.ask(method, path, {
      ...parts,
      headers: { ...json, ...headers },
      body: JSON.stringify(value),
    });
  }

  /** Creates a bin in the sandbox of its first account, and returns its id. */
  async newBin() {
    const { text } = await this.ask('POST', '/api/webhooks/bins', this.sameAccount);
    return String(JSON.parse(text).id);
  }

  /**
   * Opens connections and uses each; failed ones are ignored.
   *
   * @param {number} count
   * @param {(socket: Socket, index: number) => void} use
   * @param {string} [localAddress] The address that they come from
   * @returns {Promise<Socket[]>} when all are open or have failed
   */
  async openMany(count, use, localAddress) {
    const sockets = [];
    const opened = [];
    for (let index = 0; index < count; index++) {
      const socket = connectTo(this.url, { localAddress });
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
      socket.on('error', () => {});
      sockets.push(socket);
      opened.push(
        new Promise((resolve) => {
          socket.once('connect', () => {
            this.reach.record(socket);
            use(socket, index);
            resolve(undefined);
          });
          socket.once('close', resolve);
        }),
      );
      // The queue of a listening socket has no room for more.
      if (index % 200 === 199) await Promise.all(opened);
    }
    await Promise.all(opened);
    return sockets;
  }

  /**
   * Opens connections and holds them until the time is up.
   *
   * @param {number} count
   * @param {(socket: Socket, index: number) => void} use
   */
  async hold(count, use) {
    await this.openMany(count, use);
    await this.untilOver();
  }

  /**
   * Uses some connections at a time, and opens the next one as soon as one has ended, until the time is up.
   *
   * @param {number} width
   * @param {(socket: Socket) => void} use
   */
  reopen(width, use) {
    return this.repeat(width, async () => {
      const [socket] = await this.openMany(1, use);
      if (!socket?.destroyed) await new Promise((resolve) => socket?.once('close', resolve));
    });
  }

  /**
   * Keeps some connections open, replacing those that the service ends, until the time is up.
   *
   * @param {number} count
   * @param {(socket: Socket, index: number) => void} use
   */
  async keepOpen(count, use) {
    let missing = count;
    do {
      const opening = this.openMany(missing, use);
      const sockets = await Promise.race([opening, this.untilOver().then(() => [])]);
      missing = Math.ceil(count / 4);
      const isFull = () => sockets.filter(({ destroyed }) => destroyed).length < missing;
      while (!this.isOver() && isFull()) await sleep(50);
    } while (!this.isOver());
  }

  /**
   * Opens connections, resets all of them after a while, and begins again, until the time is up.
   *
   * @param {number} count
   * @param {(socket: Socket, index: number) => void} use
   * @param {number} [roundMs]
   */
  async openAndReset(count, use, roundMs = 2500) {
    do {
      await this.openMany(count, use);
      await Promise.race([sleep(roundMs), this.untilOver()]);
      if (!this.isOver()) this.resetAll();
    } while (!this.isOver());
  }

  /**
   * Does the same with a request on each connection, whose response is not read.
   *
   * @param {number} count
   * @param {string | (() => string)} request A constant request, or a function that makes one for
   * each connection
   */
  stall(count, request) {
    return this.openAndReset(count, (socket) => {
      socket.pause();
      socket.write(typeof request === 'string' ? request : request(), 'latin1');
    });
  }

  /**
   * Uses connections again and again, more slowly than the service allows, until the time is up.
   *
   * @param {object} options
   * @param {number} options.count
   * @param {string} options.what
   * @param {number} options.pauseMs Between two steps
   * @param {(socket: Socket) => void} options.begin
   * @param {(socket: Socket) => void} [options.step]
   * @returns {Promise<string[]>} a complaint if the service has not ended them. A proxy reads
   * instead of its clients,
   * and a short run ends too early
   */
  async useSlowly({ count, what, pauseMs, begin, step }) {
    const sockets = await this.openMany(count, begin);
    while (!this.isOver()) {
      for (const socket of sockets) step?.(socket);
      await Promise.race([sleep(pauseMs), this.untilOver()]);
    }
    if (this.isShort || this.mode.isProxied) return [];
    // Only a read shows that the connection has ended.
    for (const socket of sockets) socket.resume();
    await sleep(2000);
    const open = sockets.filter((socket) => !socket.destroyed && !socket.readableEnded).length;
    const complaint = `${open} of ${count} ${what} slower than 1 KiB/s for 30 s were not cut`;
    return open === 0 ? [] : [complaint];
  }

  /**
   * Repeats something on some connections at a time until the time is up.
   *
   * @param {number} width
   * @param {(turn: number) => Promise<unknown>} step
   */
  async repeat(width, step) {
    let turn = 0;
    const work = async () => {
      // A slow machine may have needed all the time to make the first request.
      do {
        await Promise.race([step(turn++).catch(() => sleep(20)), this.untilOver()]);
      } while (!this.isOver());
    };
    await Promise.all(Array.from({ length: width }, work));
  }

  /** Resets all connections. */
  resetAll() {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }
}

/**
 * Writes pieces as fast as a connection accepts them, while there are any.
 *
 * @param {Socket} socket
 * @param {(place: number) => string | Buffer | undefined} pieceAt
 */
export function flood(socket, pieceAt) {
  let place = 0;
  const more = () => {
    while (!socket.destroyed) {
      const piece = pieceAt(place);
      if (piece === undefined) return;
      place++;
      if (!socket.write(piece, 'latin1')) return;
    }
  };
  socket.on('drain', more);
  more();
}

/**
 * Makes attacks from an object by name.
 *
 * @param {Readonly<Record<string, Attack['run'] | (Partial<Attack> & Pick<Attack, 'run'>)>>} attacks
 * @param {Partial<Attack> & Pick<Attack, 'reaches'>} common
 * @returns {Attack[]}
 */
export function attacksOf(attacks, common) {
  return Object.entries(attacks).map(([name, attack]) => {
    return { name, ...common, ...(typeof attack === 'function' ? { run: attack } : attack) };
  });
}

/**
 * Runs a prepared attack, and returns what the service did wrong, and what the attack did not reach.
 *
 * @param {Attacker} attacker
 * @param {Attack} attack
 * @param {unknown} prepared
 * @param {number} [attempts] To reach what the attack did not
 * @returns {Promise<readonly string[]>}
 */
export async function attackOnce(attacker, attack, prepared, attempts) {
  attacker.begin();
  /** @type {readonly string[]} */
  let complaints = [];
  try {
    complaints = (await attack.run(attacker, prepared)) ?? [];
  } catch (error) {
    // A service that is down or busy sends no responses, which is judged from outside.
    complaints = [`the attacker failed: ${/** @type {Error} */ (error).message}`];
  }
  // A busy machine may need longer than a short attack to open its first connection.
  for (let waits = 0; waits < 100 && attacker.reach.isEmpty; waits++) await sleep(50);
  attacker.resetAll();
  return [
    ...complaints,
    ...(await attacker.reach.complaints(attacker.url, attack.reaches, attempts)),
  ];
}

/** What attackers have: an address, keys where accounts are required, sockets that they can misuse, and an end. */

import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
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
 * @property {string | readonly string[]} [body] Several pieces are sent each by itself, in chunks
 * @property {string} [key] Of an account; one of the attacker's own when left out
 * @property {string} [localAddress] The address that the request comes from
 *
 * @typedef {object} Attack
 * @property {string} name
 * @property {(mode: Mode) => boolean} [isFor] All modes when left out
 * @property {readonly string[]} [flags] Of the service
 * @property {number} [seconds] Where more are needed to show anything, but for a short run
 * @property {number} [proxiedSettleSeconds] How long what a proxy holds of it may take to be worked through; ten
 *   seconds when left out
 * @property {(attacker: Attacker) => Promise<any>} [prepare] What it needs and is not counted against
 *   the service; its result is given to `run`
 * @property {(attacker: Attacker, prepared: any) => Promise<readonly string[] | void>} run Ends by itself, and
 *   says what the service did wrong
 * @property {(output: string) => readonly string[]} [judgeOutput] What is wrong with what the service printed
 */

/** One less than an address may make in an hour, so that a victim can have one, too. */
const accountCount = 9;
const responseTimeoutMs = 20_000;

export class Attacker {
  /** @type {string[]} */
  keys = [];
  /** @type {Set<import('node:net').Socket>} */
  #sockets = new Set();
  #endsAt = Number.POSITIVE_INFINITY;
  #turn = 0;

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
    this.#endsAt = performance.now() + this.seconds * 1000;
  }

  isOver() {
    return performance.now() >= this.#endsAt;
  }

  /** Resolves when something is so, or time is up. */
  async until(/** @type {() => boolean} */ isSo) {
    while (!this.isOver() && !isSo()) await sleep(50);
  }

  async untilOver() {
    await sleep(Math.max(0, this.#endsAt - performance.now()));
  }

  /** One of its accounts, in turn. */
  #nextKey() {
    return this.keys[this.#turn++ % this.keys.length];
  }

  /**
   * A request as bytes on the wire.
   *
   * @param {string} method
   * @param {string} target
   * @param {RequestParts} [parts]
   */
  bytes(method, target, { headers = {}, body, key = this.#nextKey() } = {}) {
    const text = typeof body === 'string' ? body : body?.join('');
    const lines = Object.entries({
      Host: new URL(this.url).host,
      ...(key !== undefined && { 'X-Service-Key': key }),
      ...(text !== undefined && { 'Content-Length': String(Buffer.byteLength(text)) }),
      ...headers,
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    return `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${text ?? ''}`;
  }

  /**
   * A request as ordinary clients send it, over a connection of its own.
   *
   * @param {string} method
   * @param {string} path
   * @param {RequestParts} [parts]
   * @returns {Promise<{status: number, headers: import('node:http').IncomingHttpHeaders, text: string}>}
   */
  ask(method, path, { headers = {}, body, key = this.#nextKey(), localAddress } = {}) {
    return new Promise((resolve, reject) => {
      const request = httpRequest(this.url + path, {
        method,
        agent: false,
        ...(localAddress !== undefined && { localAddress }),
        timeout: responseTimeoutMs,
        headers: {
          ...(key !== undefined && { 'X-Service-Key': key }),
          ...(typeof body === 'string' && { 'Content-Length': Buffer.byteLength(body) }),
          ...headers,
        },
      });
      request.on('timeout', () => request.destroy(new Error('There was no answer in time.')));
      request.on('error', reject);
      request.on('response', (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk) => {
          text += chunk;
        });
        response.on('error', reject);
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        );
      });
      if (typeof body === 'object') for (const piece of body) request.write(piece);
      request.end(typeof body === 'string' ? body : undefined);
    });
  }

  /**
   * The same with JSON.
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

  /**
   * Opens connections, each of which is then used as it likes; those that fail just end.
   *
   * @param {number} count
   * @param {(socket: import('node:net').Socket, index: number) => void} use
   * @param {string} [localAddress] The address that they come from
   * @returns {Promise<import('node:net').Socket[]>} once all are open or have failed
   */
  async openMany(count, use, localAddress) {
    const { hostname, port } = new URL(this.url);
    const sockets = [];
    const opened = [];
    for (let index = 0; index < count; index++) {
      const socket = connect({
        host: hostname,
        port: Number(port),
        noDelay: true,
        ...(localAddress !== undefined && { localAddress }),
      });
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
      socket.on('error', () => {});
      sockets.push(socket);
      opened.push(
        new Promise((resolve) => {
          socket.once('connect', () => {
            use(socket, index);
            resolve(undefined);
          });
          socket.once('close', resolve);
        }),
      );
      // No more at once than a queue of a listening socket takes.
      if (index % 200 === 199) await Promise.all(opened);
    }
    await Promise.all(opened);
    return sockets;
  }

  /**
   * Does something over and over on some connections at a time, each of its own, until time is up.
   *
   * @param {number} width
   * @param {() => Promise<unknown>} step
   */
  async repeat(width, step) {
    const work = async () => {
      while (!this.isOver()) {
        await Promise.race([step().catch(() => sleep(20)), this.untilOver()]);
      }
    };
    await Promise.all(Array.from({ length: width }, work));
  }

  /** Leaves as rudely as a client can. */
  resetAll() {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  /** The addresses of scripts and styles of a page. */
  async assetsOf(/** @type {string} */ page) {
    const { text } = await this.ask('GET', page, { headers: { Accept: 'text/html' } });
    return [...text.matchAll(/(?:src|href)="([^"]*assets\/[^"]+)"/g)].map(
      ([, found = '']) => new URL(found, this.url + page).pathname,
    );
  }
}

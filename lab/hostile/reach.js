/**
 * Shows whether an attack reached what it attacks: remembers what each kind of request received, and
 * repeats requests whose responses the attack did not read.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { converse } from '../harness/raw-http.js';
import { probeOf } from '../harness/start-program.js';

/**
 * A status, or bytes or an expression in the beginning of a response (each byte a character); `held` for a request that gets no
 * byte for {@link heldMs}, because the service makes it wait.
 *
 * @typedef {number | string | RegExp | typeof held} Sign
 *
 * @typedef {Sign | readonly Sign[]} Proof Any of them
 *
 * @typedef {import('node:net').Socket} Socket
 */

export const held = Symbol('held');
export const success = /^HTTP\/1\.1 2/;
/** The head of a successful response over HTTP/2: HEADERS of stream 1 that begin with the indexed field `:status: 200`. */
export const http2Success = '\x01\x04\0\0\0\x01\x88';

/** A rejection arrives sooner, unless the machine is very busy. */
const heldMs = 2000;
const responseMs = 60_000;
/** After the first bytes, the rest of a small response follows. */
const quietMs = 2000;
/** Enough for the head and the beginning of the body. */
const shownBytes = 16 * 1024;
/** The first write is repeated whole, and the next ones up to this much. */
const repeatedBytes = 64 * 1024;
/** An attack has few kinds of requests; what it varies without end counts once or is left out. */
const maxKinds = 200;
const healthRequest = Buffer.from(probeOf('/health'));
const lineLength = 'HTTP/1.1 200'.length;

export class Reach {
  /** @type {Map<string, Map<string, string>>} What arrived, by kind of request and status line */
  #received = new Map();
  /** @type {Map<string, Buffer[]>} What was sent first over a connection, by kind of request */
  #sent = new Map();

  get isEmpty() {
    return this.#sent.size === 0 && this.#received.size === 0;
  }

  /**
   * Remembers the beginning of a response.
   *
   * @param {string} request Begins with the method and the target
   * @param {string} response
   */
  saw(request, response) {
    const kind = kindOf(request);
    const known = this.#received.get(kind) ?? new Map();
    if (known.size === 0 && this.#received.size >= maxKinds) return;
    this.#received.set(kind, known);
    const line = response.slice(0, lineLength);
    if (!known.has(line)) known.set(line, response.slice(0, shownBytes));
  }

  /**
   * Remembers what is sent first over a connection, for each kind of request once.
   *
   * @param {Socket} socket
   */
  record(socket) {
    const write = socket.write.bind(socket);
    /** @type {Buffer[] | undefined} */
    let own;
    /** @type {(chunk: any, ...rest: any[]) => boolean} */
    socket.write = (chunk, ...rest) => {
      const bytes = Buffer.from(chunk, 'latin1');
      own ??= this.#begin(bytes);
      own?.push(bytes);
      const length = own?.reduce((sum, each) => sum + each.length, 0) ?? repeatedBytes;
      if (length >= repeatedBytes) socket.write = write;
      return write(chunk, ...rest);
    };
  }

  /** @param {Buffer} bytes @returns {Buffer[] | undefined} a list for what follows, if the kind is new */
  #begin(bytes) {
    const kind = kindOf(bytes.toString('latin1', 0, 2000));
    if (this.#sent.has(kind) || this.#sent.size >= maxKinds) return undefined;
    /** @type {Buffer[]} */
    const sent = [];
    this.#sent.set(kind, sent);
    return sent;
  }

  /**
   * Uses a request as the example of its kind, also for requests that the attack never completes.
   *
   * @param {string | Buffer} request
   */
  example(request) {
    const bytes = typeof request === 'string' ? Buffer.from(request, 'latin1') : request;
    this.#begin(bytes)?.push(bytes);
  }

  /**
   * Repeats what was sent and not read, and returns a complaint about each kind of request that never got what it must.
   *
   * @param {string} url
   * @param {Proof} proof
   * @param {number} [attempts] A service that is still busy with the attack rejects requests
   * @returns {Promise<string[]>}
   */
  async complaints(url, proof, attempts = 5) {
    const signs = /** @type {Sign[]} */ ([proof].flat());
    const patienceMs = signs.includes(held) ? heldMs : responseMs;
    const isByStatus = signs.every((sign) => typeof sign === 'number' || sign === held);
    const isShown = (/** @type {string} */ text) =>
      text.length > shownBytes ||
      (isByStatus && /^HTTP[\s\S]*?\r\n\r\n/.test(text)) ||
      signs.some((sign) => sign !== held && isSign(sign, text));
    const isReached = (/** @type {string} */ kind) =>
      [...(this.#received.get(kind)?.values() ?? [])].some((text) =>
        signs.some((sign) => isSign(sign, text)),
      );
    const kinds = [...new Set([...this.#sent.keys(), ...this.#received.keys()])];
    if (kinds.length === 0) return ['the attack sent nothing'];
    // Silence proves something only if the service responds to others.
    if (signs.includes(held))
      await converse(url, healthRequest, (text) => isSign(success, text), responseMs);
    await Promise.all(
      [...this.#sent].map(async ([kind, sent]) => {
        for (let tried = 0; tried < attempts && !isReached(kind); tried++) {
          if (tried > 0) await sleep(300);
          this.saw(kind, await converse(url, Buffer.concat(sent), isShown, patienceMs, quietMs));
        }
      }),
    );
    return kinds
      .filter((kind) => !isReached(kind))
      .map((kind) => {
        const got = JSON.stringify([...(this.#received.get(kind)?.keys() ?? [])]);
        return `${kind} never got ${signs.map(shown).join(' or ')}, but ${got}`;
      });
  }
}

/**
 * Returns the method and the path, without ids and numbers; of bytes that are not HTTP/1.1, one name.
 *
 * @param {string} request
 */
function kindOf(request) {
  const [, method, path] = /^([A-Z]+) ([^\s?]*)/.exec(request) ?? [];
  if (method === undefined || path === undefined || method === 'PRI') return 'bytes';
  return `${method} ${path.replace(/[\w-]{16,}/g, '*').replace(/\d+/g, '#')}`.slice(0, 100);
}

/** @param {Sign} sign */
const shown = (sign) => (typeof sign === 'string' ? JSON.stringify(sign) : String(sign));

/** @param {Sign} sign @param {string} text */
function isSign(sign, text) {
  if (sign === held) return text === '';
  if (typeof sign === 'number') return text.startsWith(`HTTP/1.1 ${sign} `);
  return typeof sign === 'string' ? text.includes(sign) : sign.test(text);
}

/** Bare HTTP connections that send bytes as they are, and read answers off the wire (RFC 9112 section 6.3). */

import { connect } from 'node:net';

/**
 * @typedef {object} WireAnswer
 * @property {number} status
 * @property {string} head From the status line to the last header
 * @property {Map<string, string>} headers By name in lower case; the last of those that come twice
 * @property {string} body Each byte a character
 */

/**
 * Cuts what arrives on a connection into answers. What was understood is not looked at again, so that a large
 * answer costs no more than its length.
 */
export class ResponseReader {
  #received = '';
  /** As much has to have been received before there is more to understand. */
  #wanted = 0;
  /** @type {string[]} */
  #methods = [];
  /**
   * The answer whose head has arrived.
   *
   * @type {{status: number, head: string, headers: Map<string, string>, parts: string[]} | undefined}
   */
  #begun;

  /**
   * Says what was asked next, since answers to HEAD have no body.
   *
   * @param {string} method
   */
  expect(method) {
    this.#methods.push(method);
  }

  /** @param {string} chunk */
  push(chunk) {
    this.#received += chunk;
  }

  /** What has arrived and is no whole answer; of a body in chunks what they hold. */
  get rest() {
    if (this.#begun === undefined) return this.#received;
    const { head, parts } = this.#begun;
    return `${head}\r\n\r\n${parts.join('')}${this.#received}`;
  }

  /**
   * The next whole answer; those that only announce one (1xx) are passed over.
   *
   * @param {boolean} [isEnded] Whether no more will come, which ends a body without a length
   * @returns {WireAnswer | undefined}
   */
  next(isEnded = false) {
    if (this.#received.length < this.#wanted) return undefined;
    this.#wanted = 0;
    this.#begun ??= this.#readHead();
    if (this.#begun === undefined) return undefined;
    const body = this.#readBody(this.#begun, isEnded);
    if (body === undefined) return undefined;
    const { status, head, headers } = this.#begun;
    this.#begun = undefined;
    this.#methods.shift();
    return { status, head, headers, body };
  }

  #readHead() {
    for (;;) {
      const end = this.#received.indexOf('\r\n\r\n');
      if (end < 0) return undefined;
      const head = this.#take(end);
      this.#take(4);
      const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1] ?? 0);
      if (status < 100 || status >= 200) {
        return { status, head, headers: readHeaders(head), parts: [] };
      }
    }
  }

  /**
   * @param {{status: number, headers: Map<string, string>, parts: string[]}} begun
   * @param {boolean} isEnded
   */
  #readBody({ status, headers, parts }, isEnded) {
    if (this.#methods[0] === 'HEAD' || status === 204 || status === 304) return '';
    // It goes on for as long as anyone listens.
    if (headers.get('content-type')?.startsWith('text/event-stream')) {
      this.#take(this.#received.length);
      return '';
    }
    if (headers.get('transfer-encoding') === 'chunked') return this.#readChunks(parts);
    const length = headers.get('content-length');
    if (length !== undefined) return this.#takeWhole(Number(length));
    return isEnded ? this.#take(this.#received.length) : undefined;
  }

  /** @param {string[]} parts */
  #readChunks(parts) {
    for (;;) {
      const lineEnd = this.#received.indexOf('\r\n');
      if (lineEnd < 0) return undefined;
      const size = Number.parseInt(this.#received.slice(0, lineEnd), 16);
      if (size === 0) {
        // Trailers, and an empty line.
        const last = this.#received.indexOf('\r\n\r\n', lineEnd);
        if (last < 0) return undefined;
        this.#take(last + 4);
        return parts.join('');
      }
      const chunk = this.#takeWhole(lineEnd + 2 + size + 2);
      if (chunk === undefined) return undefined;
      parts.push(chunk.slice(lineEnd + 2, -2));
    }
  }

  /** @param {number} length */
  #takeWhole(length) {
    if (this.#received.length >= length) return this.#take(length);
    this.#wanted = length;
    return undefined;
  }

  /** @param {number} length */
  #take(length) {
    const taken = this.#received.slice(0, length);
    this.#received = this.#received.slice(length);
    return taken;
  }
}

/** @param {string} head */
function readHeaders(head) {
  /** @type {Map<string, string>} */
  const headers = new Map();
  for (const line of head.split('\r\n').slice(1)) {
    const colon = line.indexOf(':');
    headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
  return headers;
}

/**
 * @typedef {object} KeptConnection
 * @property {(bytes: string, method: string) => Promise<WireAnswer>} send One at a time; rejects when
 *   the connection ends, or too much time goes by, before there is an answer
 * @property {(bytes: string, methods: readonly string[]) => Promise<WireAnswer[]>} sendAll The same
 *   for several requests at once
 * @property {() => boolean} isUsable Whether another request can be sent
 * @property {() => void} close
 */

/**
 * @param {string} baseUrl
 * @param {number} patienceMs How long an answer may take
 * @returns {Promise<KeptConnection>}
 */
export async function openConnection(baseUrl, patienceMs) {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await new Promise((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  const reader = new ResponseReader();
  let isUsable = true;
  /** @type {{resolve: (answers: WireAnswer[]) => void, reject: (error: Error) => void, count: number} | undefined} */
  let waiting;
  /** @type {WireAnswer[]} */
  let responses = [];
  /** @param {boolean} isEnded */
  function check(isEnded) {
    while (waiting !== undefined) {
      const response = reader.next(isEnded);
      if (response === undefined) return;
      responses.push(response);
      if (response.headers.get('connection') === 'close' || isStream(response)) close();
      if (responses.length < waiting.count) continue;
      waiting.resolve(responses);
      waiting = undefined;
      responses = [];
    }
  }
  function close() {
    isUsable = false;
    socket.destroy();
  }
  /** @param {string} why */
  function fail(why) {
    isUsable = false;
    waiting?.reject(new Error(`${why}, after: ${JSON.stringify(reader.rest.slice(0, 200))}`));
    waiting = undefined;
  }
  /** @type {KeptConnection['sendAll']} */
  function sendAll(bytes, methods) {
    for (const method of methods) reader.expect(method);
    return new Promise((resolve, reject) => {
      waiting = { resolve, reject, count: methods.length };
      socket.write(bytes, 'latin1');
    });
  }
  socket.setEncoding('latin1');
  socket.on('data', (chunk) => {
    reader.push(String(chunk));
    check(false);
  });
  socket.on('end', () => check(true));
  socket.on('error', (error) => fail(`The connection failed (${error.message})`));
  socket.on('close', () => fail('The connection ended without an answer'));
  socket.setTimeout(patienceMs, () => {
    fail(`There was no answer within ${patienceMs} ms`);
    socket.destroy();
  });
  return {
    sendAll,
    async send(bytes, method) {
      const [response] = await sendAll(bytes, [method]);
      return /** @type {WireAnswer} */ (response);
    },
    isUsable: () => isUsable,
    close,
  };
}

/** @param {WireAnswer} answer */
function isStream({ headers }) {
  return headers.get('content-type')?.startsWith('text/event-stream') === true;
}

/**
 * Everything that a connection answers to some bytes until it ends.
 *
 * @typedef {object} Exchange
 * @property {WireAnswer[]} answers
 * @property {string} rest What came after the last whole answer
 * @property {boolean} isEnded Whether the server ended the connection, rather than our patience
 */

/**
 * Sends pieces over a connection of their own, a moment between them so that they arrive one by one.
 *
 * @param {string} baseUrl
 * @param {readonly string[]} pieces
 * @param {object} options
 * @param {number} options.patienceMs
 * @param {boolean} [options.endsAfter] Closes our side once all is sent
 * @param {number} [options.resetsAfterMs] Tears the connection down so long after all is sent
 * @param {number} [options.pausesMs] Between two pieces of what is read
 * @param {string} [options.localAddress]
 * @param {readonly string[]} [options.methods]
 * @returns {Promise<Exchange>}
 */
export function exchange(
  baseUrl,
  pieces,
  { patienceMs, endsAfter, resetsAfterMs, pausesMs, localAddress, methods = [] },
) {
  const { hostname, port } = new URL(baseUrl);
  const reader = new ResponseReader();
  for (const method of methods) reader.expect(method);
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: hostname,
      port: Number(port),
      noDelay: true,
      allowHalfOpen: true,
      ...(localAddress && { localAddress }),
    });
    let isEnded = false;
    socket.setEncoding('latin1');
    socket.on('connect', async () => {
      for (const piece of pieces) {
        if (socket.destroyed) return;
        socket.write(piece, 'latin1');
        if (pieces.length > 1) await new Promise((next) => setTimeout(next, 1));
      }
      if (endsAfter) socket.end();
      if (resetsAfterMs !== undefined) {
        setTimeout(() => socket.resetAndDestroy(), resetsAfterMs);
      }
    });
    socket.on('data', (chunk) => {
      reader.push(String(chunk));
      if (pausesMs === undefined) return;
      socket.pause();
      setTimeout(() => socket.resume(), pausesMs);
    });
    socket.on('end', () => {
      isEnded = true;
      socket.destroy();
    });
    socket.on('error', (error) => {
      const { code } = /** @type {NodeJS.ErrnoException} */ (error);
      if (code === 'ECONNRESET' || code === 'EPIPE') isEnded = true;
      else reject(error);
    });
    socket.on('close', () => {
      clearTimeout(patience);
      /** @type {WireAnswer[]} */
      const responses = [];
      for (let response = reader.next(true); response; response = reader.next(true))
        responses.push(response);
      resolve({ answers: responses, rest: reader.rest, isEnded });
    });
    const patience = setTimeout(() => socket.destroy(), patienceMs);
  });
}

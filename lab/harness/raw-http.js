/**
 * Writes requests as bytes, and opens connections that send bytes unchanged and parse the responses
 * (RFC 9112).
 */

import { connect } from 'node:net';

/**
 * @typedef {object} WireResponse
 * @property {number} status
 * @property {string} head From the status line to the last header
 * @property {Map<string, string>} headers By name in lower case; of repeated ones the last
 * @property {string} body Each byte a character
 */

/**
 * Writes the bytes of a request, each as a character of the string.
 *
 * @param {string} method
 * @param {string} target
 * @param {readonly (readonly [string, string])[]} [headers] Sent as written; `Host` and
 * `Content-Length` are added
 * where they are missing
 * @param {string} [body] Each byte a character
 */
export function writeRequest(method, target, headers = [], body) {
  const names = headers.map(([name]) => name);
  const isFramed = names.includes('Content-Length') || names.includes('Transfer-Encoding');
  const lines = [`${method} ${target} HTTP/1.1`];
  if (!names.includes('Host')) lines.push('Host: localhost');
  for (const [name, value] of headers) lines.push(`${name}: ${value}`);
  if (body !== undefined && !isFramed) lines.push(`Content-Length: ${body.length}`);
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`;
}

/**
 * Returns the bytes of a text in UTF-8, each as a character.
 *
 * @param {string} text
 */
export const asBytes = (text) => Buffer.from(text).toString('latin1');

/**
 * Opens a connection to the host of a URL.
 *
 * @param {string} url
 * @param {{localAddress?: string | undefined, allowHalfOpen?: boolean}} [options]
 */
export function connectTo(url, { localAddress, allowHalfOpen = false } = {}) {
  const { hostname, port } = new URL(url);
  const options = { host: hostname, port: Number(port), noDelay: true, allowHalfOpen };
  return connect({ ...options, ...(localAddress !== undefined && { localAddress }) });
}

/** @param {Pick<WireResponse, 'headers'>} response */
const isStream = ({ headers }) => headers.get('content-type')?.startsWith('text/event-stream');

/**
 * Splits the input of a connection into responses. Parsed bytes are not scanned again, so that a
 * large response costs no more than its length.
 */
class ResponseReader {
  #received = '';
  /** Number of received bytes from which there is more to parse. */
  #wanted = 0;
  /** @type {string[]} */
  #methods = [];
  /**
   * The response whose head has arrived, but not its body.
   *
   * @type {{status: number, head: string, headers: Map<string, string>, parts: string[]} |
   * undefined}
   */
  #begun;

  /** @param {readonly string[]} methods Of the next requests: responses to HEAD have no body */
  expect(methods) {
    this.#methods.push(...methods);
  }

  /** @param {string} chunk */
  push(chunk) {
    this.#received += chunk;
  }

  /** Bytes after the last whole response. */
  get rest() {
    if (this.#begun === undefined) return this.#received;
    const { head, parts } = this.#begun;
    return `${head}\r\n\r\n${parts.join('')}${this.#received}`;
  }

  /**
   * Returns the next whole final response, and skips interim ones (1xx).
   *
   * @param {boolean} isEnded Whether no more will arrive, which ends a body without a length
   * @returns {WireResponse | undefined}
   */
  next(isEnded) {
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
    // An event stream does not end by itself.
    if (isStream({ headers })) {
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
  const lines = head.split('\r\n').slice(1);
  return new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
}

/**
 * @typedef {object} KeptConnection
 * @property {(bytes: string, methods: readonly string[]) => Promise<WireResponse[]>} sendAll Sends some requests at
 *   once; rejects when the connection ends, or the time is up, before all responses have arrived
 * @property {() => boolean} isUsable Whether another request can be sent
 * @property {() => void} close
 */

/**
 * Opens a connection for many requests.
 *
 * @param {string} url
 * @param {number} patienceMs How long a response may take
 * @returns {Promise<KeptConnection>}
 */
export async function openConnection(url, patienceMs) {
  const socket = connectTo(url);
  await new Promise((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  const reader = new ResponseReader();
  let isUsable = true;
  /** @type {{resolve: (responses: WireResponse[]) => void, reject: (error: Error) => void, count: number} | undefined} */
  let waiting;
  /** @type {WireResponse[]} */
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
    reader.expect(methods);
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
  socket.on('close', () => fail('The connection ended without a response'));
  socket.setTimeout(patienceMs, () => {
    fail(`There was no response within ${patienceMs} ms`);
    socket.destroy();
  });
  return { sendAll, isUsable: () => isUsable, close };
}

/**
 * Everything that a connection receives until it ends.
 *
 * @typedef {object} Exchange
 * @property {WireResponse[]} responses
 * @property {string} rest What arrived after the last whole response
 * @property {boolean} isEnded Whether the server ended the connection before the time was up
 */

/**
 * Sends pieces over a new connection, with pauses so that they arrive one by one.
 *
 * @param {string} url
 * @param {readonly string[]} pieces
 * @param {object} options
 * @param {number} options.patienceMs
 * @param {readonly string[]} [options.methods] Of the requests
 * @param {string | undefined} [options.localAddress]
 * @param {boolean} [options.endsAfter] Closes our side after the last piece
 * @param {number} [options.resetsAfterMs] Resets the connection this long after the last piece
 * @param {number} [options.pausesMs] Between two reads
 * @returns {Promise<Exchange>}
 */
export function exchange(url, pieces, options) {
  const { patienceMs, methods = [], localAddress, endsAfter, resetsAfterMs, pausesMs } = options;
  const reader = new ResponseReader();
  reader.expect(methods);
  return new Promise((resolve, reject) => {
    const socket = connectTo(url, { localAddress, allowHalfOpen: true });
    let isEnded = false;
    socket.setEncoding('latin1');
    socket.on('connect', async () => {
      for (const piece of pieces) {
        if (socket.destroyed) return;
        socket.write(piece, 'latin1');
        if (pieces.length > 1) await new Promise((next) => setTimeout(next, 1));
      }
      if (endsAfter) socket.end();
      if (resetsAfterMs !== undefined) setTimeout(() => socket.resetAndDestroy(), resetsAfterMs);
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
    const patience = setTimeout(() => socket.destroy(), patienceMs);
    socket.on('close', () => {
      clearTimeout(patience);
      /** @type {WireResponse[]} */
      const responses = [];
      for (let response = reader.next(true); response; response = reader.next(true))
        responses.push(response);
      resolve({ responses, rest: reader.rest, isEnded });
    });
  });
}

/**
 * Sends bytes over a new connection, and returns what arrives, each byte a character, until it is enough, the connection ends
 * or the time is up. Then resets the connection.
 *
 * @param {string} url
 * @param {Buffer} bytes
 * @param {(received: string) => boolean} isEnough
 * @param {number} patienceMs Until the first byte
 * @param {number} [quietMs] Between two pieces
 * @returns {Promise<string>}
 */
export function converse(url, bytes, isEnough, patienceMs, quietMs = patienceMs) {
  return new Promise((resolve) => {
    let received = '';
    const socket = connectTo(url);
    let timer = setTimeout(() => socket.resetAndDestroy(), patienceMs);
    socket.setEncoding('latin1');
    socket.on('error', () => {});
    socket.once('connect', () => socket.write(bytes));
    socket.on('data', (chunk) => {
      received += chunk;
      clearTimeout(timer);
      timer = setTimeout(() => socket.resetAndDestroy(), quietMs);
      if (isEnough(received)) socket.resetAndDestroy();
    });
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(received);
    });
  });
}

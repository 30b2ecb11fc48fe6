/**
 * An answer that is held up on its way from the handler to the wire, where it can be looked at, changed, cut
 * or lost. Only the one response is touched; all others go their usual way.
 */

import type { OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { newPromise } from '../../base/awaitable.js';

export interface ResponseHead {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: OutgoingHttpHeaders;
}

/** When so many bytes wait here, whoever makes the answer is asked to wait as well. */
const maxWaitingBytes = 64 * 1024;

const noBytes: Buffer = Buffer.alloc(0);

type Headers = OutgoingHttpHeaders | readonly OutgoingHttpHeader[];

export class DivertedResponse {
  readonly #response: ServerResponse;
  readonly #pieces: Buffer[] = [];
  #waitingBytes = 0;
  #status: number | undefined;
  #headers: OutgoingHttpHeaders = {};
  #head: ResponseHead | undefined;
  #isEnded = false;
  #isGone = false;
  #wake: () => void = () => {};

  /** Call before anything of the answer is written. */
  constructor(response: ServerResponse) {
    this.#response = response;
    // Properties of its own hide the methods of its class until the answer is let go.
    define(response, 'writeHead', (...head: [number, ...(string | Headers)[]]) => {
      this.#writeHead(...head);
      return response;
    });
    define(response, 'write', (chunk: unknown, ...rest: unknown[]) => this.#write(chunk, rest));
    define(response, 'end', (...given: unknown[]) => {
      this.#end(given);
      return response;
    });
    // Otherwise the pipeline would send a second response.
    define(response, 'headersSent', () => this.#head !== undefined, 'get');
    define(response, 'writableEnded', () => this.#isEnded, 'get');
    response.once('close', () => {
      this.#isGone = true;
      this.#wake();
    });
  }

  /** Whether the client has left, or all was sent. */
  get isGone(): boolean {
    return this.#isGone || this.#response.destroyed;
  }

  /** Resolves when the handler has begun to answer; `undefined` when the client left before. */
  async head(): Promise<ResponseHead | undefined> {
    while (this.#head === undefined && !this.isGone) await this.#change();
    return this.isGone ? undefined : this.#head;
  }

  /** The next piece of the body; `undefined` at its end, or when the client has left. */
  async next(): Promise<Buffer | undefined> {
    while (this.#pieces.length === 0 && !this.#isEnded && !this.isGone) await this.#change();
    const piece = this.isGone ? undefined : this.#pieces.shift();
    if (piece === undefined) return undefined;
    this.#waitingBytes -= piece.length;
    if (this.#waitingBytes === 0 && !this.#isEnded) this.#response.emit('drain');
    return piece;
  }

  /** Lets the answer go its usual way, under this head. */
  release(head: ResponseHead): void {
    const response = this.#response;
    for (const name of ['writeHead', 'write', 'end', 'headersSent', 'writableEnded']) {
      Reflect.deleteProperty(response, name);
    }
    this.#putHead(head);
    const last = this.#isEnded ? this.#pieces.pop() : undefined;
    for (const piece of this.#pieces.splice(0)) response.write(piece);
    if (this.#isEnded) response.end(last);
    else response.emit('drain');
  }

  /** Sends a head, while the body still comes here. */
  begin(head: ResponseHead): void {
    for (const name of ['writeHead', 'headersSent']) Reflect.deleteProperty(this.#response, name);
    this.#putHead(head);
    this.#response.flushHeaders();
  }

  /** Sends bytes of the body, and resolves when the client can take more, or has left. */
  async send(bytes: Uint8Array): Promise<void> {
    const response = this.#response;
    if (this.isGone || bytes.length === 0) return;
    this.#own('write').call(response, bytes);
    while (response.writableNeedDrain && !this.isGone) {
      const { promise, resolve } = newPromise();
      response.once('drain', resolve).once('close', resolve);
      await promise;
      response.off('drain', resolve).off('close', resolve);
    }
  }

  /** Ends what {@link begin} began, after these bytes. */
  finish(bytes: Uint8Array = noBytes): void {
    if (!this.isGone) this.#own('end').call(this.#response, bytes);
  }

  /** The method of the class, which a property of the response's own hides. */
  #own(name: 'write' | 'end') {
    return Object.getPrototypeOf(this.#response)[name] as (bytes: Uint8Array) => unknown;
  }

  #putHead({ status, headers }: ResponseHead): void {
    const response = this.#response;
    for (const name of response.getHeaderNames()) response.removeHeader(name);
    // A body of announced length has nothing behind it, and Node refuses to say so.
    const { trailer, ...others } = headers;
    const isChunked = trailer === undefined || headers['content-length'] === undefined;
    response.writeHead(status, isChunked ? headers : others);
  }

  #writeHead(status: number, ...rest: readonly (string | Headers)[]): void {
    this.#status = status;
    const headers = rest.at(-1);
    if (typeof headers === 'object') this.#headers = byLowerName(headers);
  }

  #write(chunk: unknown, rest: readonly unknown[]): boolean {
    this.#settleHead();
    this.#add(chunk, rest);
    return this.#waitingBytes < maxWaitingBytes;
  }

  #end(given: readonly unknown[]): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#settleHead();
    const [chunk, ...rest] = given;
    this.#add(chunk, typeof chunk === 'function' ? given : rest);
  }

  #add(chunk: unknown, rest: readonly unknown[]): void {
    const isText = typeof chunk === 'string';
    if (isText || chunk instanceof Uint8Array) {
      const encoding = typeof rest[0] === 'string' ? (rest[0] as BufferEncoding) : 'utf8';
      const piece = isText ? Buffer.from(chunk, encoding) : asBuffer(chunk);
      if (piece.length > 0) this.#pieces.push(piece);
      this.#waitingBytes += piece.length;
    }
    const callback = rest.find((each) => typeof each === 'function');
    if (callback !== undefined) process.nextTick(callback as () => void);
    this.#wake();
  }

  #settleHead(): void {
    this.#head ??= {
      status: this.#status ?? this.#response.statusCode,
      headers: { ...byLowerName(this.#response.getHeaders()), ...this.#headers },
    };
  }

  #change(): Promise<void> {
    const { promise, resolve } = newPromise();
    this.#wake = resolve;
    return promise;
  }
}

function define(on: object, name: string, value: unknown, kind: 'value' | 'get' = 'value'): void {
  Object.defineProperty(on, name, { [kind]: value, configurable: true });
}

/** The same object where it is one: what is shared by many answers is known by it. */
function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes);
}

function byLowerName(headers: Headers): OutgoingHttpHeaders {
  const named: OutgoingHttpHeaders = {};
  if (Array.isArray(headers)) {
    for (let place = 0; place + 1 < headers.length; place += 2) {
      named[String(headers[place]).toLowerCase()] = headers[place + 1];
    }
    return named;
  }
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) named[name.toLowerCase()] = value;
  }
  return named;
}

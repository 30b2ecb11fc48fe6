/**
 * Holds back a response between the handler and the connection, where it can be changed, cut or
 * lost.
 */

import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { newPromise } from '#base/awaitable.js';
import { guard } from '#wire/guard.js';

export interface ResponseHead {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
}

/** Above this number of waiting bytes, the writer of the response must wait. */
const maxWaitingBytes = 64 * 1024;

const noBytes: Buffer = Buffer.alloc(0);

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

  /** Call before any part of the response is written. */
  constructor(response: ServerResponse) {
    this.#response = response;
    // Instance properties hide the class's methods until the response is released.
    define(response, 'writeHead', (status: number, ...rest: readonly unknown[]) => {
      this.#status = status;
      const headers = rest.find((each) => typeof each === 'object') ?? {};
      this.#headers = byLowerName(headers as OutgoingHttpHeaders);
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
    const leave = () => {
      this.#isGone = true;
      this.#wake();
    };
    response.once('close', guard(response.req, leave));
  }

  /** Whether the client has left, or the whole response was sent. */
  get isGone(): boolean {
    return this.#isGone || this.#response.destroyed;
  }

  /** Resolves when the handler has begun the response; `undefined` if the client left before. */
  async head(): Promise<ResponseHead | undefined> {
    while (this.#head === undefined && !this.isGone) await this.#change();
    return this.isGone ? undefined : this.#head;
  }

  /** Returns the next chunk of the body; `undefined` at its end, or if the client has left. */
  async next(): Promise<Buffer | undefined> {
    while (this.#pieces.length === 0 && !this.#isEnded && !this.isGone) await this.#change();
    const piece = this.isGone ? undefined : this.#pieces.shift();
    if (piece === undefined) return undefined;
    this.#waitingBytes -= piece.length;
    if (this.#waitingBytes === 0 && !this.#isEnded) this.#response.emit('drain');
    return piece;
  }

  /** Sends the response as usual, with this head. */
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

  /** Sends a head, and still holds back the body. */
  begin(head: ResponseHead): void {
    for (const name of ['writeHead', 'headersSent']) Reflect.deleteProperty(this.#response, name);
    this.#putHead(head);
    this.#response.flushHeaders();
  }

  /** Sends bytes of the body, and resolves when there is room for more, or the client has left. */
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

  /** Ends the response that {@link begin} began. */
  finish(bytes: Uint8Array = noBytes): void {
    if (!this.isGone) this.#own('end').call(this.#response, bytes);
  }

  #own(name: 'write' | 'end') {
    return Object.getPrototypeOf(this.#response)[name] as (bytes: Uint8Array) => unknown;
  }

  #putHead({ status, headers }: ResponseHead): void {
    const response = this.#response;
    for (const name of response.getHeaderNames()) response.removeHeader(name);
    // Node throws for trailers of a body with a length.
    const { trailer, ...others } = headers;
    const isChunked = trailer === undefined || headers['content-length'] === undefined;
    response.writeHead(status, isChunked ? headers : others);
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
    if (callback !== undefined) process.nextTick(guard(this.#response.req, callback as () => void));
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

/** Keeps a buffer's identity, by which shared bytes are recognised. */
function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes);
}

function byLowerName(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  const named: OutgoingHttpHeaders = Object.create(null);
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) named[name.toLowerCase()] = value;
  }
  return named;
}

/**
 * Answers on streams of HTTP/2 (RFC 9113), with the methods of those of HTTP/1.1: what these say of their connection
 * is left out here, and nowhere else.
 */

import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
} from 'node:http';
import { constants, type ServerHttp2Stream } from 'node:http2';
import { errorBody, jsonContentType } from '../../http/http-error.js';
import type { Taker } from '../budgets/unsent-bytes.js';
import { keptHeaders } from '../measured-response.js';
import { asksForTunnel, isTaken } from '../upgrade.js';
import type { Http2Request } from './http2-request.js';

type Headers = OutgoingHttpHeaders | readonly OutgoingHttpHeader[];
type Callback = (error?: Error | null) => void;
type Rest = readonly (BufferEncoding | Callback | undefined)[];

/** What no message of HTTP/2 may have (section 8.2.2). */
const ofConnections = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
]);

export class Http2Response extends ServerResponse<IncomingMessage> {
  readonly #stream: ServerHttp2Stream;
  /** Written, and sent together with what comes next. */
  #head: OutgoingHttpHeaders | undefined;
  #isHeadSent = false;
  #isFinished = false;
  /** Whether the stream is somebody else's from the end of this on. */
  #isTunnel = false;
  #trailers: Record<string, string | string[]> = {};
  /** What counts and bounds the bytes that the client has yet to take. */
  readonly taker: StreamTaker;

  constructor(request: IncomingMessage) {
    super(request);
    const { stream } = request as Http2Request;
    this.#stream = stream;
    this.taker = new StreamTaker(stream, 'encrypted' in request.socket);
    stream.on('drain', () => this.emit('drain'));
    stream.once('finish', () => {
      if (this.#isTunnel) return;
      this.#isFinished = true;
      this.emit('finish');
      // Whoever still sends a body may stop (RFC 9113 section 8.1).
      const isMoreToCome = !request.complete || asksForTunnel(request);
      if (isMoreToCome && !stream.closed) stream.close(constants.NGHTTP2_NO_ERROR);
    });
    stream.once('close', () => {
      if (this.#isTunnel) return;
      this.destroyed = true;
      this.emit('close');
    });
  }

  // @ts-expect-error The types call these properties; in Node they are accessors.
  override get headersSent(): boolean {
    return this.#head !== undefined;
  }

  // @ts-expect-error As above.
  override get writableEnded(): boolean {
    return this.finished;
  }

  // @ts-expect-error As above.
  override get writableFinished(): boolean {
    return this.#isFinished;
  }

  // @ts-expect-error As above.
  override get writableNeedDrain(): boolean {
    return this.#stream.writableNeedDrain;
  }

  // @ts-expect-error As above.
  override get writableLength(): number {
    return this.#stream.writableLength;
  }

  override writeHead(status: number, reason?: string | Headers, headers?: Headers): this {
    if (this.#head !== undefined) throw new Error('The head has been written.');
    this.statusCode = status;
    const given = typeof reason === 'object' ? reason : headers;
    const head: OutgoingHttpHeaders = { ...this.getHeaders() };
    for (const [name, value] of given === undefined ? [] : pairsOf(given)) {
      head[name.toLowerCase()] = value;
    }
    for (const name of ofConnections) delete head[name];
    this.#head = head;
    if (asksForTunnel(this.req) && status < 300) this.#settleSuccess();
    return this;
  }

  /** To whoever asked for a WebSocket, success says that it is open (RFC 8441 section 5). */
  #settleSuccess(): void {
    const { statusCode } = this;
    if (isTaken(this)) {
      delete this.#head?.['content-length'];
      return;
    }
    const body = JSON.stringify(errorBody(400, noWebSocket(statusCode)));
    this.statusCode = 400;
    this.#head = {
      ...Object.fromEntries(keptHeaders.map((name) => [name, this.#head?.[name]])),
      'content-type': jsonContentType,
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
    };
    // Whatever else is written has no place.
    this.#sendHead('ends');
    this.finished = true;
    if (!this.#isClosed) this.#stream.end(body);
  }

  override flushHeaders(): void {
    this.#sendHead('goes on');
  }

  override write(chunk: unknown, ...rest: Rest): boolean {
    this.#sendHead('goes on');
    if (this.#isClosed) return true;
    const encoding = typeof rest[0] === 'string' ? rest[0] : 'utf8';
    const callback = rest.find((each) => typeof each === 'function') as Callback | undefined;
    if ((chunk as Buffer | string).length === 0) {
      if (callback !== undefined) process.nextTick(callback);
      return !this.#stream.writableNeedDrain;
    }
    this.taker.bytesWritten += Buffer.byteLength(chunk as Buffer | string, encoding);
    return this.#stream.write(chunk, encoding, callback);
  }

  override end(chunk?: unknown, ...rest: Rest): this {
    if (this.finished) return this;
    const given = typeof chunk === 'function' ? [chunk as Callback] : rest;
    const callback = given.find((each) => typeof each === 'function') as Callback | undefined;
    const encoding = typeof given[0] === 'string' ? given[0] : 'utf8';
    const last = typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk;
    const bytes = last instanceof Uint8Array ? last : undefined;
    if (callback !== undefined) this.once('finish', callback);
    if (asksForTunnel(this.req) && isTaken(this)) return this.#becomeTunnel();
    this.#settleLength(bytes?.length ?? 0);
    const isEmpty = (bytes?.length ?? 0) === 0 && Object.keys(this.#trailers).length === 0;
    this.#sendHead(isEmpty ? 'is all' : 'ends');
    this.finished = true;
    if (this.#isClosed) return this;
    if (bytes === undefined || bytes.length === 0) this.#stream.end();
    else {
      this.taker.bytesWritten += bytes.length;
      this.#stream.end(bytes);
    }
    return this;
  }

  #becomeTunnel(): this {
    this.#sendHead('goes on');
    this.finished = true;
    this.#isTunnel = true;
    process.nextTick(() => {
      this.#isFinished = true;
      this.emit('finish');
    });
    return this;
  }

  override addTrailers(trailers: Headers): void {
    for (const [name, value] of pairsOf(trailers)) {
      const key = name.toLowerCase();
      const before = this.#trailers[key];
      const values = [before ?? [], value ?? []].flat().map(String);
      this.#trailers[key] = values.length === 1 ? (values[0] ?? '') : values;
    }
  }

  override writeContinue(callback?: () => void): void {
    this.sendInterim(100, {});
    callback?.();
  }

  /** Sends an interim answer (section 8.1). */
  sendInterim(status: number, headers: OutgoingHttpHeaders): void {
    if (this.#isHeadSent || this.#isClosed) return;
    this.#stream.additionalHeaders({ ...lowerCased(headers), ':status': status });
  }

  override destroy(): this {
    if (!this.#stream.closed) this.#stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    return this;
  }

  /** Whether nothing more of the answer reaches the client, which may be because there is nothing more. */
  get #isClosed(): boolean {
    return this.#stream.closed || this.#stream.destroyed || this.#stream.writableEnded;
  }

  /** As HTTP/1.1 has it, an answer that is all there says how long it is. */
  #settleLength(bytes: number): void {
    if (this.#isHeadSent || this.req.method === 'HEAD') return;
    if (this.#head === undefined) this.writeHead(this.statusCode);
    const { statusCode } = this;
    const isBodiless = statusCode < 200 || statusCode === 204 || statusCode === 304;
    const head = this.#head ?? {};
    if (!isBodiless && head.trailer === undefined) head['content-length'] ??= bytes;
  }

  #sendHead(what: 'is all' | 'ends' | 'goes on'): void {
    if (this.#isHeadSent) return;
    if (this.#head === undefined) this.writeHead(this.statusCode);
    this.#isHeadSent = true;
    if (this.#isClosed) return;
    const head = { ...this.#head, ':status': this.statusCode };
    // What an answer in pieces has behind it is known when it ends.
    const waitForTrailers = what === 'goes on' || Object.keys(this.#trailers).length > 0;
    const options = { endStream: what === 'is all', waitForTrailers };
    if (waitForTrailers) {
      this.#stream.once('wantTrailers', () => this.#stream.sendTrailers(this.#trailers));
    }
    try {
      this.#stream.respond(head, options);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_HTTP2_HEADER_SINGLE_VALUE') throw error;
      this.#stream.respond(joined(head), options);
    }
  }
}

const noWebSocket = (status: number) =>
  `No WebSocket is opened here: the response to GET would be ${status}, which over HTTP/2 would say that one is.`;

/** The bytes of one answer, which its client may leave untaken while it takes others of the connection. */
class StreamTaker implements Taker {
  readonly #stream: ServerHttp2Stream;
  readonly #isEncrypted: boolean;
  bytesWritten = 0;

  constructor(stream: ServerHttp2Stream, isEncrypted: boolean) {
    this.#stream = stream;
    this.#isEncrypted = isEncrypted;
  }

  get destroyed(): boolean {
    return this.#stream.closed || this.#stream.destroyed;
  }

  get writableLength(): number {
    return this.#stream.writableLength;
  }

  /** As far as windows let it, all of it is encrypted at once, into a copy. */
  get heldBytes(): number {
    return this.#isEncrypted ? 2 * this.writableLength : this.writableLength;
  }

  /** Nobody who takes too little gets to read why. */
  resetAndDestroy(): void {
    this.#stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
  }
}

/** Of a list that is flat, or of pairs, or of an object. */
function pairsOf(headers: Headers): (readonly [string, OutgoingHttpHeader | undefined])[] {
  if (!Array.isArray(headers)) return Object.entries(headers);
  if (Array.isArray(headers[0])) return headers as unknown as [string, string][];
  const names = headers.filter((_each, place) => place % 2 === 0);
  return names.map((name, place) => [String(name), headers[2 * place + 1]] as const);
}

function lowerCased(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return Object.fromEntries(entries);
}

/** Node lets most headers come once only; a list says the same (RFC 9110 section 5.3). */
function joined(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  const entries = Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value) && name !== 'set-cookie' ? value.join(', ') : value,
  ]);
  return Object.fromEntries(entries);
}

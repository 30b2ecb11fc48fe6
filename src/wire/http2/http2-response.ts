/**
 * Responses on HTTP/2 streams (RFC 9113), with the methods of HTTP/1.1 responses. Only this class
 * drops headers about the connection.
 */

import { type IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { constants, type ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import type { Connection, UnsentBytes } from '../budgets/unsent-bytes.js';
import { guard } from '../guard.js';
import { isExtendedConnect, isUpgradeAccepted } from '../upgrade.js';
import type { Http2Request } from './http2-request.js';

type Trailers = OutgoingHttpHeaders | readonly (readonly [string, string])[];
type Callback = (error?: Error | null) => void;
type Rest = readonly (BufferEncoding | Callback | undefined)[];

/** Headers that HTTP/2 forbids (section 8.2.2). */
const connectionHeaders = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
]);

export class Http2Response extends ServerResponse<IncomingMessage> {
  readonly #stream: ServerHttp2Stream;
  /** Sent together with the first bytes of the body. */
  #head: OutgoingHttpHeaders | undefined;
  #isHeadSent = false;
  #isFinished = false;
  #isTunnel = false;
  #trailers: Record<string, string | string[]> | undefined;
  #areTrailersDue = false;
  /** The stream, for the budget of unsent bytes. */
  readonly countedConnection: CountedStream;

  constructor(request: IncomingMessage) {
    super(request);
    const { stream } = request as Http2Request;
    this.#stream = stream;
    this.countedConnection = new CountedStream(request as Http2Request);
    // For HEAD, Node ends the body when the request arrives.
    if (request.method !== 'HEAD')
      stream.once(
        'finish',
        guard(request as Http2Request, () => this.#finish()),
      );
  }

  /** Called when the stream is closed. */
  streamClosed(): void {
    this.countedConnection.settle();
    if (this.#isTunnel) return;
    this.destroyed = true;
    this.emit('close');
  }

  #finish(): void {
    if (this.#isTunnel) return;
    this.#isFinished = true;
    this.countedConnection.settle();
    this.emit('finish');
    this.#leaveBody();
  }

  /** Ends the stream before its body has arrived: the client need not send the rest (RFC 9113 section 8.1). */
  #leaveBody(): void {
    const isMoreToCome = () => !this.req.complete || isExtendedConnect(this.req);
    if (!this.#isFinished || this.#isTunnel || this.#areTrailersDue || !isMoreToCome()) return;
    const leave = () => {
      if (isMoreToCome() && !this.#stream.closed) this.#stream.close(constants.NGHTTP2_NO_ERROR);
    };
    // At once, the reset would discard trailers that nghttp2 has not written yet.
    if (this.#trailers === undefined) leave();
    else setImmediate(guard(this.req, leave));
  }

  // @ts-expect-error The types declare properties; in Node they are accessors.
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

  override writeHead(status: number, ...rest: readonly unknown[]): this {
    if (this.#head !== undefined) throw new Error('The head has been written.');
    this.statusCode = status;
    const given = rest.find((each) => typeof each === 'object');
    const head: OutgoingHttpHeaders = Object.create(null);
    head[':status'] = status;
    for (const headers of [this.getHeaders(), given as OutgoingHttpHeaders | null | undefined]) {
      for (const name in headers) {
        const key = name.toLowerCase();
        if (!connectionHeaders.has(key)) head[key] = headers[name];
      }
    }
    if (this.#opensTunnel) delete head['content-length'];
    this.#head = head;
    return this;
  }

  override flushHeaders(): void {
    this.#sendHead('is in progress');
  }

  override write(chunk: unknown, ...rest: Rest): boolean {
    this.#sendHead('is in progress');
    if (this.#isClosed) return true;
    const { encoding, callback } = optionsIn(rest);
    const bytes = Buffer.byteLength(chunk as Buffer | string, encoding);
    if (bytes === 0) {
      if (callback !== undefined) process.nextTick(guard(this.req, callback));
      return !this.#stream.writableNeedDrain;
    }
    this.countedConnection.bytesWritten += bytes;
    const isRoomLeft = this.#stream.write(chunk, encoding, callback);
    if (!isRoomLeft && this.#stream.listenerCount('drain') === 0) {
      this.#stream.once(
        'drain',
        guard(this.req, () => this.emit('drain')),
      );
    }
    return isRoomLeft;
  }

  override end(chunk?: unknown, ...rest: Rest): this {
    if (this.finished) return this;
    const { encoding, callback } = optionsIn(
      typeof chunk === 'function' ? [chunk as Callback] : rest,
    );
    if (callback !== undefined) this.once('finish', guard(this.req, callback));
    if (this.#opensTunnel) return this.#becomeTunnel();
    const last = typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk;
    const length = last instanceof Uint8Array ? last.length : 0;
    this.#settleLength(length);
    const isEmpty = length === 0 && this.#trailers === undefined;
    this.#sendHead(isEmpty ? 'is complete' : 'ends');
    this.finished = true;
    if (this.req.method === 'HEAD' && !this.#isReset) {
      process.nextTick(guard(this.req, () => this.#finish()));
    }
    if (this.#isClosed) return this;
    this.countedConnection.bytesWritten += length;
    if (length === 0) this.#stream.end();
    else this.#stream.end(last);
    return this;
  }

  get #opensTunnel(): boolean {
    return isExtendedConnect(this.req) && isUpgradeAccepted(this);
  }

  #becomeTunnel(): this {
    this.#sendHead('is in progress');
    this.finished = true;
    this.#isTunnel = true;
    const finish = () => {
      this.#isFinished = true;
      this.emit('finish');
    };
    process.nextTick(guard(this.req, finish));
    return this;
  }

  override addTrailers(trailers: Trailers): void {
    for (const [name, value] of Array.isArray(trailers) ? trailers : Object.entries(trailers)) {
      const key = name.toLowerCase();
      if (key === 'te' || connectionHeaders.has(key)) continue;
      this.#trailers ??= Object.create(null) as Record<string, string | string[]>;
      const before = this.#trailers[key];
      this.#trailers[key] = before === undefined ? value : [before, value].flat();
    }
  }

  /** Forgets the trailers of a response that another one replaces. */
  dropTrailers(): void {
    this.#trailers = undefined;
  }

  override writeContinue(callback?: () => void): void {
    this.sendInterim(100, {});
    callback?.();
  }

  /** Sends an interim response (section 8.1) with headers by name in lower case. */
  sendInterim(status: number, headers: OutgoingHttpHeaders): void {
    if (this.#isHeadSent || this.#isReset) return;
    const head = { ...headers, ':status': status };
    sendOnce(head, (accepted) => this.#stream.additionalHeaders(accepted));
  }

  override destroy(): this {
    if (!this.#stream.closed) this.#stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    return this;
  }

  get #isReset(): boolean {
    return this.#stream.closed || this.#stream.destroyed;
  }

  get #isClosed(): boolean {
    return this.#isReset || this.#stream.writableEnded;
  }

  /** Adds the length to the head of a complete response, as on HTTP/1.1. */
  #settleLength(bytes: number): void {
    if (this.#isHeadSent || this.req.method === 'HEAD') return;
    if (this.#head === undefined) this.writeHead(this.statusCode);
    const { statusCode } = this;
    const isBodiless = statusCode < 200 || statusCode === 204 || statusCode === 304;
    const head = this.#head ?? {};
    if (!isBodiless && head.trailer === undefined) head['content-length'] ??= bytes;
  }

  #sendHead(body: 'is complete' | 'ends' | 'is in progress'): void {
    if (this.#isHeadSent) return;
    if (this.#head === undefined) this.writeHead(this.statusCode);
    this.#isHeadSent = true;
    if (this.#isReset) return;
    const head = this.#head ?? {};
    // Node would add it by a slow path of the engine.
    head.date ??= (this.req as Http2Request).currentDate;
    const isHead = this.req.method === 'HEAD';
    // Trailers of a streamed response are known at its end.
    const waitForTrailers = !isHead && (body === 'is in progress' || this.#trailers !== undefined);
    const options = { endStream: isHead || body === 'is complete', waitForTrailers };
    if (waitForTrailers) {
      this.#areTrailersDue = true;
      // Node would throw for some names with several values.
      const sendTrailers = () => {
        this.#stream.sendTrailers(joined(this.#trailers ?? {}));
        this.#areTrailersDue = false;
        this.#leaveBody();
      };
      this.#stream.once('wantTrailers', guard(this.req, sendTrailers));
    }
    sendOnce(head, (accepted) => this.#stream.respond(accepted, options));
  }
}

/** Bytes of one response, of which a client may read less than of others on the connection. */
class CountedStream implements Connection {
  readonly #stream: ServerHttp2Stream;
  readonly #isEncrypted: boolean;
  readonly socket: Socket;
  bytesWritten = 0;
  /** The budget that counts it. */
  countedBy: UnsentBytes | undefined;

  constructor({ stream, socket }: Http2Request) {
    this.#stream = stream;
    this.socket = socket;
    this.#isEncrypted = 'encrypted' in socket;
  }

  /** Counts what still waits after the response. */
  settle(): void {
    this.countedBy?.note(this, 0, true);
  }

  get destroyed(): boolean {
    return this.#stream.closed || this.#stream.destroyed;
  }

  get writableLength(): number {
    return this.#stream.writableLength;
  }

  /** TLS encrypts a copy of all bytes that the client's window allows. */
  get heldBytes(): number {
    return this.#isEncrypted ? 2 * this.writableLength : this.writableLength;
  }

  resetAndDestroy(): void {
    this.#stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
  }

  destroy(): void {
    this.#stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  }
}

function optionsIn(rest: Rest): { encoding: BufferEncoding; callback: Callback | undefined } {
  return {
    encoding: typeof rest[0] === 'string' ? rest[0] : 'utf8',
    callback: rest.find((each) => typeof each === 'function'),
  };
}

/** Sends headers; where Node accepts one only once, its values become a list (RFC 9110 section 5.3). */
function sendOnce(
  headers: OutgoingHttpHeaders,
  send: (headers: OutgoingHttpHeaders) => void,
): void {
  try {
    send(headers);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_HTTP2_HEADER_SINGLE_VALUE') throw error;
    send(joined(headers));
  }
}

function joined(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  const entries = Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value) && name !== 'set-cookie' ? value.join(', ') : value,
  ]);
  return Object.fromEntries(entries);
}

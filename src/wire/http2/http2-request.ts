/** HTTP/2 requests (RFC 9113), as the request class of HTTP/1.1. */

import type { ServerResponse } from 'node:http';
import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { guard } from '../guard.js';
import { addHeaderLines } from '../internals/header-lines.js';
import { stopReading } from '../internals/stop-reading.js';
import { WireRequest } from '../request.js';
import type { OpenSession } from './open-session.js';

export interface NewStream {
  readonly stream: ServerHttp2Stream;
  readonly headers: IncomingHttpHeaders;
  /** Alternating names and values, as they arrived. */
  readonly raw: readonly string[];
  readonly socket: Socket;
  readonly session: OpenSession;
}

/** A request on a stream. Its `socket` is shared by all streams of the connection. */
export class Http2Request extends WireRequest {
  readonly stream: ServerHttp2Stream;
  readonly #hasBody: boolean;
  readonly #isExtendedConnect: boolean;
  readonly #session: OpenSession;
  #response: ServerResponse | undefined;

  constructor({ stream, headers, raw, socket, session }: NewStream) {
    super(socket);
    this.#session = session;
    this.stream = stream;
    this.#isExtendedConnect = headers[':protocol']?.toLowerCase() === 'websocket';
    this.#hasBody = !stream.endAfterHeaders && !this.#isExtendedConnect;
    this.httpVersion = '2.0';
    this.httpVersionMajor = 2;
    this.httpVersionMinor = 0;
    // The router sees the GET of a handshake.
    this.method = this.#isExtendedConnect ? 'GET' : (headers[':method'] ?? '');
    this.url = headers[':path'] ?? '';
    addHeaderLines(this, withoutPseudoHeaders(raw, headers[':authority']));
    this.#receive();
  }

  override get response(): ServerResponse | undefined {
    return this.#response;
  }

  override set response(response: ServerResponse) {
    this.#response = response;
  }

  override get announcesBody(): boolean {
    return this.#hasBody;
  }

  override get isStream(): boolean {
    return true;
  }

  override get isExtendedConnect(): boolean {
    return this.#isExtendedConnect;
  }

  override get transport(): Duplex {
    return this.stream;
  }

  get currentDate(): string {
    return this.#session.currentDate;
  }

  /** Open streams of the connection, including this one. */
  get openStreams(): number {
    return this.#session.openStreams;
  }

  /** Calls `act`, instead of earlier ones, if the connection ends because of too many PINGs. */
  onTooManyPings(act: () => void): void {
    this.#session.onTooManyPings = guard(this.#session, act);
  }

  /** Reads nothing more of the connection, not even PING. The idle timeout ends it. */
  stopReading(): void {
    stopReading(this.#session.socket);
  }

  /** Forbids the client to open more streams. The connection ends with its last one. */
  goAway(code: number): void {
    this.#session.goAway(code);
  }

  cancel(code: number): void {
    if (!this.stream.closed) this.stream.close(code);
  }

  override cut(): void {
    this.endConnection();
  }

  override endConnection(): void {
    this.cancel(constants.NGHTTP2_INTERNAL_ERROR);
  }

  override resetConnection(): void {
    this.cancel(constants.NGHTTP2_CANCEL);
  }

  override closeUnprocessed(): void {
    this.cancel(constants.NGHTTP2_REFUSED_STREAM);
  }

  /** Closes the connection of all streams, with GOAWAY. */
  override closeAfter(): void {
    // The last frames are written in the same turn as the event.
    const end = guard(this.#session, () => this.#session.end());
    this.stream.once(
      'close',
      guard(this, () => void setImmediate(end)),
    );
  }

  override goAwayAfter(response: ServerResponse, isGraceful = false): void {
    const session = this.#session;
    if (isGraceful) session.announceLeaving();
    const leave = () => (isGraceful ? session.leaveSoon() : session.ignoreNewStreams());
    response.once('finish', guard(this, leave));
  }

  override endIdleConnection(): void {
    if (this.#session.openStreams === 0) this.#session.end();
  }

  override leaveLaterRequests(): void {
    this.#session.leaveLaterStreams(this.stream);
  }

  /** Says that later streams were not processed; this one continues. */
  leaveAfterThis(): void {
    this.#session.leaveAfter(this.stream);
  }

  override goAwayBefore(): void {
    this.#session.leaveBefore(this.stream);
  }

  override _read(): void {
    if (this.readableFlowing === true) this.bodyWanted();
    this.stream.resume();
  }

  /** Resets only the stream, because the connection has others. */
  protected override destroyMessage(
    error: Error | null,
    callback: (error?: Error | null) => void,
  ): void {
    if (!this.complete) {
      this.aborted = true;
      this.emit('aborted');
    }
    // Node also destroys a stream that was read to its end.
    if (!this.complete || !this.readableEnded) this.cancel(constants.NGHTTP2_CANCEL);
    callback(error);
  }

  /** Called when the stream is closed. */
  streamClosed(): void {
    if (!this.complete) this.destroy();
  }

  #receive(): void {
    const { stream } = this;
    if (!this.#hasBody) {
      this.complete = true;
      this.push(null);
      return;
    }
    const keepTrailers = (_trailers: unknown, _flags: unknown, raw: string[] = []): void => {
      this.rawTrailers = raw;
      this.#session.weigh(listBytes(raw));
    };
    const receiveChunk = (chunk: Buffer): void => {
      this.#session.weigh(frameBytes + chunk.length);
      if (!this.push(chunk)) stream.pause();
    };
    const onTrailers = guard(this, keepTrailers);
    const onChunk = guard(this, receiveChunk);
    const end = (): void => {
      // Node keeps closed streams for a while, and with them what their listeners refer to.
      stream.off('trailers', onTrailers).off('data', onChunk);
      if (stream.aborted || stream.rstCode !== constants.NGHTTP2_NO_ERROR) return;
      this.complete = true;
      this.push(null);
    };
    stream.on('trailers', onTrailers);
    stream.on('data', onChunk);
    stream.once('end', guard(this, end));
  }
}

/** Size of a frame header, with some padding. */
export const frameBytes = 16;

/**
 * Returns the size of headers (RFC 9113 section 6.5.2). Node checks it only after the client has
 * acknowledged the limit.
 */
export function listBytes(raw: readonly string[]): number {
  let bytes = (raw.length / 2) * bytesPerHeader;
  for (const text of raw) bytes += text.length;
  return bytes;
}

export const bytesPerHeader = 32;

/**
 * Returns the headers with the authority as Host, and with one Cookie header: RFC 9113 sections
 * 8.2.3 and 8.3.1.
 */
function withoutPseudoHeaders(raw: readonly string[], authority: string | undefined): string[] {
  const lines: string[] = authority === undefined ? [] : ['host', authority];
  let cookiePlace = -1;
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index] ?? '';
    const value = raw[index + 1] ?? '';
    const isSameHost = name === 'host' && value === authority;
    if (name.startsWith(':') || isSameHost) continue;
    if (name === 'cookie' && cookiePlace >= 0) {
      lines[cookiePlace] += `; ${value}`;
      continue;
    }
    lines.push(name, value);
    if (name === 'cookie') cookiePlace = lines.length - 1;
  }
  return lines;
}

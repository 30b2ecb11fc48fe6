/** Requests of HTTP/2 (RFC 9113), in the form of those of HTTP/1.1 that the whole service reads. */

import type { ServerResponse } from 'node:http';
import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { LeanRequest } from '../http1/lean-request.js';

/** What a request can ask of its connection. */
export interface SessionView {
  readonly openStreams: number;
  /** Those of them that have left HTTP. */
  tunnels: number;
  goAway(code: number): void;
  /** Notes bytes that arrived and were of use. */
  weigh(bytes: number): void;
}

/** A stream that a client has begun. */
export interface NewStream {
  readonly stream: ServerHttp2Stream;
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, as they came. */
  readonly raw: readonly string[];
  readonly socket: Socket;
  readonly session: SessionView;
}

/** A request on a stream of its own. `socket` is that of the connection, which others use as well. */
export class Http2Request extends LeanRequest {
  readonly stream: ServerHttp2Stream;
  readonly #hasBody: boolean;
  readonly #asksForTunnel: boolean;
  readonly #sessionView: SessionView;
  #answer: ServerResponse | undefined;

  constructor({ stream, headers, raw, socket, session }: NewStream) {
    super(socket);
    this.#sessionView = session;
    this.stream = stream;
    this.#asksForTunnel = isWebSocketProtocol(headers[':protocol']);
    this.#hasBody = !stream.endAfterHeaders && !this.#asksForTunnel;
    this.httpVersion = '2.0';
    this.httpVersionMajor = 2;
    this.httpVersionMinor = 0;
    // It is the GET of a handshake to whoever routes it.
    this.method = this.#asksForTunnel ? 'GET' : (headers[':method'] ?? '');
    this.url = headers[':path'] ?? '';
    const lines = withoutPseudoHeaders(raw, headers[':authority']);
    (this as unknown as HeaderLines)._addHeaderLines(lines, lines.length);
    this.#receive();
  }

  override get answer(): ServerResponse | undefined {
    return this.#answer;
  }

  override set answer(response: ServerResponse) {
    this.#answer = response;
  }

  override get announcesBody(): boolean {
    return this.#hasBody;
  }

  override get asksForTunnel(): boolean {
    return this.#asksForTunnel;
  }

  override get carrier(): Duplex {
    return this.stream;
  }

  /** Of its connection, with its own. */
  get openStreams(): number {
    return this.#sessionView.openStreams;
  }

  /** Tells the client to begin nothing more on the connection, which ends with its last stream. */
  goAway(code: number): void {
    this.#sessionView.goAway(code);
  }

  /** Resets the stream. */
  cancel(code: number): void {
    if (!this.stream.closed) this.stream.close(code);
  }

  override endConnection(): void {
    this.cancel(constants.NGHTTP2_INTERNAL_ERROR);
  }

  override resetConnection(): void {
    this.cancel(constants.NGHTTP2_CANCEL);
  }

  override _read(): void {
    this.stream.resume();
  }

  /** The connection is not this request's alone, so that it stays. */
  protected override destroyMessage(
    error: Error | null,
    callback: (error?: Error | null) => void,
  ): void {
    if (!this.complete) {
      this.aborted = true;
      this.emit('aborted');
    }
    this.cancel(constants.NGHTTP2_CANCEL);
    callback(error);
  }

  #receive(): void {
    const { stream } = this;
    if (!this.#hasBody) {
      this.complete = true;
      this.push(null);
      return;
    }
    stream.on('trailers', (_trailers, _flags, raw: string[] = []) => {
      this.rawTrailers = raw;
      this.#sessionView.weigh(listBytes(raw));
    });
    stream.on('data', (chunk: Buffer) => {
      this.#sessionView.weigh(frameBytes + chunk.length);
      if (!this.push(chunk)) stream.pause();
    });
    stream.once('end', () => {
      if (stream.aborted || stream.rstCode !== constants.NGHTTP2_NO_ERROR) return;
      this.complete = true;
      this.push(null);
    });
    stream.once('close', () => {
      if (!this.complete) this.destroy();
    });
  }
}

/** A frame's own, with what pads it. */
export const frameBytes = 16;

/** What headers count (RFC 9113 section 6.5.2): Node looks at it only once the client has acknowledged that it may. */
export function listBytes(raw: readonly string[]): number {
  let bytes = (raw.length / 2) * bytesPerHeader;
  for (const text of raw) bytes += text.length;
  return bytes;
}

export const bytesPerHeader = 32;

/** Whether the protocol of an extended CONNECT is the one that is spoken here (RFC 8441 section 5). */
function isWebSocketProtocol(name: string | undefined): boolean {
  return name?.toLowerCase() === 'websocket';
}

/** Node's own way to give a message its headers, from which it makes what `headers` holds. */
interface HeaderLines {
  _addHeaderLines(lines: readonly string[], length: number): void;
}

/** With the authority as Host, and cookies put together that came apart: RFC 9113 sections 8.2.3 and 8.3.1. */
function withoutPseudoHeaders(raw: readonly string[], authority: string | undefined): string[] {
  const lines: string[] = authority === undefined ? [] : ['host', authority];
  let cookiePlace = -1;
  for (let place = 0; place + 1 < raw.length; place += 2) {
    const [name = '', value = ''] = [raw[place], raw[place + 1]];
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

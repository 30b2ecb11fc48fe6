/** A WebSocket's stream over HTTP/2 (RFC 8441): bytes in both directions, like a connection. */

import { constants, type ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { BodiesInFlight } from '../budgets/bodies-in-flight.js';
import type { Connection } from '../budgets/unsent-bytes.js';
import { guard } from '../guard.js';

type Callback = (error?: Error | null) => void;

/** Room in the body budget for bytes that a client may send before they are read. */
export class WindowRoom {
  readonly #bodies: BodiesInFlight;
  readonly #bytes: number;
  #isReserved = false;

  constructor(bodies: BodiesInFlight, bytes: number) {
    this.#bodies = bodies;
    this.#bytes = bytes;
  }

  /** Returns whether there was room. A second call changes nothing. */
  reserve(): boolean {
    this.#isReserved ||= this.#bodies.reserve(this.#bytes);
    return this.#isReserved;
  }

  release(): void {
    if (this.#isReserved) this.#bodies.release(this.#bytes);
    this.#isReserved = false;
  }
}

export class Http2Tunnel extends Duplex implements Connection {
  readonly #stream: ServerHttp2Stream;
  readonly socket: Socket;
  readonly #room: WindowRoom;
  #sentBytes = 0;

  /** `room` is reserved while the tunnel is not read. */
  constructor(stream: ServerHttp2Stream, socket: Socket, room: WindowRoom) {
    super();
    this.#stream = stream;
    this.socket = socket;
    this.#room = room;
    const receive = (chunk: Buffer) => {
      if (!this.push(chunk)) this.#hold();
    };
    stream.on('data', guard(this, receive));
    stream.once(
      'end',
      guard(this, () => this.push(null)),
    );
    stream.once(
      'close',
      guard(this, () => this.destroy()),
    );
  }

  get bytesWritten(): number {
    return this.#sentBytes + this.writableLength;
  }

  resetAndDestroy(): void {
    this.#stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
    this.destroy();
  }

  setTimeout(ms: number, listen?: () => void): void {
    this.#stream.setTimeout(ms, listen && guard(this, listen));
  }

  /** Probes the connection, which ends its streams if it is dead. */
  setKeepAlive(isOn: boolean, afterMs: number): void {
    this.socket.setKeepAlive(isOn, afterMs);
  }

  override _read(): void {
    this.#room.release();
    this.#stream.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: Callback): void {
    this.#stream.write(chunk, this.#whenSent(chunk.length, callback));
  }

  override _writev(chunks: readonly { readonly chunk: Buffer }[], callback: Callback): void {
    const bytes = chunks.reduce((sum, { chunk }) => sum + chunk.length, 0);
    const last = chunks.length - 1;
    this.#stream.cork();
    for (const [index, { chunk }] of chunks.entries()) {
      if (index < last) this.#stream.write(chunk);
      else this.#stream.write(chunk, this.#whenSent(bytes, callback));
    }
    this.#stream.uncork();
  }

  override _final(callback: Callback): void {
    this.#stream.end(callback);
  }

  /** Cancels the stream where a connection would end without a close frame (RFC 8441 section 5). */
  override _destroy(error: Error | null, callback: Callback): void {
    this.#room.release();
    const isWhole = this.readableEnded && this.writableFinished;
    if (!isWhole && !this.#stream.closed) this.#stream.close(constants.NGHTTP2_CANCEL);
    callback(error);
  }

  #whenSent(bytes: number, callback: Callback): Callback {
    return guard(this, (error) => {
      this.#sentBytes += bytes;
      callback(error);
    });
  }

  /** Until the tunnel is read again, the client may only fill the window of the stream. */
  #hold(): void {
    this.#stream.pause();
    if (!this.#room.reserve()) this.resetAndDestroy();
  }
}

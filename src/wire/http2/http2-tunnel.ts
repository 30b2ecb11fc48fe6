/** What a stream of HTTP/2 is once it has left HTTP (RFC 8441): bytes both ways, as on a connection of its own. */

import { constants, type ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { BodiesInFlight } from '../budgets/bodies-in-flight.js';
import type { Taker } from '../budgets/unsent-bytes.js';

type Callback = (error?: Error | null) => void;

/** Room among all bodies for what a client may send before somebody takes it. */
export class WindowRoom {
  readonly #bodies: BodiesInFlight;
  readonly #bytes: number;
  #isTaken = false;

  constructor(bodies: BodiesInFlight, bytes: number) {
    this.#bodies = bodies;
    this.#bytes = bytes;
  }

  /** Sets it aside, unless it is; says whether there was room. */
  take(): boolean {
    this.#isTaken ||= this.#bodies.reserve(this.#bytes);
    return this.#isTaken;
  }

  release(): void {
    if (this.#isTaken) this.#bodies.release(this.#bytes);
    this.#isTaken = false;
  }
}

export class Http2Tunnel extends Duplex implements Taker {
  readonly #stream: ServerHttp2Stream;
  readonly #socket: Socket;
  readonly #room: WindowRoom;
  #takenBytes = 0;

  /** `room` is counted while nobody reads. */
  constructor(stream: ServerHttp2Stream, socket: Socket, room: WindowRoom) {
    super();
    this.#stream = stream;
    this.#socket = socket;
    this.#room = room;
    stream.on('data', (chunk: Buffer) => {
      if (!this.push(chunk)) this.#hold();
    });
    stream.once('end', () => this.push(null));
    stream.once('close', () => this.destroy());
  }

  /** With what is waiting. */
  get bytesWritten(): number {
    return this.#takenBytes + this.writableLength;
  }

  /** Nobody who takes too little gets to read why. */
  resetAndDestroy(): void {
    this.#stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
    this.destroy();
  }

  setTimeout(ms: number, listen?: () => void): void {
    this.#stream.setTimeout(ms, listen);
  }

  /** Of the connection, which ends its streams. */
  setKeepAlive(isOn: boolean, afterMs: number): void {
    this.#socket.setKeepAlive(isOn, afterMs);
  }

  override _read(): void {
    this.#room.release();
    this.#stream.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: Callback): void {
    this.#stream.write(chunk, this.#whenTaken(chunk.length, callback));
  }

  override _writev(chunks: readonly { readonly chunk: Buffer }[], callback: Callback): void {
    const bytes = chunks.reduce((sum, { chunk }) => sum + chunk.length, 0);
    const last = chunks.length - 1;
    this.#stream.cork();
    for (const [place, { chunk }] of chunks.entries()) {
      if (place < last) this.#stream.write(chunk);
      else this.#stream.write(chunk, this.#whenTaken(bytes, callback));
    }
    this.#stream.uncork();
  }

  override _final(callback: Callback): void {
    this.#stream.end(callback);
  }

  /** What ends without a word on a connection is cancelled here (RFC 8441 section 5). */
  override _destroy(error: Error | null, callback: Callback): void {
    this.#room.release();
    const isWhole = this.readableEnded && this.writableFinished;
    if (!isWhole && !this.#stream.closed) this.#stream.close(constants.NGHTTP2_CANCEL);
    callback(error);
  }

  #whenTaken(bytes: number, callback: Callback): Callback {
    return (error) => {
      this.#takenBytes += bytes;
      callback(error);
    };
  }

  /** Until somebody reads on, no more comes than the window of the stream lets by. */
  #hold(): void {
    this.#stream.pause();
    if (!this.#room.take()) this.resetAndDestroy();
  }
}

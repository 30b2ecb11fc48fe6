/**
 * A WebSocket of this service. `ws` reads and writes the frames. This class counts arriving bytes
 * as body bytes and bytes for the client as unsent bytes, handles messages one after the other, and
 * puts a reason into the close frame after a protocol fault.
 */

import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import { newPromise } from '#base/awaitable.js';
import { turns } from '#base/work-in-turns.js';
import type { ArrivingBody, BodiesInFlight } from '../budgets/bodies-in-flight.js';
import { type UnsentBytes, unsentBytesOn } from '../budgets/unsent-bytes.js';
import { guard } from '../guard.js';
import { hasPeerReset } from '../internals/has-peer-reset.js';
import { type WatchedOptions, WatchedWebSocket } from '../internals/watched-web-socket.js';
import { closeConnection } from '../request.js';
import { describeFault } from './describe-frame-fault.js';

export { type AgreedCompression, Compressions } from './compressions.js';

/** Above this number of unread bytes, a client is sent nothing until it has read some. */
const roomBytes = 64 * 1024;

/**
 * Above this number of unread bytes, a client is cut; senders that wait for room never exceed it.
 */
const maxUnreadBytes = 4 * 1024 * 1024;

const closeTimeoutMs = 3_000;

/** Time without a byte from the client after which the socket is closed. */
const idleMs = 60 * 60 * 1000;

/** Time after which the kernel probes a silent client. */
const probeAfterMs = 60_000;

/**
 * Buffers are joined to frames, and frames to messages; the garbage collector frees the parts
 * later.
 */
const costOfByte = 1.5;

/** Memory of a buffer without its bytes, however few these are. */
const pieceBytes = 128;

const numberBytes = 8;

/** Memory of a waiting message without its bytes. */
const waitingMessageBytes = 128;

export interface Message {
  readonly data: Buffer;
  readonly isBinary: boolean;
  readonly fragments: readonly number[];
  /** Frames whose length is written in more bytes than needed. */
  readonly longLengths: number;
}

export interface ServerSocketOptions extends WatchedOptions {
  readonly bodies: BodiesInFlight;
}

type Use = (socket: ServerSocket) => void | Promise<void>;
type Handle = (message: Message) => void | Promise<void>;

export class ServerSocket extends WatchedWebSocket implements ArrivingBody {
  arrivedBytes = 0;
  pace: ArrivingBody['pace'];
  place = -1;
  readonly maxMessageBytes: number;
  readonly #stream: Duplex;
  readonly #bodies: BodiesInFlight;
  readonly #unsent: UnsentBytes | undefined;
  #fault: string | undefined;
  #handle: Handle = () => {};
  #report: (error: unknown) => void = () => {};
  #fragments: number[] = [];
  #longLengths = 0;
  readonly #waiting: Message[] = [];
  #waitingBytes = 0;
  #isHandling = false;
  /** Bytes of the message whose handler has not finished. */
  #handledBytes = 0;
  #reservedBytes = 0;
  #isWatched = false;
  #roomMade: ReturnType<typeof newPromise> | undefined;

  constructor(stream: Duplex, options: ServerSocketOptions) {
    super(stream, options, closeTimeoutMs);
    const { maxMessageBytes } = options;
    this.maxMessageBytes = maxMessageBytes;
    this.#stream = stream;
    this.#bodies = options.bodies;
    this.#unsent = unsentBytesOn(stream);
    // The close frame explains the fault.
    this.on('error', () => {});
    this.on(
      'message',
      guard(this, (data: Buffer, isBinary: boolean) => this.#receive(data, isBinary)),
    );
    this.on(
      'close',
      guard(this, () => this.#release()),
    );
    this.watch({
      fragment: (bytes, isLast) => {
        this.#fragments.push(bytes);
        if (!isLast) this.#account();
      },
      fault: (error) => {
        this.#fault = describeFault(error, maxMessageBytes);
      },
      longLength: () => {
        this.#longLengths++;
      },
      isGone: () => this.#isGone(),
    });
    this.#watchStream();
  }

  /** Passes the socket to the handler of its endpoint. */
  begin(use: Use, report: (error: unknown) => void): void {
    this.#report = report;
    this.#try(() => use(this));
  }

  /**
   * Sets the handler of messages. Messages are handled one after the other; nothing is read
   * meanwhile.
   */
  eachMessage(handle: Handle): void {
    this.#handle = handle;
  }

  /** Sends a message, or cuts a client that has too many unread bytes or exceeds the budget. */
  override send(data: Parameters<WebSocket['send']>[0], ...rest: readonly unknown[]): void {
    const bytes = lengthOf(data);
    const isWithinBudget = bytes <= roomBytes || (this.#unsent?.hasRoomFor(bytes) ?? true);
    if (!isWithinBudget || this.bufferedAmount > maxUnreadBytes) {
      this.terminate();
      return;
    }
    const callback = rest.find((each) => typeof each === 'function') as
      | ((error?: Error) => void)
      | undefined;
    const [options = {}] = rest.filter((each) => typeof each === 'object');
    const sent = guard(this, (error?: Error) => {
      this.#noteUnread();
      callback?.(error);
    });
    super.send(data, options as object, sent);
    this.#noteUnread();
  }

  /** Whether the client has read enough to be sent more. */
  get hasRoom(): boolean {
    return this.bufferedAmount <= roomBytes;
  }

  /** Resolves when there is room or the socket is closing. */
  async room(): Promise<void> {
    while (this.readyState === WebSocket.OPEN && !this.hasRoom) {
      this.#roomMade ??= newPromise();
      await this.#roomMade.promise;
    }
  }

  /** Sends bytes unchanged, which need not be frames. */
  sendRaw(bytes: Uint8Array): void {
    this.#stream.write(
      bytes,
      guard(this, () => this.#noteUnread()),
    );
    this.#noteUnread();
  }

  /** Ends the connection after pending writes, and reads nothing more. */
  finish(): void {
    this.#stream.removeAllListeners('data');
    this.#stream.resume();
    closeConnection(this.#stream as Socket);
  }

  /** After a protocol fault, the reason describes it. */
  override close(code?: number, reason?: string | Buffer): void {
    const wasOpen = this.readyState === WebSocket.OPEN;
    super.close(code, reason === undefined && code !== undefined ? this.#fault : reason);
    if (!wasOpen) return;
    this.#resolveRoom();
    // Handlers that wait before they send can stop.
    this.emit('closing');
  }

  /** The connection. */
  get socket(): unknown {
    return (this.#stream as { readonly socket?: unknown }).socket ?? this.#stream;
  }

  onTooSlow(): void {
    this.close(1008, 'The message arrived slower than 1 KiB a second.');
  }

  /** Returns whether the client has left. A stream that is not read does not notice a reset. */
  #isGone(): boolean {
    if (!this.#stream.destroyed && hasPeerReset(this.#stream)) this.#stream.destroy();
    return this.#stream.destroyed;
  }

  #watchStream(): void {
    const stream = this.#stream as Duplex & Partial<Pick<Socket, 'setKeepAlive' | 'setTimeout'>>;
    // After the listener of `ws`, which has then read the frames.
    const countChunk = (chunk: Buffer): void => {
      this.arrivedBytes += chunk.length;
      this.#account();
    };
    stream.on('data', guard(this, countChunk));
    stream.setKeepAlive?.(true, probeAfterMs);
    stream.removeAllListeners('timeout');
    const endSilent = guard(this, () => this.close(1000, 'Nothing was sent for an hour.'));
    stream.setTimeout?.(idleMs, endSilent);
  }

  #receive(data: Buffer, isBinary: boolean): void {
    const message = { data, isBinary, fragments: this.#fragments, longLengths: this.#longLengths };
    this.#fragments = [];
    this.#longLengths = 0;
    if (this.#isHandling) {
      this.#waiting.push(message);
      this.#waitingBytes += data.length + waitingMessageBytes;
    } else this.#handleNext(message);
    this.#account();
  }

  #handleNext(message: Message): void {
    const handled = this.#try(() => this.#handle(message));
    if (handled === undefined) return;
    this.#isHandling = true;
    this.#handledBytes = message.data.length;
    this.pause();
    const goOn = guard(this, async () => {
      if (this.#waiting.length > 0) await turns.whenFree();
      this.#isHandling = false;
      this.#handledBytes = 0;
      this.#handleWaiting();
      this.#account();
    });
    handled.then(goOn);
  }

  #handleWaiting(): void {
    while (!this.#isHandling) {
      const next = this.readyState === WebSocket.OPEN ? this.#waiting.shift() : undefined;
      if (next === undefined) {
        this.#waiting.length = 0;
        this.#waitingBytes = 0;
        this.resume();
        return;
      }
      this.#waitingBytes -= next.data.length + waitingMessageBytes;
      this.#handleNext(next);
    }
  }

  /** Calls a handler, and resolves when it has finished. An error is reported, and closes the socket. */
  #try(act: () => void | Promise<void>): Promise<void> | undefined {
    const fail = (error: unknown): void => {
      this.#report(error);
      this.close(1011, 'Something failed on our side.');
    };
    try {
      return act()?.catch(fail);
    } catch (error) {
      fail(error);
      return undefined;
    }
  }

  /** Counts the bytes of messages that have not been handled. */
  #account(): void {
    if (this.readyState === WebSocket.CLOSED) return;
    const arriving =
      Math.ceil(costOfByte * this.arrivingBytes) +
      pieceBytes * this.arrivingPieces +
      numberBytes * this.#fragments.length;
    this.#watchPace(arriving > 0 && !this.#isHandling);
    const more = arriving + this.#waitingBytes + this.#handledBytes - this.#reservedBytes;
    if (this.#bodies.reserve(more)) {
      this.#reservedBytes += more;
      return;
    }
    this.close(1013, 'The service has reached its limit of message bytes. Try again in a moment.');
    this.terminate();
  }

  #watchPace(isArriving: boolean): void {
    if (isArriving === this.#isWatched) return;
    this.#isWatched = isArriving;
    if (isArriving) this.#bodies.watch(this);
    else this.#bodies.arrived(this);
  }

  /** Counts unread bytes, and resumes senders that wait for room. */
  #noteUnread(): void {
    if (this.hasRoom || this.readyState !== WebSocket.OPEN) this.#resolveRoom();
    const uncompressed = Math.max(0, this.bufferedAmount - this.#stream.writableLength);
    this.#unsent?.note(this.#stream as never, uncompressed);
  }

  #resolveRoom(): void {
    this.#roomMade?.resolve();
    this.#roomMade = undefined;
  }

  #release(): void {
    this.#resolveRoom();
    this.#watchPace(false);
    this.#bodies.release(this.#reservedBytes);
    this.#reservedBytes = 0;
    this.#waiting.length = 0;
  }
}

function lengthOf(data: unknown): number {
  if (typeof data === 'string') return Buffer.byteLength(data);
  return (data as { readonly byteLength?: number }).byteLength ?? 0;
}

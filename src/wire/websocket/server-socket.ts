/**
 * One WebSocket of this service: `ws` does the frames, and here is what it leaves open. What arrives counts its
 * bytes among those of all bodies, what waits to be taken among the unsent ones, messages are handled one after
 * the other, and a client that broke the protocol is told in words what was wrong.
 */

import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import { newPromise } from '../../base/new-promise.js';
import { turns } from '../../base/work-in-turns.js';
import type { ArrivingBody, BodiesInFlight } from '../budgets/bodies-in-flight.js';
import { type UnsentBytes, unsentBytesOn } from '../budgets/unsent-bytes.js';
import { closeConnection } from '../end-connection.js';
import { isGone } from '../is-gone.js';
import type { AgreedCompression } from './agree-on-compression.js';
import { checkFrameLength, type LengthReceiver } from './check-frame-length.js';
import { describeFault } from './describe-frame-fault.js';
import { FragmentSizes } from './fragment-sizes.js';
import { mergeTail } from './merge-tail.js';
import { type FrameReceiver, forgetUnread, readInTurns } from './read-in-turns.js';
import { maxMessageBytes, type SocketOptions } from './web-sockets.js';

export { agreeOnCompression } from './agree-on-compression.js';

/** Whoever leaves more than this untaken is sent nothing more until it has taken some. */
const roomBytes = 64 * 1024;

/** Whoever leaves more than this untaken is cut; what waits for room never does. */
const maxUntakenBytes = 4 * 1024 * 1024;

/** How long a client may take to answer a close frame. */
const closeTimeoutMs = 3_000;

/** Without a byte from the client for so long, the socket is closed. */
const idleMs = 60 * 60 * 1000;

/** How soon the kernel asks whether a silent client is still there. */
const probeAfterMs = 60_000;

/** After so many bytes the clock is looked at: the system hands over megabytes of one connection at a time. */
const bytesBetweenLooks = 32 * 1024;
/** Of all sockets, as they share one event loop. */
let bytesSinceLook = 0;

/** What comes of a connection before it is heard that no more is wanted. */
const bytesReadAtOnce = 64 * 1024;

/** Pieces are put together to frames, and these to messages: what they were before waits for the collector. */
const costOfByte = 1.5;

/** What a message costs beside its bytes while it waits for its turn. */
const waitingMessageBytes = 128;

export interface Message {
  readonly data: Buffer;
  readonly isBinary: boolean;
  /** How its bytes were cut into fragments. */
  readonly fragments: FragmentSizes;
}

export type Use = (socket: ServerSocket) => void | Promise<void>;
type Handle = (message: Message) => void | Promise<void>;

interface ServerSocketOptions extends SocketOptions {
  readonly compression: AgreedCompression | undefined;
  readonly bodies: BodiesInFlight;
}

/** What `ws` keeps to itself, of version 8. */
interface Inside {
  _protocol: string;
  _extensions: object;
  _receiver: Receiver;
  _sender: { readonly _bufferedBytes: number };
  setSocket(stream: Duplex, head: Buffer, options: object): void;
}

interface Receiver extends LengthReceiver, FrameReceiver {
  _buffers: Buffer[];
  _bufferedBytes: number;
  _fragments: Buffer[];
  readonly _messageLength: number;
  readonly _fin: boolean;
  _write(chunk: Buffer, encoding: string, callback: (error?: Error) => void): void;
  dataMessage(callback: (error?: Error) => void): void;
  prependListener(event: 'error', listen: (error: Error) => void): void;
}

export class ServerSocket extends WebSocket implements ArrivingBody {
  arrivedBytes = 0;
  readonly maxMessageBytes: number;
  readonly #stream: Duplex;
  readonly #bodies: BodiesInFlight;
  readonly #unsent: UnsentBytes | undefined;
  readonly #inside: Inside;
  #fault: string | undefined;
  #handle: Handle = () => {};
  #report: (error: unknown) => void = () => {};
  #sizes = new FragmentSizes();
  #fragmentedBytes = 0;
  #unreadBytes = 0;
  readonly #waiting: Message[] = [];
  #waitingBytes = 0;
  #isHandling = false;
  /** Of the message that is being handled, where that takes a while. */
  #handledBytes = 0;
  #reservedBytes = 0;
  #isWatched = false;
  #roomMade: ReturnType<typeof newPromise> | undefined;

  constructor(stream: Duplex, options: ServerSocketOptions) {
    const limit = options.maxMessageBytes ?? maxMessageBytes;
    // @ts-expect-error See above.
    super(null, undefined, {
      autoPong: !options.isSilent,
      maxPendingAutoPongs: 60,
      closeTimeout: closeTimeoutMs,
    });
    this.maxMessageBytes = limit;
    this.#stream = stream;
    this.#bodies = options.bodies;
    this.#unsent = unsentBytesOn(stream);
    const inside = this as unknown as Inside;
    this.#inside = inside;
    inside._protocol = options.protocol ?? '';
    if (options.compression !== undefined) inside._extensions = options.compression.extensions;
    // Whoever uses the socket may not look at errors; what was wrong goes to the client.
    this.on('error', () => {});
    this.on('message', (data: Buffer, isBinary: boolean) => this.#arrived(data, isBinary));
    this.on('close', () => this.#letGo());
    inside.setSocket(stream, Buffer.alloc(0), {
      allowSynchronousEvents: true,
      maxPayload: limit,
      // One for each byte and as many empty ones: what they hold is merged, and counted.
      maxFragments: 2 * maxMessageBytes,
      maxBufferedChunks: 0,
    });
    this.#watchReceiver(inside._receiver);
    this.#watchStream();
  }

  /** Hands the socket to whoever uses it. */
  begin(use: Use, report: (error: unknown) => void): void {
    this.#report = report;
    this.#try(() => use(this));
  }

  /** Has each message handled when the one before is, and reads no further meanwhile. */
  eachMessage(handle: Handle): void {
    this.#handle = handle;
  }

  /** Sends, and cuts who has left too much untaken or for whom there is no room. */
  override send(data: Parameters<WebSocket['send']>[0], ...rest: readonly unknown[]): void {
    const bytes = lengthOf(data);
    const isRoomLeft = bytes <= roomBytes || (this.#unsent?.hasRoomFor(bytes) ?? true);
    if (!isRoomLeft || this.bufferedAmount > maxUntakenBytes) {
      this.terminate();
      return;
    }
    const callback = rest.find((each) => typeof each === 'function') as
      | ((error?: Error) => void)
      | undefined;
    const [options = {}] = rest.filter((each) => typeof each === 'object');
    super.send(data, options as object, (error) => {
      this.#note();
      callback?.(error);
    });
    this.#note();
  }

  /** Whether the client has taken enough to be sent more. */
  get hasRoom(): boolean {
    return this.bufferedAmount <= roomBytes;
  }

  /** Resolves when there is room, or the socket is closing; at once when that is so already. */
  async room(): Promise<void> {
    while (this.readyState === WebSocket.OPEN && !this.hasRoom) {
      this.#roomMade ??= newPromise();
      await this.#roomMade.promise;
    }
  }

  /** Sends bytes as they are, which need not be frames. */
  sendRaw(bytes: Uint8Array): void {
    this.#stream.write(bytes, () => this.#note());
    this.#note();
  }

  /** Ends the connection once what was sent is out, and reads nothing more. */
  finish(): void {
    this.#stream.removeAllListeners('data');
    this.#stream.resume();
    closeConnection(this.#stream as Socket);
  }

  /** Of a fault of the protocol the reason is what was wrong. */
  override close(code?: number, reason?: string | Buffer): void {
    const wasOpen = this.readyState === WebSocket.OPEN;
    super.close(code, reason === undefined && code !== undefined ? this.#fault : reason);
    if (!wasOpen) return;
    this.#makeRoom();
    // Whoever waits to send more need not.
    this.emit('closing');
  }

  onTooSlow(): void {
    this.close(1008, 'The message came slower than 1 KiB a second.');
  }

  #watchReceiver(receiver: Receiver): void {
    checkFrameLength(receiver);
    readInTurns(receiver, () => this.#isLeft());
    this.#stream.once('close', () => forgetUnread(receiver));
    const { _write: write, dataMessage: endFragment } = receiver;
    receiver.prependListener('error', (error) => {
      this.#fault = describeFault(error, this.maxMessageBytes);
    });
    receiver._write = (chunk, encoding, callback) => {
      const read = (): void => {
        if (this.#stream.destroyed) {
          callback();
          return;
        }
        this.arrivedBytes += chunk.length;
        write.call(receiver, chunk, encoding, (error) => {
          callback(error);
          this.#account();
        });
        mergeTail(receiver._buffers);
        this.#account();
      };
      // Nothing more is taken from the connection meanwhile.
      bytesSinceLook += chunk.length;
      const isLookDue = bytesSinceLook >= bytesBetweenLooks;
      if (isLookDue) bytesSinceLook = 0;
      if (!isLookDue || turns.hasTime()) {
        read();
        return;
      }
      this.#unreadBytes = bytesReadAtOnce;
      this.#account();
      turns.add({
        takeTurn: () => {
          this.#unreadBytes = 0;
          read();
        },
      });
    };
    receiver.dataMessage = (callback) => {
      this.#sizes.add(receiver._messageLength - this.#fragmentedBytes);
      this.#fragmentedBytes = receiver._messageLength;
      mergeTail(receiver._fragments);
      endFragment.call(receiver, callback);
      if (receiver._fin) this.#beginMessage();
    };
  }

  /** Whether the client has reset its connection, which ends it here. */
  #isLeft(): boolean {
    if (!this.#stream.destroyed && isGone(this.#stream as Socket)) this.#stream.destroy();
    return this.#stream.destroyed;
  }

  #beginMessage(): void {
    this.#fragmentedBytes = 0;
    this.#sizes = new FragmentSizes();
  }

  #watchStream(): void {
    const stream = this.#stream as Duplex & {
      setKeepAlive?(isOn: boolean, afterMs: number): void;
      setTimeout?(ms: number, listen: () => void): void;
    };
    stream.setKeepAlive?.(true, probeAfterMs);
    stream.removeAllListeners('timeout');
    stream.setTimeout?.(idleMs, () => this.close(1000, 'Nothing was sent for an hour.'));
  }

  #arrived(data: Buffer, isBinary: boolean): void {
    const message = { data, isBinary, fragments: this.#sizes };
    if (!this.#isHandling) {
      this.#handleNext(message);
      return;
    }
    this.#waiting.push(message);
    this.#waitingBytes += data.length + waitingMessageBytes;
    this.#account();
  }

  #handleNext(message: Message): void {
    const handled = this.#try(() => this.#handle(message));
    if (handled === undefined) return;
    this.#isHandling = true;
    this.#handledBytes = message.data.length;
    this.#account();
    this.pause();
    handled.then(async () => {
      if (this.#waiting.length > 0) await turns.whenFree();
      this.#isHandling = false;
      this.#handledBytes = 0;
      this.#handleWaiting();
    });
  }

  #handleWaiting(): void {
    while (!this.#isHandling) {
      const next = this.readyState === WebSocket.OPEN ? this.#waiting.shift() : undefined;
      if (next === undefined) {
        this.#waiting.length = 0;
        this.#waitingBytes = 0;
        this.#account();
        this.resume();
        return;
      }
      this.#waitingBytes -= next.data.length + waitingMessageBytes;
      this.#handleNext(next);
    }
    this.#account();
  }

  /** Does something, and resolves when it is done; what fails is reported and ends the socket. */
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

  /** Counts what is held of messages that are not handled yet. */
  #account(): void {
    if (this.readyState === WebSocket.CLOSED) return;
    const { _bufferedBytes: buffered, _messageLength: fragmented } = this.#inside._receiver;
    const arriving = Math.ceil(costOfByte * (buffered + fragmented)) + this.#sizes.bytes;
    this.#watchPace(arriving > 0 && !this.#isHandling);
    const held = arriving + this.#unreadBytes + this.#waitingBytes + this.#handledBytes;
    const more = held - this.#reservedBytes;
    if (more > 0 && !this.#bodies.reserve(more)) {
      this.close(
        1013,
        'The service holds as many bytes of messages as it may. Try again in a moment.',
      );
      this.terminate();
      return;
    }
    if (more < 0) this.#bodies.release(-more);
    this.#reservedBytes += more;
  }

  #watchPace(isArriving: boolean): void {
    if (isArriving === this.#isWatched) return;
    this.#isWatched = isArriving;
    if (isArriving) this.#bodies.watch(this);
    else this.#bodies.arrived(this);
  }

  /** Counts what the client has yet to take, and lets those go on that wait for it. */
  #note(): void {
    if (this.hasRoom || this.readyState !== WebSocket.OPEN) this.#makeRoom();
    this.#unsent?.note(this.#stream as never, this.#inside._sender._bufferedBytes);
  }

  #makeRoom(): void {
    this.#roomMade?.resolve();
    this.#roomMade = undefined;
  }

  #letGo(): void {
    this.#makeRoom();
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

/**
 * A WebSocket of `ws` on the server side of any stream, with hooks for its receiver.
 *
 * Reason: `ws` creates such sockets only from an upgrade that it handles itself, does not report
 * fragments, arriving bytes, lengths in too many bytes, or why it closes, and accepts a length whose highest bit is set.
 * Without these members of `ws` 8, the constructor throws, no WebSocket opens, and `test/websocket`
 * fails, so the version is pinned.
 */

import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import { guard, type Owner } from '../guard.js';

export interface WatchedOptions {
  readonly protocol?: string | undefined;
  /** Negotiated extensions, by name. */
  readonly extensions?: object | undefined;
  /** Whether pings get no pongs. */
  readonly isSilent?: boolean;
  /** A longer message closes the socket with 1009. */
  readonly maxMessageBytes: number;
}

interface Members {
  _protocol: string;
  _extensions: object;
  readonly _receiver: Receiver;
  setSocket(stream: Duplex, head: Buffer, options: object): void;
}

type Callback = (error?: Error) => void;

interface Receiver {
  readonly _buffers: Buffer[];
  _bufferedBytes: number;
  readonly _fragments: readonly Buffer[];
  readonly _messageLength: number;
  readonly _fin: boolean;
  _state: number;
  readonly _payloadLength: number;
  haveLength(callback: Callback): void;
  getPayloadLength16(callback: Callback): void;
  getPayloadLength64(callback: Callback): void;
  decompress(data: Buffer, callback: Callback): void;
  dataMessage(callback: Callback): void;
  createError(
    kind: ErrorConstructor,
    message: string,
    isPrefixed: boolean,
    closeCode: number,
    code: string,
  ): Error;
  prependListener(event: 'error', listen: (error: Error) => void): void;
}

/** Called before `ws` acts on the same events. */
export interface Hooks {
  /** The payload of a fragment has arrived, inflated. */
  fragment(bytes: number, isLast: boolean): void;
  fault(error: Error): void;
  /** The length of a frame is written in more bytes than needed. */
  longLength(): void;
  /** Returns whether the client has left; its remaining messages are then dropped. */
  isGone(): boolean;
}

/** State of a receiver that waits for a frame. */
const atFrame = 0;

const lengthBytes = 8;
const highestBit = 0x80;

export abstract class WatchedWebSocket extends WebSocket implements Owner {
  /** Ends the socket without a close frame. */
  destroy(): void {
    this.terminate();
  }

  constructor(stream: Duplex, options: WatchedOptions, closeTimeoutMs: number) {
    // @ts-expect-error The types declare only the constructor of clients.
    super(null, undefined, {
      autoPong: !options.isSilent,
      maxPendingAutoPongs: 60,
      closeTimeout: closeTimeoutMs,
    });
    const members = this.#members;
    members._protocol = options.protocol ?? '';
    if (options.extensions !== undefined) members._extensions = options.extensions;
    members.setSocket(stream, Buffer.alloc(0), {
      allowSynchronousEvents: true,
      maxPayload: options.maxMessageBytes,
      // One for each byte, and as many empty ones.
      maxFragments: 2 * options.maxMessageBytes,
      maxBufferedChunks: 0,
    });
  }

  /** Bytes of frames and fragments of incomplete messages. */
  get arrivingBytes(): number {
    const { _bufferedBytes, _messageLength } = this.#members._receiver;
    return _bufferedBytes + _messageLength;
  }

  /** Number of buffers of these bytes. */
  get arrivingPieces(): number {
    const { _buffers, _fragments } = this.#members._receiver;
    return _buffers.length + _fragments.length;
  }

  protected watch({ fragment, fault, longLength, isGone }: Hooks): void {
    const { _receiver: receiver } = this.#members;
    receiver.prependListener('error', guard(this, fault));
    rejectHighestBit(receiver);
    watchLengths(receiver, longLength);
    const { dataMessage, decompress } = receiver;
    let bytesBefore = 0;
    receiver.dataMessage = (callback) => {
      fragment(receiver._messageLength - bytesBefore, receiver._fin);
      bytesBefore = receiver._fin ? 0 : receiver._messageLength;
      dataMessage.call(receiver, callback);
    };
    receiver.decompress = (data, callback) => {
      if (!isGone()) {
        decompress.call(receiver, data, callback);
        return;
      }
      // Inflating the messages of a client that has left could need hours. The calling loop finds
      // no further bytes.
      receiver._buffers.length = 0;
      receiver._bufferedBytes = 0;
      receiver._state = atFrame;
    };
  }

  get #members(): Members {
    return this as unknown as Members;
  }
}

/**
 * Rejects a length of 64 bits whose highest bit is set (RFC 6455 section 5.2); `ws` closes with
 * 1009 instead of 1002.
 */
function rejectHighestBit(receiver: Receiver): void {
  const { getPayloadLength64 } = receiver;
  receiver.getPayloadLength64 = (callback) => {
    const hasLength = receiver._bufferedBytes >= lengthBytes;
    if (hasLength && (receiver._buffers[0]?.[0] ?? 0) >= highestBit) {
      const fault = 'the highest bit of a length is set';
      callback(receiver.createError(RangeError, fault, true, 1002, 'LENGTH_OF_64_BITS'));
      return;
    }
    getPayloadLength64.call(receiver, callback);
  };
}

/** RFC 6455 section 5.2 requires the shortest form of a length; `ws` accepts every form. */
function watchLengths(receiver: Receiver, longLength: () => void): void {
  let least = 0;
  const { haveLength, getPayloadLength16, getPayloadLength64 } = receiver;
  const reading = (leastLength: number, read: (callback: Callback) => void) => {
    return (callback: Callback): void => {
      least = leastLength;
      read.call(receiver, callback);
      least = 0;
    };
  };
  receiver.getPayloadLength16 = reading(126, getPayloadLength16);
  receiver.getPayloadLength64 = reading(65_536, getPayloadLength64);
  receiver.haveLength = (callback) => {
    if (receiver._payloadLength < least) longLength();
    haveLength.call(receiver, callback);
  };
}

/** A connection of the lab: raw frames of HTTP/2 in both directions, within limits. */

import type { Socket } from 'node:net';
import { guard, noteUnsent } from '#kit/connection.js';
import {
  data,
  defaultWindow,
  type ErrorCode,
  endData,
  type Frame,
  FrameReader,
  flags,
  frameHeaderBytes,
  goaway,
  maxWindow,
  ping,
  rstStream,
  type Settings,
  settingIds,
  settings,
  settingsAck,
  types,
} from '../frames/frames.js';
import { type Field, HpackDecoder } from '../frames/hpack.js';

/** Limits of a connection. */
export const maxStreams = 64;
export const maxConnectionBytes = 1024 * 1024;
export const maxConnectionMs = 60_000;
const maxBlockBytes = 64 * 1024;

/** A client may wait for the SETTINGS before it sends a request. */
const prefaceMs = 400;

/** Time in which a client can read the last frames. */
const endMs = 1000;

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

const onlyHttp2 = 'This port supports only HTTP/2, by prior knowledge or over TLS.\n';
const http1Rejection = [
  'HTTP/1.1 400 Bad Request',
  'Content-Type: text/plain',
  `Content-Length: ${onlyHttp2.length}`,
  'Connection: close',
  '',
  onlyHttp2,
].join('\r\n');

export interface LabRequest {
  readonly stream: number;
  readonly fields: readonly Field[];
}

/** Records the acts of the client so far. */
export class Seen {
  readonly settings: Settings = {};
  readonly requests: LabRequest[] = [];
  /** The code of each reset stream. */
  readonly resets = new Map<number, number>();
  /** Streams whose requests are whole. */
  readonly ended = new Set<number>();
  /** Octets of DATA by stream; 0 is the connection. */
  readonly received = new Map<number, number>([[0, 0]]);
  readonly pongs: string[] = [];
  settingsAcks = 0;
  pings = 0;
  goaway: number | undefined;
  /** A field block that breaks HPACK. */
  blockFault: string | undefined;
  isOverWindow = false;
  isClosed = false;
}

interface Waiter {
  readonly isDue: () => boolean;
  readonly end: (isDue: boolean) => void;
}

export class LabConnection {
  readonly socket: Socket;
  readonly seen = new Seen();
  readonly #onRequest: (request: LabRequest) => Promise<void>;
  readonly #frames = new FrameReader();
  readonly #decoder = new HpackDecoder(maxBlockBytes);
  readonly #waiters = new Set<Waiter>();
  /** Windows for DATA of the client; 0 is the connection. */
  readonly #windows = new Map<number, number>([[0, defaultWindow]]);
  /** Windows for DATA of the lab, as the client opens them. */
  readonly #credit = new Map<number, number>([[0, defaultWindow]]);
  #block: (Pick<Frame, 'stream' | 'flags'> & { readonly parts: Buffer[] }) | undefined;
  #blockBytes = 0;
  #beginning: Buffer | undefined = Buffer.alloc(0);
  #bytes = 0;
  #lastStream = 0;
  #unacknowledged = 0;
  /** Values of INITIAL_WINDOW_SIZE that the client has not acknowledged. */
  readonly #sentSettings: (number | undefined)[] = [];
  #initialWindow = defaultWindow;
  #nextTable: number | undefined;
  isBegun = false;
  withholds: 'settings' | 'ping' | undefined;

  constructor(socket: Socket, onRequest: (request: LabRequest) => Promise<void>) {
    this.socket = socket;
    this.#onRequest = onRequest;
    const life = setTimeout(
      guard(socket, () => this.end('ENHANCE_YOUR_CALM')),
      maxConnectionMs,
    );
    socket.on(
      'data',
      guard(socket, (chunk: Buffer) => this.#receive(chunk)),
    );
    socket.once(
      'close',
      guard(socket, () => {
        clearTimeout(life);
        this.seen.isClosed = true;
        this.#wake();
      }),
    );
    socket.once(
      'end',
      guard(socket, () => this.socket.end()),
    );
  }

  get lastStream(): number {
    return this.#lastStream;
  }

  /** Sends bytes, unless the connection has had too many. */
  write(bytes: Buffer): void {
    if (this.socket.writableEnded) return;
    this.#bytes += bytes.length;
    if (this.#bytes > maxConnectionBytes) this.end('ENHANCE_YOUR_CALM');
    else this.socket.write(bytes);
    noteUnsent(this.socket);
  }

  /** Sends the SETTINGS of the server, which permit further acknowledgements. */
  begin(first = settings({ maxConcurrentStreams: maxStreams })): void {
    if (this.isBegun) return;
    this.isBegun = true;
    this.note(first);
    this.write(first);
    this.acknowledge();
  }

  /** Acknowledges the settings that wait for it. */
  acknowledge(): void {
    for (; this.#unacknowledged > 0 && this.withholds !== 'settings'; this.#unacknowledged--) {
      this.write(settingsAck);
    }
  }

  /** Notes right frames of the server that change windows or limits. */
  note(bytes: Buffer): void {
    for (const each of new FrameReader().read(bytes) ?? []) {
      if (each.type === types.settings && (each.flags & flags.ack) === 0) {
        this.#sentSettings.push(valueIn(each.payload, settingIds.initialWindowSize));
        const table = valueIn(each.payload, settingIds.headerTableSize);
        if (table !== undefined) this.#nextTable = table;
      } else if (each.type === types.windowUpdate && each.payload.length === 4) {
        const window = this.#windows.get(each.stream) ?? this.#initialWindow;
        this.#windows.set(each.stream, window + (each.payload.readUInt32BE() & maxWindow));
      }
    }
  }

  /** Resolves with whether the condition became true before the time was over or the connection ended. */
  until(isDue: () => boolean, ms: number): Promise<boolean> {
    if (isDue() || this.seen.isClosed) return Promise.resolve(isDue());
    return new Promise((resolve) => {
      const waiter: Waiter = {
        isDue,
        end: (value) => {
          clearTimeout(timer);
          this.#waiters.delete(waiter);
          resolve(value);
        },
      };
      const timer = setTimeout(
        guard(this.socket, () => waiter.end(isDue())),
        ms,
      );
      this.#waiters.add(waiter);
    });
  }

  /** Returns how much DATA of the lab a stream may have now. */
  roomOf(stream: number): number {
    return Math.min(this.#creditOf(stream), this.#creditOf(0));
  }

  sendData(stream: number, bytes: Buffer, isLast: boolean): void {
    for (const of of [0, stream]) this.#credit.set(of, this.#creditOf(of) - bytes.length);
    this.write(isLast ? endData(stream, bytes) : data(stream, bytes));
  }

  #creditOf(stream: number): number {
    return this.#credit.get(stream) ?? this.seen.settings.initialWindowSize ?? defaultWindow;
  }

  /** Ends the connection with GOAWAY. */
  end(code: ErrorCode): void {
    if (this.socket.writableEnded) return;
    const first = this.isBegun ? [] : [settings()];
    this.socket.end(Buffer.concat([...first, goaway(this.#lastStream, code)]));
    // A client that does not end its side keeps nothing.
    setTimeout(
      guard(this.socket, () => this.socket.destroy()),
      endMs,
    ).unref();
  }

  #wake(): void {
    for (const waiter of this.#waiters) {
      const isDue = waiter.isDue();
      if (isDue || this.seen.isClosed) waiter.end(isDue);
    }
  }

  #receive(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > maxConnectionBytes) this.end('ENHANCE_YOUR_CALM');
    if (this.socket.writableEnded) return;
    const bytes = this.#beginning === undefined ? chunk : this.#readPreface(chunk);
    if (bytes === undefined) return;
    const frames = this.#frames.read(bytes);
    if (frames === undefined) {
      this.end('FRAME_SIZE_ERROR');
      return;
    }
    for (const each of frames) this.#handle(each);
    this.#wake();
  }

  /** Returns the bytes after the preface of the client; `undefined` if there is none yet. */
  #readPreface(chunk: Buffer): Buffer | undefined {
    const seen = Buffer.concat([this.#beginning ?? Buffer.alloc(0), chunk]);
    const length = Math.min(seen.length, preface.length);
    if (seen.compare(preface, 0, length, 0, length) !== 0) {
      this.socket.end(http1Rejection);
      this.#beginning = Buffer.alloc(0);
      return undefined;
    }
    this.#beginning = seen;
    if (length < preface.length) return undefined;
    this.#beginning = undefined;
    setTimeout(
      guard(this.socket, () => {
        if (this.seen.requests.length === 0) this.begin();
      }),
      prefaceMs,
    );
    return seen.subarray(length);
  }

  #handle(each: Frame): void {
    const { type, stream, payload } = each;
    const isAck = (each.flags & flags.ack) !== 0;
    if (this.#block !== undefined && type !== types.continuation) this.end('PROTOCOL_ERROR');
    else if (type === types.settings && isAck) this.#applySettings();
    else if (type === types.settings) this.#readSettings(payload);
    else if (type === types.ping) this.#readPing(payload, isAck);
    else if (type === types.headers || type === types.continuation) this.#readBlock(each);
    else if (type === types.data) this.#readData(each);
    else if (type === types.rstStream && payload.length === 4) {
      this.seen.resets.set(stream, payload.readUInt32BE());
    } else if (type === types.goaway && payload.length >= 8) {
      this.seen.goaway = payload.readUInt32BE(4);
    } else if (type === types.windowUpdate && payload.length === 4) {
      this.#credit.set(stream, this.#creditOf(stream) + payload.readUInt32BE());
    }
  }

  #readSettings(payload: Buffer): void {
    for (const [name, id] of Object.entries(settingIds)) {
      const value = valueIn(payload, id);
      if (value !== undefined) this.seen.settings[name as keyof Settings] = value;
    }
    this.#unacknowledged++;
    if (this.isBegun) this.acknowledge();
  }

  /** The client has applied the oldest settings: only now they bind it. */
  #applySettings(): void {
    this.seen.settingsAcks++;
    const window = this.#sentSettings.shift();
    if (this.#nextTable !== undefined && this.#sentSettings.length === 0) {
      this.#decoder.limit = this.#nextTable;
    }
    if (window === undefined) return;
    for (const [stream, size] of this.#windows) {
      if (stream > 0) this.#windows.set(stream, size + window - this.#initialWindow);
    }
    this.#initialWindow = window;
  }

  #readPing(payload: Buffer, isAck: boolean): void {
    if (isAck) this.seen.pongs.push(payload.toString('latin1'));
    else {
      this.seen.pings++;
      if (this.isBegun && this.withholds !== 'ping') {
        this.write(ping(payload.toString('latin1'), flags.ack));
      }
    }
  }

  #readData({ stream, payload, flags: bits }: Frame): void {
    for (const of of [0, stream]) {
      const received = (this.seen.received.get(of) ?? 0) + payload.length;
      this.seen.received.set(of, received);
      const window = this.#windows.get(of) ?? this.#initialWindow;
      if (payload.length > 0 && received > window) this.seen.isOverWindow = true;
    }
    if (bits & flags.endStream) this.seen.ended.add(stream);
  }

  #readBlock({ type, stream, payload, flags: bits }: Frame): void {
    const isFirst = type === types.headers;
    if (!isFirst && this.#block?.stream !== stream) {
      this.end('PROTOCOL_ERROR');
      return;
    }
    if (isFirst) this.#blockBytes = 0;
    this.#block ??= { stream, parts: [], flags: bits };
    this.#block.parts.push(isFirst ? fragmentOf(payload, bits) : payload);
    // Empty frames also cost something.
    this.#blockBytes += payload.length + frameHeaderBytes;
    if (this.#blockBytes > maxBlockBytes) this.end('ENHANCE_YOUR_CALM');
    else if (bits & flags.endHeaders) this.#openStream(Buffer.concat(this.#block.parts));
  }

  #openStream(bytes: Buffer): void {
    const { stream = 0, flags: bits = 0 } = this.#block ?? {};
    this.#block = undefined;
    try {
      const fields = this.#decoder.decode(bytes);
      if (bits & flags.endStream) this.seen.ended.add(stream);
      if (stream <= this.#lastStream) return;
      this.#lastStream = stream;
      this.#windows.set(stream, this.#initialWindow);
      if (this.seen.requests.length >= maxStreams) {
        this.write(rstStream(stream, 'REFUSED_STREAM'));
        return;
      }
      const request = { stream, fields };
      this.seen.requests.push(request);
      guard(this.socket, this.#onRequest)(request);
    } catch (error) {
      this.seen.blockFault = (error as Error).message;
      this.#wake();
      this.end('COMPRESSION_ERROR');
    }
  }
}

/** Returns the last value of a setting. */
function valueIn(payload: Buffer, id: number): number | undefined {
  let value: number | undefined;
  for (let at = 0; at + 6 <= payload.length; at += 6) {
    if (payload.readUInt16BE(at) === id) value = payload.readUInt32BE(at + 2);
  }
  return value;
}

/** Removes padding and priority. */
function fragmentOf(payload: Buffer, bits: number): Buffer {
  const isPadded = (bits & flags.padded) !== 0;
  const padding = isPadded ? (payload[0] ?? 0) : 0;
  const start = (isPadded ? 1 : 0) + (bits & flags.priority ? 5 : 0);
  return payload.subarray(start, payload.length - padding);
}

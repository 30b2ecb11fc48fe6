/** Frames of HTTP/2, also wrong ones: RFC 9113 sections 4 and 6. */

import { block, type Field } from './hpack.js';

export const types = {
  data: 0,
  headers: 1,
  priority: 2,
  rstStream: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
  altSvc: 0xa,
  origin: 0xc,
  /** Reserved for no extension. */
  unknown: 0xbb,
} as const;

export const flags = { endStream: 1, ack: 1, endHeaders: 4, padded: 8, priority: 0x20 } as const;

/** RFC 9113 section 7, in the order of the codes. */
export const errorCodes = [
  'NO_ERROR',
  'PROTOCOL_ERROR',
  'INTERNAL_ERROR',
  'FLOW_CONTROL_ERROR',
  'SETTINGS_TIMEOUT',
  'STREAM_CLOSED',
  'FRAME_SIZE_ERROR',
  'REFUSED_STREAM',
  'CANCEL',
  'COMPRESSION_ERROR',
  'CONNECT_ERROR',
  'ENHANCE_YOUR_CALM',
  'INADEQUATE_SECURITY',
  'HTTP_1_1_REQUIRED',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

export const codeOf = (name: ErrorCode): number => errorCodes.indexOf(name);

export const nameOfCode = (code: number): string => errorCodes[code] ?? `0x${code.toString(16)}`;

/** RFC 9113 section 6.5.2. */
export const settingIds = {
  headerTableSize: 1,
  enablePush: 2,
  maxConcurrentStreams: 3,
  initialWindowSize: 4,
  maxFrameSize: 5,
  maxHeaderListSize: 6,
  enableConnectProtocol: 8,
  unknown: 0x4d4d,
} as const;

type SettingName = keyof typeof settingIds;

export type Settings = Partial<Record<SettingName, number>>;

export const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

export const frameHeaderBytes = 9;

/** The default of SETTINGS_MAX_FRAME_SIZE. */
export const maxFrameBytes = 16_384;

/** The default of SETTINGS_INITIAL_WINDOW_SIZE, and of the connection. */
export const defaultWindow = 65_535;

export const maxWindow = 2 ** 31 - 1;

export function frame(
  type: keyof typeof types,
  stream: number,
  payload: Uint8Array | string = '',
  flagBits = 0,
): Buffer {
  const body = Buffer.from(payload as string, 'latin1');
  const head = Buffer.alloc(frameHeaderBytes);
  head.writeUIntBE(body.length, 0, 3);
  head[3] = types[type];
  head[4] = flagBits;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, body]);
}

/** Values in the order of their names. */
export function settings(values: Settings = {}, stream = 0): Buffer {
  const pairs = Object.entries(values).map(([name, value]) => {
    const id = settingIds[name as SettingName];
    return Buffer.concat([Buffer.from([id >> 8, id & 255]), uint32(value)]);
  });
  return frame('settings', stream, Buffer.concat(pairs));
}

export const settingsAck = frame('settings', 0, '', flags.ack);

export const data = (stream: number, payload: Uint8Array | string = '', flagBits = 0) =>
  frame('data', stream, payload, flagBits);

export const endData = (stream: number, payload: Uint8Array | string = '') =>
  data(stream, payload, flags.endStream);

/** A whole field block. */
export const headers = (
  stream: number,
  fields: readonly Field[] | Buffer,
  flagBits: number = flags.endHeaders,
): Buffer => frame('headers', stream, Buffer.isBuffer(fields) ? fields : block(fields), flagBits);

export const continuation = (stream: number, fragment: Uint8Array | string, flagBits = 0) =>
  frame('continuation', stream, fragment, flagBits);

export const rstStream = (stream: number, code: ErrorCode | number) =>
  frame('rstStream', stream, uint32(typeof code === 'number' ? code : codeOf(code)));

export const windowUpdate = (stream: number, increment: number) =>
  frame('windowUpdate', stream, uint32(increment));

export const ping = (payload: string, flagBits = 0) => frame('ping', 0, payload, flagBits);

export const goaway = (last: number, code: ErrorCode | number, debug = '') =>
  frame(
    'goaway',
    0,
    Buffer.concat([
      uint32(last),
      uint32(typeof code === 'number' ? code : codeOf(code)),
      Buffer.from(debug),
    ]),
  );

/** The stream that another one depends on, exclusively or not, and its weight. */
export const dependency = (on: number, weight = 15) =>
  Buffer.concat([uint32(on), Buffer.from([weight])]);

export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

/** Cuts what a client sends into frames. */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0);

  /** Returns the whole frames; `undefined` if a frame is larger than {@link maxFrameBytes}. */
  read(chunk: Buffer): Frame[] | undefined {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const found: Frame[] = [];
    let at = 0;
    while (this.#rest.length - at >= frameHeaderBytes) {
      const length = this.#rest.readUIntBE(at, 3);
      if (length > maxFrameBytes) return undefined;
      const end = at + frameHeaderBytes + length;
      if (end > this.#rest.length) break;
      found.push({
        type: this.#rest[at + 3] ?? 0,
        flags: this.#rest[at + 4] ?? 0,
        stream: this.#rest.readUInt32BE(at + 5) & maxWindow,
        payload: this.#rest.subarray(at + frameHeaderBytes, end),
      });
      at = end;
    }
    this.#rest = this.#rest.subarray(at);
    return found;
  }
}

/** The text forms of metadata: status messages, binary values, timeouts. */

import { trimEndOf } from '#base/text/trim-characters.js';
import { RpcError } from './rpc-error.js';

export type Values = Record<string, string | string[]>;

const mustBeEncoded = /[^\x20-\x24\x26-\x7e]/;

/** Encodes a status message: only bytes outside of visible ASCII, and the percent sign. */
export function encodeMessage(text: string): string {
  if (!mustBeEncoded.test(text)) return text;
  let encoded = '';
  for (const byte of Buffer.from(text)) {
    const isPlain = byte >= 0x20 && byte <= 0x7e && byte !== 0x25;
    encoded += isPlain
      ? String.fromCharCode(byte)
      : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return encoded;
}

export const isBinary = (name: string): boolean => name.endsWith('-bin');

/** Binary values are Base64 without padding. */
export const toBase64 = (bytes: Uint8Array): string =>
  trimEndOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'), '=');

const units: Readonly<Record<string, number>> = {
  H: 3_600_000,
  M: 60_000,
  S: 1000,
  m: 1,
  u: 1e-3,
  n: 1e-6,
};

/** Returns the milliseconds of `grpc-timeout`: at most eight digits, and a unit. */
export function parseTimeout(text: string): number {
  const [, digits, unit = ''] = /^(\d{1,8})([HMSmun])$/.exec(text) ?? [];
  const factor = units[unit];
  if (digits === undefined || factor === undefined) {
    throw new RpcError(
      'INVALID_ARGUMENT',
      'grpc-timeout must be one to eight digits and a unit: H, M, S, m, u or n.',
    );
  }
  return Number(digits) * factor;
}

/** Returns the milliseconds of `connect-timeout-ms`. */
export function parseConnectTimeout(text: string): number {
  if (!/^\d{1,10}$/.test(text)) {
    throw new RpcError('INVALID_ARGUMENT', 'connect-timeout-ms must be one to ten digits.');
  }
  return Number(text);
}

/** Text as bytes in the charsets that clients meet (WHATWG Encoding, RFC 2781). */

import { requireLazily } from '../../../base/require-lazily.js';

const iconv = requireLazily<typeof import('iconv-lite')>('iconv-lite');

export const charsets = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'iso-8859-1',
  'windows-1252',
  'shift_jis',
] as const;
export type Charset = (typeof charsets)[number];

const marks: Partial<Record<Charset, readonly number[]>> = {
  'utf-8': [0xef, 0xbb, 0xbf],
  'utf-16le': [0xff, 0xfe],
  'utf-16be': [0xfe, 0xff],
};

/** Whether there is a byte-order mark in it. */
export function hasMark(charset: Charset): boolean {
  return marks[charset] !== undefined;
}

export function encodeText(text: string, charset: Charset, withMark: boolean): Buffer {
  const bytes = iconv().encode(text, charset, { addBOM: false });
  return withMark ? Buffer.concat([Buffer.from(marks[charset] ?? []), bytes]) : bytes;
}

/** The record that every format contains, and its text in several charsets. */

import { requireLazily } from '#base/require-lazily.js';

const iconv = requireLazily<typeof import('iconv-lite')>('iconv-lite');

const everywhere = 'Grüße, señor: 5 €, “こんにちは”, 😀';

/** Non-ASCII text that the charset can represent, and the bytes of its byte-order mark. */
const facts = {
  'utf-8': { text: everywhere, mark: [0xef, 0xbb, 0xbf] },
  'utf-16le': { text: everywhere, mark: [0xff, 0xfe] },
  'utf-16be': { text: everywhere, mark: [0xfe, 0xff] },
  'iso-8859-1': { text: 'Grüße, señor: ½ ¿', mark: undefined },
  'windows-1252': { text: 'Grüße, señor: 5 €, “quoted”', mark: undefined },
  shift_jis: { text: 'こんにちは、世界 ｱｲｳ', mark: undefined },
} as const;

export type Charset = keyof typeof facts;
export const charsets = Object.keys(facts) as Charset[];

/** Whether the charset has a byte-order mark. */
export function hasMark(charset: Charset): boolean {
  return facts[charset].mark !== undefined;
}

export function encodeText(text: string, charset: Charset, withMark: boolean): Buffer {
  const bytes = iconv().encode(text, charset, { addBOM: false });
  return withMark ? Buffer.concat([Buffer.from(facts[charset].mark ?? []), bytes]) : bytes;
}

export type FormatRecord = ReturnType<typeof recordIn>;

export function recordIn(charset: Charset) {
  return {
    id: 7,
    // Formats must quote or escape these characters.
    title: 'Tea, "green" & <hot>',
    text: facts[charset].text,
    price: 12.5,
    available: true,
    tags: ['drink', 'hot'],
    publishedAt: '2026-01-31T12:00:00Z',
    note: null,
  };
}

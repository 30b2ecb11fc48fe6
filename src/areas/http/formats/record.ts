/** The one record that every format writes, with a text that its charset can hold. */

import type { Charset } from './charsets.js';

export interface FormatRecord {
  readonly id: number;
  readonly title: string;
  /** Other than ASCII wherever the charset is. */
  readonly text: string;
  readonly price: number;
  readonly available: boolean;
  readonly tags: readonly string[];
  readonly publishedAt: string;
  readonly note: null;
}

const everywhere = 'Grüße, señor: 5 €, “こんにちは”, 😀';

const texts: Readonly<Record<Charset, string>> = {
  'utf-8': everywhere,
  'utf-16le': everywhere,
  'utf-16be': everywhere,
  'iso-8859-1': 'Grüße, señor: ½ ¿',
  'windows-1252': 'Grüße, señor: 5 €, “quoted”',
  shift_jis: 'こんにちは、世界 ｱｲｳ',
};

export function recordIn(charset: Charset): FormatRecord {
  return {
    id: 7,
    // What formats have to quote or escape, each in its way.
    title: 'Tea, "green" & <hot>',
    text: texts[charset],
    price: 12.5,
    available: true,
    tags: ['drink', 'hot'],
    publishedAt: '2026-01-31T12:00:00Z',
    note: null,
  };
}

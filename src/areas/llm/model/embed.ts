/** Embeds words: texts that share words have near vectors. */

import { piecesOf } from './tokens.js';

/** Returns the words of a text, or its tokens if it has none. */
export const wordsOf = (text: string): readonly string[] =>
  text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [...piecesOf(text)];

/** Positions of a vector that a word changes. */
const positionsPerWord = 4;

/** A 32-bit float has no more digits. */
const precision = 1e7;

const offset = 0x811c9dc5;
const prime = 0x01000193;

/** Returns a vector of unit length. */
export function embed(words: readonly string[], dimensions: number): readonly number[] {
  const sums: number[] = new Array(dimensions).fill(0);
  for (const word of words) {
    let hash = hashOf(word);
    for (let index = 0; index < positionsPerWord; index++) {
      const position = hash % dimensions;
      sums[position] = (sums[position] ?? 0) + (hash & 0x10000 ? 1 : -1);
      hash = mix(hash + index + 1);
    }
  }
  return toUnitLength(sums);
}

/** Returns the hash of a word (FNV-1a, mixed). */
function hashOf(word: string): number {
  let hash = offset;
  for (let index = 0; index < word.length; index++) {
    hash = Math.imul(hash ^ word.charCodeAt(index), prime);
  }
  return mix(hash);
}

function mix(value: number): number {
  const first = Math.imul(value ^ (value >>> 16), 0x45d9f3b);
  const second = Math.imul(first ^ (first >>> 16), 0x45d9f3b);
  return (second ^ (second >>> 16)) >>> 0;
}

function toUnitLength(sums: readonly number[]): readonly number[] {
  const length = Math.sqrt(sums.reduce((sum, each) => sum + each * each, 0));
  // The signs of few words can cancel each other.
  if (length === 0) return sums.map((_zero, index) => (index === 0 ? 1 : 0));
  return sums.map((each) => Math.round((each / length) * precision) / precision);
}

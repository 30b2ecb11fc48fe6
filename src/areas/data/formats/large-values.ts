/** Values that take a writer long, which are written in pieces so that other requests are served in between. */

import type { FieldValue } from '../source/source.js';

/** Values that one step writes, and characters of text for each. */
const maxWeight = 1000;
const charactersPerValue = 32;

/** A text is cut into pieces of so many characters. */
const maxCharacters = 32 * 1024;

/** Pieces of fewer characters are joined before they are handed on. */
const joinedCharacters = 8 * 1024;

/** Whether a value should be written in several pieces. */
export function isLarge(value: FieldValue): boolean {
  return weigh(value, maxWeight) > maxWeight;
}

/** The number of values in a value, long texts counted as several; no further than a little over `limit`. */
export function weigh(value: FieldValue, limit: number): number {
  if (typeof value === 'string') return 1 + Math.floor(value.length / charactersPerValue);
  if (typeof value !== 'object' || value === null) return 1;
  let weight = 1;
  const inner = Array.isArray(value) ? value : Object.values(value);
  for (const each of inner) {
    if (weight > limit) break;
    weight += weigh(each, limit - weight);
  }
  return weight;
}

/** Puts values together that are light enough for one step. */
export function* inSteps<Value>(
  values: Iterable<Value>,
  contentOf: (value: Value) => FieldValue,
): Generator<readonly Value[]> {
  let step: Value[] = [];
  let weight = 0;
  for (const value of values) {
    const more = weigh(contentOf(value), maxWeight);
    if (step.length > 0 && weight + more > maxWeight) {
      yield step;
      step = [];
      weight = 0;
    }
    step.push(value);
    weight += more;
  }
  if (step.length > 0) yield step;
}

/** Cuts a text into pieces, between characters. */
export function* textPieces(text: string): Generator<string> {
  let start = 0;
  while (start < text.length) {
    let end = Math.min(start + maxCharacters, text.length);
    if (isHighSurrogate(text.charCodeAt(end - 1)) && end < text.length) end++;
    yield text.slice(start, end);
    start = end;
  }
}

function isHighSurrogate(code: number): boolean {
  return (code & 0xfc00) === 0xd800;
}

/** Joins short pieces. */
export function* joinShort(pieces: Iterable<string>): Generator<string> {
  let text = '';
  for (const piece of pieces) {
    text += piece;
    if (text.length < joinedCharacters) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

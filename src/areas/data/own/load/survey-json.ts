/**
 * Scans JSON text before it is parsed, in one pass: whether parsing would cost too much, and which numbers would
 * change. The text may be malformed.
 */

import { isExactNumber } from '#base/text/is-exact-number.js';
import { skipSpace, skipString } from '#http/json/locate-in-json.js';

export interface SurveyLimits {
  /** Levels of objects and arrays. */
  readonly maxDepth: number;
  /** Values of any kind, including objects and arrays. */
  readonly maxValues: number;
  /** Different names of members. Parsing keeps each name in memory permanently. */
  readonly maxNames: number;
  /** Different beginnings of the objects' lists of names: V8 creates a map for each. */
  readonly maxShapes: number;
}

export interface Survey {
  /** The first limit that the text exceeds, and where. */
  readonly excess?: { readonly of: keyof SurveyLimits; readonly offset: number };
  /** Positions of numbers that a double cannot represent; only a few. */
  readonly inexact: readonly number[];
}

const maxInexact = 20;

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/** Names with the same hash count once, and so do beginnings of lists of names. */
export function surveyJson(
  text: string,
  { maxDepth, maxValues, maxNames, maxShapes }: SurveyLimits,
): Survey {
  const seen = new Uint8Array(2 ** 17);
  const seenShapes = new Uint8Array(2 ** 19);
  /** A hash of the names that the object at each level has so far. */
  const shapes = new Int32Array(maxDepth + 2);
  let shapeCount = 0;
  const inexact: number[] = [];
  let names = 0;
  let values = 1;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      const end = skipString(text, at);
      if (text.charCodeAt(skipSpace(text, end)) === colon) {
        const hash = hashOf(text, at, end);
        if (isNew(seen, hash) && ++names > maxNames) {
          return { excess: { of: 'maxNames', offset: at }, inexact };
        }
        const shape = Math.imul((shapes[depth] ?? 0) ^ hash, 0x01000193) ^ hash;
        shapes[depth] = shape;
        if (isNew(seenShapes, (shape ^ (shape >>> 13)) & 0x3fffff) && ++shapeCount > maxShapes) {
          return { excess: { of: 'maxShapes', offset: at }, inexact };
        }
      }
      at = end - 1;
    } else if (code === openBrace || code === openBracket) {
      if (++depth > maxDepth) return { excess: { of: 'maxDepth', offset: at }, inexact };
      shapes[depth] = 0;
      // Counts the first item of an array; each further item follows a comma.
      const next = text.charCodeAt(skipSpace(text, at + 1));
      if (next !== closeBrace && next !== closeBracket) values++;
    } else if (code === comma) {
      if (++values > maxValues) return { excess: { of: 'maxValues', offset: at }, inexact };
    } else if (code === closeBrace || code === closeBracket) depth--;
    else if (isDigit(code)) {
      const end = endOfNumber(text, at);
      if (inexact.length < maxInexact && mayBeInexact(text, at, end)) inexact.push(at);
      at = end - 1;
    }
  }
  return { inexact };
}

/** Returns a number as written, without its sign. */
export function numberAt(text: string, offset: number): string {
  return text.slice(offset, endOfNumber(text, offset));
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Returns the position after digits, a fraction and an exponent. */
function endOfNumber(text: string, offset: number): number {
  let at = offset + 1;
  while (at < text.length && isInNumber(text.charCodeAt(at))) at++;
  return at;
}

function isInNumber(code: number): boolean {
  return (
    isDigit(code) ||
    code === 0x2e ||
    code === 0x45 ||
    code === 0x65 ||
    code === 0x2b ||
    code === 0x2d
  );
}

/** Short numbers without an exponent are always exact. */
function mayBeInexact(text: string, start: number, end: number): boolean {
  if (end - start < 16 && !/[eE]/.test(text.slice(start, end))) return false;
  return !isExactNumber(text.slice(start, end));
}

/** FNV-1a with 32 bits. */
function hashOf(text: string, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> 15)) & 0xfffff;
}

function isNew(seen: Uint8Array, hash: number): boolean {
  const bit = 1 << (hash & 7);
  const byte = seen[hash >>> 3] ?? 0;
  if ((byte & bit) !== 0) return false;
  seen[hash >>> 3] = byte | bit;
  return true;
}

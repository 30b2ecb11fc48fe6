/** Prepares a parsed value to be kept: freezes it, and counts its memory. */

import { textBytes } from './heap-bytes.js';

/** Sizes in the heap of V8, rounded up; see `heap-bytes.ts`, which leaves out the names. */
const arrayBytes = 24;
/** Includes places that V8 reserves for further members. */
const objectBytes = 56;
const slotBytes = 8;
const numberBytes = 24;
const newNameBytes = 60;
/**
 * Objects with the same names in the same order share a map; each new name after other names makes
 * another.
 */
const newShapeBytes = 110;
/** Larger objects share no map: each has a hash table. */
const maxMapNames = 1000;
const hashedMemberBytes = 56;

/** Names and shapes that were seen before: numbers of member names, and ids of name sequences. */
export interface Seen {
  readonly names: Map<string, number>;
  readonly shapes: Set<number>;
}

/**
 * Freezes a value, and counts the names and shapes that are new. Reports the name `__proto__`,
 * which has another meaning in many programs.
 */
export function takeValue(value: unknown, { names: seen, shapes }: Seen) {
  let hasUnsafeName = false;
  const bytesOfNames = (names: readonly string[]) => {
    let bytes = 0;
    let shape = 0;
    for (const name of names) {
      hasUnsafeName ||= name === '__proto__';
      const number = seen.get(name) ?? seen.size;
      if (number === seen.size) bytes += newNameBytes + textBytes(name);
      seen.set(name, number);
      shape = Math.imul(shape ^ (number + 1), 0x01000193) ^ number;
      if (!shapes.has(shape)) bytes += newShapeBytes;
      shapes.add(shape);
    }
    return bytes;
  };
  return { bytes: weigh(value, bytesOfNames, Object.freeze), hasUnsafeName };
}

export function countBytes(value: object, known: ReadonlyMap<string, unknown>): number {
  const own = new Set<string>();
  const bytesOfNames = (names: readonly string[]) => {
    let bytes = 0;
    for (const name of names) {
      if (known.has(name) || own.has(name)) continue;
      own.add(name);
      bytes += newNameBytes + textBytes(name);
    }
    return bytes;
  };
  return weigh(value, bytesOfNames, () => {});
}

function weigh(
  value: unknown,
  bytesOfNames: (names: readonly string[]) => number,
  finish: (each: object) => void,
): number {
  if (typeof value === 'string') return textBytes(value);
  if (typeof value === 'number') return Number.isSafeInteger(value) ? slotBytes : numberBytes;
  if (typeof value !== 'object' || value === null) return 0;
  let bytes = 0;
  if (Array.isArray(value)) {
    bytes += arrayBytes + slotBytes * (2 + value.length);
    for (const each of value) bytes += weigh(each, bytesOfNames, finish);
  } else {
    const names = Object.keys(value);
    bytes += objectBytes + slotBytes * names.length + bytesOfNames(names);
    if (names.length > maxMapNames) bytes += hashedMemberBytes * names.length;
    for (const name of names) {
      bytes += weigh((value as Readonly<Record<string, unknown>>)[name], bytesOfNames, finish);
    }
  }
  finish(value);
  return bytes;
}

/** Takes a parsed value into memory for good: freezes it, and counts what it takes there. */

import { textBytes } from '../../../../state/rows/heap-bytes.js';

/** In the heap of V8, each at least what it takes; see `heap-bytes.ts`, which leaves out the names. */
const arrayBytes = 24;
/** With the places that are kept free for members to come. */
const objectBytes = 56;
const slotBytes = 8;
const numberBytes = 24;
const newNameBytes = 60;
/** Objects with the same names in the same order share a map; each name after others makes one. */
const newShapeBytes = 110;
/** Objects of more members share no map: each has a hash table. */
const maxMapNames = 1000;
const hashedMemberBytes = 56;

export interface TakenValue {
  readonly bytes: number;
  /** Whether a member is called `__proto__`, which code that copies objects takes for something else. */
  readonly hasUnsafeName: boolean;
}

/** Names of members, numbered in the order they were seen. */
export type NumberedNames = Map<string, number>;

/** Facts about values that were seen before. */
export interface Seen {
  readonly names: NumberedNames;
  /** Stand for the beginnings of lists of names. */
  readonly shapes: Set<number>;
}

export function nothingSeen(): Seen {
  return { names: new Map(), shapes: new Set() };
}

/** Adds what is new in the value to what was seen. */
export function takeValue(value: unknown, seen: Seen): TakenValue {
  return weigh(value, seen, Object.freeze);
}

function weigh(value: unknown, seen: Seen, finish: (each: object) => unknown): TakenValue {
  let bytes = 0;
  let hasUnsafeName = false;

  function take(each: unknown): void {
    if (typeof each === 'string') bytes += textBytes(each);
    else if (typeof each === 'number')
      bytes += Number.isSafeInteger(each) ? slotBytes : numberBytes;
    if (typeof each !== 'object' || each === null) return;
    if (Array.isArray(each)) {
      bytes += arrayBytes + slotBytes * (2 + each.length);
      for (let index = 0; index < each.length; index++) take(each[index]);
    } else {
      const names = Object.keys(each);
      bytes += objectBytes + (names.length > maxMapNames ? hashedMemberBytes * names.length : 0);
      let shape = 0;
      for (const name of names) {
        if (name === '__proto__') hasUnsafeName = true;
        bytes += slotBytes;
        let number = seen.names.get(name);
        if (number === undefined) {
          number = seen.names.size;
          seen.names.set(name, number);
          bytes += newNameBytes + textBytes(name);
        }
        shape = Math.imul(shape ^ (number + 1), 0x01000193) ^ number;
        if (!seen.shapes.has(shape)) {
          seen.shapes.add(shape);
          bytes += newShapeBytes;
        }
        take((each as Readonly<Record<string, unknown>>)[name]);
      }
    }
    finish(each);
  }

  take(value);
  return { bytes, hasUnsafeName };
}

const leaveAsItIs = () => {};
/** One record makes no more of them than it has names, which are counted. */
const noShapes = { has: () => true } as unknown as Set<number>;

/** What a value takes beside others whose names are known. */
export function countBytes(value: object, names: ReadonlyMap<string, unknown>): number {
  const own = new Map<string, number>();
  const known = {
    get: (name: string) => own.get(name) ?? (names.get(name) as number | undefined),
    set: (name: string, number: number) => own.set(name, number),
    get size() {
      return names.size + own.size;
    },
  } as NumberedNames;
  return weigh(value, { names: known, shapes: noShapes }, leaveAsItIs).bytes;
}

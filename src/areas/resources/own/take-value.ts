/** Takes a parsed value into memory for good: freezes it, and counts what it takes there. */

import { textBytes } from '../../../state/heap-bytes.js';

/** In the heap of V8, each at least what it takes; see `heap-bytes.ts`, which leaves out the names. */
const headerBytes = 24;
const slotBytes = 8;
const numberBytes = 16;
/** A name that no other object has makes a shape of its own. */
const newNameBytes = 160;

export interface TakenValue {
  readonly bytes: number;
  /** How many values there are in it, itself included. */
  readonly values: number;
  /** Whether a member is called `__proto__`, which code that copies objects takes for something else. */
  readonly hasUnsafeName: boolean;
}

/** Those that were seen. */
interface Names {
  has(name: string): boolean;
  add(name: string): unknown;
}

/** `names` are those that were seen before, and get those of this value. */
export function takeValue(value: unknown, names: Names): TakenValue {
  return weigh(value, names, Object.freeze);
}

function weigh(value: unknown, names: Names, finish: (each: object) => unknown): TakenValue {
  let bytes = 0;
  let values = 0;
  let hasUnsafeName = false;

  function take(each: unknown): void {
    values++;
    if (typeof each === 'string') bytes += textBytes(each);
    else if (typeof each === 'number')
      bytes += Number.isSafeInteger(each) ? slotBytes : numberBytes;
    if (typeof each !== 'object' || each === null) return;
    bytes += headerBytes;
    if (Array.isArray(each)) {
      bytes += slotBytes * (2 + each.length);
      for (let index = 0; index < each.length; index++) take(each[index]);
    } else {
      for (const name of Object.keys(each)) {
        if (name === '__proto__') hasUnsafeName = true;
        bytes += slotBytes;
        if (!names.has(name)) {
          names.add(name);
          bytes += newNameBytes + textBytes(name);
        }
        take((each as Readonly<Record<string, unknown>>)[name]);
      }
    }
    finish(each);
  }

  take(value);
  return { bytes, values, hasUnsafeName };
}

const leaveAsItIs = () => {};

/** What a value takes beside others whose names are known. */
export function countBytes(value: object, names: ReadonlySet<string>): number {
  const own = new Set<string>();
  const seen = {
    has: (name: string) => names.has(name) || own.has(name),
    add: (name: string) => own.add(name),
  };
  return weigh(value, seen, leaveAsItIs).bytes;
}

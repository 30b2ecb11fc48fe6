/**
 * What things take in the heap of V8 on a 64-bit machine. Its test compares that with what a heap really
 * takes: at least nine tenths of it are counted.
 */

/** A member's place in an object, an array or a map. */
const slotBytes = 8;
const headerBytes = 24;
/** A number that is no small whole one has an object of its own. */
const numberBytes = 16;
const stringHeaderBytes = 16;

/** Characters beyond Latin-1 make each character of their string take two bytes. */
const beyondLatin1 = /[\u0100-\uffff]/;

export function textBytes(text: string): number {
  const bytes = beyondLatin1.test(text) ? 2 * text.length : text.length;
  return stringHeaderBytes + 8 * Math.ceil(bytes / 8);
}

/** Of what survives JSON. Names of members are taken to be shared with others of the kind. */
export function heapBytes(value: unknown): number {
  if (typeof value === 'string') return textBytes(value);
  if (typeof value === 'number')
    return Number.isInteger(value) && (value | 0) === value ? 0 : numberBytes;
  if (typeof value !== 'object' || value === null) return 0;
  let bytes = headerBytes;
  if (Array.isArray(value)) {
    bytes += stringHeaderBytes;
    for (const item of value) bytes += slotBytes + heapBytes(item);
  } else {
    for (const name in value) {
      bytes += slotBytes + heapBytes((value as Record<string, unknown>)[name]);
    }
  }
  return bytes;
}

/**
 * A copy that shares nothing with the original. A part of a text keeps the whole of it in memory, such as
 * the header or the document that it was cut out of; parts of a copy do not.
 */
export function ownCopy<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}

/** A shorter text is never kept as a part of another: V8 copies its characters. */
const minPartLength = 13;

/** The same of a text alone. */
export function ownText(text: string): string {
  return text.length < minPartLength ? text : ownCopy(text);
}

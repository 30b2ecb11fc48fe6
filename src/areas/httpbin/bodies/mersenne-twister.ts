/**
 * The generator MT19937 of Makoto Matsumoto and Takuji Nishimura ("Mersenne Twister", 1998). Seeding and drawing match
 * Python's `random.Random`, so that the same seed yields the same bytes.
 */

import { lazily } from '#base/lazily.js';

const size = 624;
const middle = 397;
const upperBit = 0x80000000;
const lowerBits = 0x7fffffff;
const twist = 0x9908b0df;

/**
 * Parts of the state. Each word is twisted with the next one and the one 397 further, both around the end; they are at
 * these distances.
 */
const parts = [
  { end: size - middle, toNext: 1, toFar: middle },
  { end: size - 1, toNext: 1, toFar: middle - size },
  { end: size, toNext: 1 - size, toFar: middle - size },
];

type Part = (typeof parts)[number];

export class MersenneTwister {
  /** Each word is twisted when it is drawn. */
  readonly #state: Int32Array;
  #place = 0;

  /** Same as `random.seed(seed)` for an integer of any length. Its sign is ignored. */
  constructor(seed: bigint) {
    this.#state = seededBy(wordsOf(seed < 0n ? -seed : seed));
  }

  /** Same as `length` calls of `randint(0, 255)`, of which each draws nine bits until they are below 256. */
  bytes(length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    for (let index = 0; index < length; ) index = this.#fill(bytes, index);
    return bytes;
  }

  /** Draws bytes from the rest of a part of the state. Returns the index after the last byte. */
  #fill(bytes: Buffer, start: number): number {
    const state = this.#state;
    let place = this.#place % size;
    let index = start;
    const { end, toNext, toFar } = parts.find((part) => place < part.end) as Part;
    const stop = Math.min(end, place + bytes.length - index);
    let word = state[place] as number;
    for (; place < stop; place++) {
      const next = state[place + toNext] as number;
      const drawn = twisted(word, next, state[place + toFar] as number);
      state[place] = drawn;
      word = next;
      const number = tempered(drawn) >>> 23;
      bytes[index] = number;
      // Without a branch, which would be mispredicted for half of them.
      index += 1 - (number >>> 8);
    }
    this.#place = place;
    return index;
  }
}

function twisted(word: number, next: number, far: number): number {
  const joined = (word & upperBit) | (next & lowerBits);
  return far ^ (joined >>> 1) ^ (-(joined & 1) & twist);
}

function tempered(word: number): number {
  const first = word ^ (word >>> 11);
  const second = first ^ ((first << 7) & 0x9d2c5680);
  const third = second ^ ((second << 15) & 0xefc60000);
  return third ^ (third >>> 18);
}

/** Same as `init_by_array` of the authors. */
function seededBy(key: readonly number[]): Int32Array {
  const state = new Int32Array(seededState());
  let at = 1;
  let word = state[0] as number;
  for (let count = 0, index = 0; count < Math.max(size, key.length); count++) {
    const added = ((key[index] as number) + index) | 0;
    word = (((state[at] as number) ^ Math.imul(word ^ (word >>> 30), 1664525)) + added) | 0;
    index = index + 1 < key.length ? index + 1 : 0;
    at = store(state, at, word);
  }
  for (let count = 1; count < size; count++) {
    word = (((state[at] as number) ^ Math.imul(word ^ (word >>> 30), 1566083941)) - at) | 0;
    at = store(state, at, word);
  }
  state[0] = upperBit;
  return state;
}

/** Stores a word, also at the beginning after the last one. Returns the next place. */
function store(state: Int32Array, at: number, word: number): number {
  state[at] = word;
  if (at + 1 < size) return at + 1;
  state[0] = word;
  return 1;
}

/** The state that every seed begins with. */
const seededState = lazily(() => {
  const state = new Int32Array(size);
  state[0] = 19650218;
  for (let at = 1; at < size; at++) {
    const before = state[at - 1] as number;
    state[at] = Math.imul(before ^ (before >>> 30), 1812433253) + at;
  }
  return state;
});

/** Splits a number into 32-bit words, the lowest first. Zero is one word. */
function wordsOf(value: bigint): number[] {
  const words: number[] = [];
  for (let rest = value; rest > 0n || words.length === 0; rest >>= 32n) {
    words.push(Number(rest & 0xffffffffn));
  }
  return words;
}

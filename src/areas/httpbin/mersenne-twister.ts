/**
 * The generator MT19937 of Makoto Matsumoto and Takuji Nishimura ("Mersenne Twister", 1998). Seeding and drawing match
 * Python's `random.Random`, so that the same seed yields the same numbers.
 */

import { lazily } from '../../base/lazily.js';

const size = 624;
const middle = 397;
const upperBit = 0x80000000;
const lowerBits = 0x7fffffff;
const twist = 0x9908b0df;

export class MersenneTwister {
  readonly #state = new Uint32Array(size);
  /** The numbers of this state. */
  readonly #drawn = new Uint32Array(size);
  #place = size;

  /** Same as `random.seed(seed)` for an integer of any length. Its sign is ignored. */
  constructor(seed: bigint) {
    this.#seedByArray(wordsOf(seed < 0n ? -seed : seed));
  }

  /** Same as `randint(least, most)`, for at most 2^31 numbers. */
  integer(least: number, most: number): number {
    const count = most - least + 1;
    const bits = 32 - Math.clz32(count);
    let drawn = this.#next() >>> (32 - bits);
    while (drawn >= count) drawn = this.#next() >>> (32 - bits);
    return least + drawn;
  }

  /** Same as `length` calls of `randint(0, 255)`, of which each draws nine bits until they are below 256. */
  bytes(length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    const drawn = this.#drawn;
    let place = this.#place;
    for (let index = 0; index < length; ) {
      if (place === size) {
        this.#refill();
        place = 0;
      }
      const number = (drawn[place++] as number) >>> 23;
      bytes[index] = number;
      // Without a branch, which would be mispredicted for half of them.
      index += 1 - (number >>> 8);
    }
    this.#place = place;
    return bytes;
  }

  #seedByArray(key: readonly number[]): void {
    const state = this.#state;
    state.set(seededState());
    let at = 1;
    const step = () => {
      at++;
      if (at < size) return;
      state[0] = state[size - 1] as number;
      at = 1;
    };
    for (let count = 0, place = 0; count < Math.max(size, key.length); count++) {
      state[at] = mixed(state, at, 1664525) + (key[place] as number) + place;
      place = place + 1 < key.length ? place + 1 : 0;
      step();
    }
    for (let count = 1; count < size; count++) {
      state[at] = mixed(state, at, 1566083941) - at;
      step();
    }
    state[0] = upperBit;
  }

  /** Returns the next 32 bits as an unsigned number. */
  #next(): number {
    if (this.#place === size) this.#refill();
    return this.#drawn[this.#place++] as number;
  }

  /** Twists each word with the next one and the one 397 further, around the end. */
  #refill(): void {
    const state = this.#state;
    for (let at = 0; at < size - middle; at++) twistWord(state, at, at + 1, at + middle);
    for (let at = size - middle; at < size - 1; at++) {
      twistWord(state, at, at + 1, at + middle - size);
    }
    twistWord(state, size - 1, 0, middle - 1);
    const drawn = this.#drawn;
    for (let at = 0; at < size; at++) drawn[at] = tempered(state[at] as number);
    this.#place = 0;
  }
}

function twistWord(state: Uint32Array, at: number, next: number, far: number): void {
  const joined = ((state[at] as number) & upperBit) | ((state[next] as number) & lowerBits);
  state[at] = (state[far] as number) ^ (joined >>> 1) ^ (-(joined & 1) & twist);
}

function tempered(word: number): number {
  const first = word ^ (word >>> 11);
  const second = first ^ ((first << 7) & 0x9d2c5680);
  const third = second ^ ((second << 15) & 0xefc60000);
  return third ^ (third >>> 18);
}

function mixed(state: Uint32Array, at: number, factor: number): number {
  const before = state[at - 1] as number;
  return (state[at] as number) ^ Math.imul(before ^ (before >>> 30), factor);
}

/** The state that every seed begins with. */
const seededState = lazily(() => {
  const state = new Uint32Array(size);
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

/**
 * The generator MT19937 of Makoto Matsumoto and Takuji Nishimura ("Mersenne Twister", 1998). Seeding and drawing match
 * Python's `random.Random`, so that the same seed yields the same numbers.
 */

const size = 624;
const middle = 397;
const upperBit = 0x80000000;
const lowerBits = 0x7fffffff;
const twist = 0x9908b0df;

export class MersenneTwister {
  readonly #state = new Uint32Array(size);
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

  /** Same as `length` calls of `randint(0, 255)`. */
  bytes(length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    for (let index = 0; index < length; index++) bytes[index] = this.integer(0, 255);
    return bytes;
  }

  #seedByArray(key: readonly number[]): void {
    const state = this.#state;
    this.#seedBy(19650218);
    let at = 1;
    const mixed = (factor: number) => {
      const before = state[at - 1] ?? 0;
      return (state[at] ?? 0) ^ Math.imul(before ^ (before >>> 30), factor);
    };
    const step = () => {
      at++;
      if (at < size) return;
      state[0] = state[size - 1] ?? 0;
      at = 1;
    };
    for (let count = 0; count < Math.max(size, key.length); count++) {
      const place = count % key.length;
      state[at] = mixed(1664525) + (key[place] ?? 0) + place;
      step();
    }
    for (let count = 1; count < size; count++) {
      state[at] = mixed(1566083941) - at;
      step();
    }
    state[0] = upperBit;
  }

  #seedBy(seed: number): void {
    const state = this.#state;
    state[0] = seed;
    for (let at = 1; at < size; at++) {
      const before = state[at - 1] ?? 0;
      state[at] = Math.imul(before ^ (before >>> 30), 1812433253) + at;
    }
  }

  /** Returns the next 32 bits as an unsigned number. */
  #next(): number {
    if (this.#place === size) this.#refill();
    let word = this.#state[this.#place++] ?? 0;
    word ^= word >>> 11;
    word ^= (word << 7) & 0x9d2c5680;
    word ^= (word << 15) & 0xefc60000;
    return (word ^ (word >>> 18)) >>> 0;
  }

  #refill(): void {
    const state = this.#state;
    for (let at = 0; at < size; at++) {
      const joined = ((state[at] ?? 0) & upperBit) | ((state[(at + 1) % size] ?? 0) & lowerBits);
      const turned = (joined >>> 1) ^ (joined & 1 ? twist : 0);
      state[at] = (state[(at + middle) % size] ?? 0) ^ turned;
    }
    this.#place = 0;
  }
}

/** Splits a number into 32-bit words, the lowest first. Zero is one word. */
function wordsOf(value: bigint): number[] {
  const words: number[] = [];
  for (let rest = value; rest > 0n || words.length === 0; rest >>= 32n) {
    words.push(Number(rest & 0xffffffffn));
  }
  return words;
}

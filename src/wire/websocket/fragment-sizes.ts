/** How a message was cut into fragments, in no more memory than they have bytes. */

const firstRoom = 8;

/** The lowest seven bits of a size, and whether more of it follow. */
const digit = 0x7f;
const more = 0x80;

/** Sizes in the order they came, each in bytes of seven bits with the lowest first. */
export class FragmentSizes {
  #encoded: Uint8Array | undefined;
  #length = 0;
  #count = 0;

  /** What they hold beyond the first few. */
  get bytes(): number {
    return this.#encoded === undefined || this.#length <= firstRoom ? 0 : this.#encoded.length;
  }

  get count(): number {
    return this.#count;
  }

  add(size: number): void {
    this.#count++;
    let rest = size;
    for (; rest > digit; rest >>>= 7) this.#put((rest & digit) | more);
    this.#put(rest);
  }

  *[Symbol.iterator](): Generator<number> {
    let size = 0;
    let shift = 0;
    for (const byte of this.#encoded?.subarray(0, this.#length) ?? []) {
      size += (byte & digit) << shift;
      shift += 7;
      if (byte >= more) continue;
      yield size;
      size = 0;
      shift = 0;
    }
  }

  #put(byte: number): void {
    this.#encoded ??= new Uint8Array(firstRoom);
    if (this.#length === this.#encoded.length) {
      const larger = new Uint8Array(2 * this.#length);
      larger.set(this.#encoded);
      this.#encoded = larger;
    }
    this.#encoded[this.#length++] = byte;
  }
}

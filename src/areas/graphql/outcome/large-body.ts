import { jsonPieces } from '#http/json/json-pieces.js';

/** A response whose length is known, but not its text: its values need less memory. */
export class LargeBody {
  readonly #value: object;
  readonly byteLength: number;

  constructor(value: object, byteLength: number) {
    this.#value = value;
    this.byteLength = byteLength;
  }

  pieces(): Generator<string | Buffer> {
    return jsonPieces(this.#value);
  }

  /** Returns the whole text, for protocols that send a response in one message. */
  toString(): string {
    return Array.from(this.pieces()).join('');
  }
}

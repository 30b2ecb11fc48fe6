import { jsonPieces } from '../../../http/json/json-pieces.js';

/** A response that is counted, and not kept as text: its values take less memory than that. */
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

  /** The whole text, for protocols that send a response in one message. */
  toString(): string {
    return Array.from(this.pieces()).join('');
  }
}

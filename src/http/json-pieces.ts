/**
 * JSON in pieces. A large response is written while its client takes it, so that neither its text nor its bytes are
 * ever held whole: 1 MiB of control characters becomes 6 MiB of JSON.
 */

import { StringDecoder } from 'node:string_decoder';

/** A piece has at least so many characters, but for the last. */
const pieceLength = 16 * 1024;

/** A text is escaped so many characters, or bytes, at a time; each becomes at most six characters. */
const partLength = 8 * 1024;

/** How values are laid out. */
export interface JsonLayout {
  /** Whether characters beyond ASCII are escaped. */
  readonly isAscii?: boolean;
  readonly comma: string;
  readonly colon: string;
  /** Spaces for each level; on one line without it. */
  readonly indent?: number;
  /** Whether members are sorted by name. */
  readonly isSorted?: boolean;
}

/** The layout of `JSON.stringify`. */
const compact: JsonLayout = { comma: ',', colon: ':' };

function quote(text: string, { isAscii = false }: JsonLayout): string {
  const quoted = JSON.stringify(text);
  if (!isAscii) return quoted;
  return quoted.replace(/[\x7f-\uffff]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** How many bytes of JSON each byte of UTF-8 becomes. */
function escapedLengths(isAscii: boolean): Uint8Array {
  const lengths = new Uint8Array(256).fill(1);
  lengths.fill(6, 0, 0x20);
  for (const short of '\b\t\n\f\r"\\') lengths[short.charCodeAt(0)] = 2;
  if (!isAscii) return lengths;
  lengths[0x7f] = 6;
  // The first byte of a character stands for all of it; beyond U+FFFF it is a pair.
  lengths.fill(0, 0x80, 0xc0).fill(6, 0xc0, 0xf0).fill(12, 0xf0);
  return lengths;
}

const utf8Lengths = escapedLengths(false);
const asciiLengths = escapedLengths(true);

/** A JSON string of bytes, decoded only while it is written: as UTF-8, or encoded as base64 after `prefix`. */
export class TextOfBytes {
  readonly bytes: Buffer;
  readonly encoding: 'utf-8' | 'base64';
  readonly prefix: string;

  constructor(bytes: Buffer, encoding: 'utf-8' | 'base64', prefix = '') {
    this.bytes = bytes;
    this.encoding = encoding;
    this.prefix = prefix;
  }

  toJSON(): string {
    return this.prefix + this.bytes.toString(this.encoding);
  }

  /** How many bytes its JSON has between the quotes. */
  escapedLength(layout: JsonLayout): number {
    const prefix = Buffer.byteLength(quote(this.prefix, layout)) - 2;
    if (this.encoding === 'base64') return prefix + 4 * Math.ceil(this.bytes.length / 3);
    const lengths = layout.isAscii ? asciiLengths : utf8Lengths;
    let length = prefix;
    const { bytes } = this;
    // Not by an iterator: bodies have a mebibyte.
    for (let place = 0; place < bytes.length; place++) length += lengths[bytes[place] ?? 0] ?? 0;
    return length;
  }
}

/** Thrown when JSON becomes longer than it may. */
export class TooMuchJsonError extends Error {
  override readonly name = 'TooMuchJsonError';
}

/** JSON that was written before: parsed JSON can take fifty times the memory of its text. */
export class WrittenJson {
  readonly pieces: readonly Buffer[];
  readonly byteLength: number;

  constructor(pieces: Iterable<string | Buffer>) {
    this.pieces = Array.from(pieces, (piece) =>
      typeof piece === 'string' ? Buffer.from(piece) : piece,
    );
    this.byteLength = this.pieces.reduce((sum, { length }) => sum + length, 0);
  }

  /** Writes a value that becomes a member `depth` levels inside; throws {@link TooMuchJsonError} beyond `maxBytes`. */
  static of(value: unknown, maxBytes: number, layout?: JsonLayout, depth?: number): WrittenJson {
    return new WrittenJson(limited(jsonPieces(value, layout, depth), maxBytes));
  }
}

function* limited(pieces: Iterable<string | Buffer>, maxBytes: number) {
  let bytes = 0;
  for (const piece of pieces) {
    bytes += Buffer.byteLength(piece);
    if (bytes > maxBytes) throw new TooMuchJsonError();
    yield piece;
  }
}

/**
 * Yields the JSON of a value without functions or `toJSON`, other than the classes above, which stands `depth` levels
 * inside of what surrounds it.
 */
export function* jsonPieces(
  value: unknown,
  layout: JsonLayout = compact,
  depth = 0,
): Generator<string | Buffer> {
  const writer = new PieceWriter(layout);
  const { indent } = layout;
  yield* writer.write(
    value,
    indent === undefined
      ? ''
      : `
${' '.repeat(indent * depth)}`,
  );
  if (writer.text !== '') yield writer.text;
}

/** Yields how many bytes the pieces of {@link jsonPieces} have, without writing texts of bytes. */
export function* jsonLengths(value: unknown, layout: JsonLayout = compact): Generator<number> {
  const writer = new PieceWriter(layout, true);
  for (const piece of writer.write(value, layout.indent === undefined ? '' : '\n')) {
    yield Buffer.byteLength(piece);
  }
  yield Buffer.byteLength(writer.text) + writer.skippedBytes;
}

class PieceWriter {
  /** What counting left out. */
  skippedBytes = 0;
  readonly #isCounting: boolean;
  /** Not yielded yet. */
  text = '';
  readonly #layout: JsonLayout;

  constructor(layout: JsonLayout, isCounting = false) {
    this.#layout = layout;
    this.#isCounting = isCounting;
  }

  /** `lineStart` is the line feed and the indentation of the line on which the value begins. */
  *write(value: unknown, lineStart: string): Generator<string | Buffer> {
    if (typeof value !== 'object' || value === null) yield* this.#writeLeaf(value);
    else if (this.#layout === compact && isPlain(value)) this.text += JSON.stringify(value);
    else if (value instanceof TextOfBytes) yield* this.#writeBytes(value);
    else if (value instanceof WrittenJson) {
      yield* this.#flush(0);
      yield* value.pieces;
    } else if (Array.isArray(value)) yield* this.#writeList(value, lineStart);
    else yield* this.#writeObject(value as Readonly<Record<string, unknown>>, lineStart);
  }

  *#writeList(items: readonly unknown[], lineStart: string): Generator<string | Buffer> {
    const { comma } = this.#layout;
    const inner = this.#innerOf(lineStart);
    this.text += '[';
    for (let index = 0; index < items.length; index++) {
      this.text += index === 0 ? inner : comma + inner;
      const item = items[index];
      if (isShort(item)) this.text += this.#leaf(item);
      else yield* this.write(item, inner);
      if (this.text.length >= pieceLength) yield* this.#flush(pieceLength);
    }
    this.text += items.length === 0 ? ']' : `${lineStart}]`;
  }

  *#writeObject(
    members: Readonly<Record<string, unknown>>,
    lineStart: string,
  ): Generator<string | Buffer> {
    const { comma, colon, isSorted = false } = this.#layout;
    const inner = this.#innerOf(lineStart);
    const names = Object.keys(members);
    if (isSorted) names.sort();
    let isFirst = true;
    this.text += '{';
    for (const name of names) {
      const member = members[name];
      if (member === undefined) continue;
      this.text += isFirst ? inner : comma + inner;
      isFirst = false;
      if (name.length <= partLength) this.text += quote(name, this.#layout) + colon;
      else {
        yield* this.#writeText(name);
        this.text += colon;
      }
      if (isShort(member)) this.text += this.#leaf(member);
      else yield* this.write(member, inner);
      if (this.text.length >= pieceLength) yield* this.#flush(pieceLength);
    }
    this.text += isFirst ? '}' : `${lineStart}}`;
  }

  *#writeLeaf(value: unknown): Generator<string> {
    if (isShort(value)) this.text += this.#leaf(value);
    else yield* this.#writeText(value as string);
  }

  #leaf(value: unknown): string {
    if (typeof value === 'string') return quote(value, this.#layout);
    return JSON.stringify(value) ?? 'null';
  }

  *#writeText(text: string): Generator<string> {
    this.text += '"';
    for (let start = 0; start < text.length; ) {
      const end = endOfPart(text, start + partLength);
      this.#escape(text.slice(start, end));
      start = end;
      yield* this.#flush(pieceLength);
    }
    this.text += '"';
  }

  *#writeBytes(text: TextOfBytes): Generator<string> {
    const { bytes, encoding, prefix } = text;
    const decoder = new StringDecoder(encoding);
    this.text += '"';
    if (this.#isCounting) {
      this.text += '"';
      this.skippedBytes += text.escapedLength(this.#layout);
      return;
    }
    this.#escape(prefix);
    for (let start = 0; start < bytes.length; start += partLength) {
      this.#escape(decoder.write(bytes.subarray(start, start + partLength)));
      yield* this.#flush(pieceLength);
    }
    this.#escape(decoder.end());
    this.text += '"';
  }

  /** Adds a part of a text, without quotes around it. */
  #escape(part: string): void {
    this.text += quote(part, this.#layout).slice(1, -1);
  }

  *#flush(minLength: number): Generator<string> {
    if (this.text.length < minLength || this.text === '') return;
    const { text } = this;
    this.text = '';
    yield text;
  }

  #innerOf(lineStart: string): string {
    const { indent } = this.#layout;
    return indent === undefined ? '' : lineStart + ' '.repeat(indent);
  }
}

/** Whether a value is written at once: no object, and no long text. */
function isShort(value: unknown): boolean {
  return typeof value === 'string'
    ? value.length <= partLength
    : typeof value !== 'object' || value === null;
}

/** An object with more members is written member by member. */
const maxPlainMembers = 64;

/** Whether `JSON.stringify` writes a short text for it at once: few members, all of them short. */
function isPlain(value: object): boolean {
  if (value instanceof TextOfBytes || value instanceof WrittenJson) return false;
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return members.length <= maxPlainMembers && members.every(isShort);
}

/** Does not separate the two halves of a surrogate pair. */
function endOfPart(text: string, end: number): number {
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last < 0xdc00 ? end + 1 : end;
}

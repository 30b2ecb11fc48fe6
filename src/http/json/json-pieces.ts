/**
 * Writes JSON in pieces, so that it is never whole in memory: 1 MiB of control characters becomes 6
 * MiB.
 */

import { StringDecoder } from 'node:string_decoder';

/** Minimum characters of a piece, except the last. */
const pieceLength = 16 * 1024;

/** Characters or bytes that are escaped at a time; each becomes at most six characters. */
const partLength = 8 * 1024;

export interface JsonLayout {
  /** Whether characters beyond ASCII are escaped. */
  readonly isAscii?: boolean;
  readonly comma: string;
  readonly colon: string;
  /** Spaces per level; without it, on one line. */
  readonly indent?: number;
  /** Whether members are sorted by name. */
  readonly isSorted?: boolean;
}

/** The layout of `JSON.stringify`. */
const compact: JsonLayout = { comma: ',', colon: ':' };

/** Printable ASCII without characters to escape, which needs no call of `JSON.stringify`. */
const plainText = /^[ !#-[\]-~]*$/;

function quote(text: string, { isAscii = false }: JsonLayout): string {
  if (plainText.test(text)) return `"${text}"`;
  const json = JSON.stringify(text);
  return isAscii && beyondAscii.test(json) ? escapeBeyondAscii(json) : json;
}

const firstEscaped = 0x7f;
const beyondAscii = /[\x7f-\uffff]/;
const hexDigits = Buffer.from('0123456789abcdef');

/** Avoids a replace function per character, which is ten times slower. */
function escapeBeyondAscii(json: string): string {
  const bytes = Buffer.allocUnsafe(6 * json.length);
  let length = 0;
  for (let index = 0; index < json.length; index++) {
    const unit = json.charCodeAt(index);
    if (unit < firstEscaped) {
      bytes[length++] = unit;
      continue;
    }
    bytes[length++] = 0x5c;
    bytes[length++] = 0x75;
    for (let shift = 12; shift >= 0; shift -= 4) {
      bytes[length++] = hexDigits[(unit >> shift) & 0xf] ?? 0;
    }
  }
  return bytes.toString('latin1', 0, length);
}

/** Returns how many bytes of JSON each byte of UTF-8 becomes. */
function escapedLengths(isAscii: boolean): Uint8Array {
  const lengths = new Uint8Array(256).fill(1);
  lengths.fill(6, 0, 0x20);
  for (const short of '\b\t\n\f\r"\\') lengths[short.charCodeAt(0)] = 2;
  if (!isAscii) return lengths;
  lengths[0x7f] = 6;
  // The first byte of a character counts for all of it; beyond U+FFFF it is a pair.
  lengths.fill(0, 0x80, 0xc0).fill(6, 0xc0, 0xf0).fill(12, 0xf0);
  return lengths;
}

const utf8Lengths = escapedLengths(false);
const asciiLengths = escapedLengths(true);

/**
 * A JSON string of bytes, decoded only while it is written: as UTF-8, or as base64 after `prefix`.
 */
export class TextOfBytes {
  readonly #bytes: Buffer;
  readonly #encoding: 'utf-8' | 'base64';
  readonly #prefix: string;

  constructor(bytes: Buffer, encoding: 'utf-8' | 'base64', prefix = '') {
    this.#bytes = bytes;
    this.#encoding = encoding;
    this.#prefix = prefix;
  }

  toJSON(): string {
    return this.#prefix + this.#bytes.toString(this.#encoding);
  }

  *parts(): Generator<string> {
    yield this.#prefix;
    const decoder = new StringDecoder(this.#encoding);
    for (let start = 0; start < this.#bytes.length; start += partLength) {
      yield decoder.write(this.#bytes.subarray(start, start + partLength));
    }
    yield decoder.end();
  }

  /** Returns the number of bytes between the quotes of its JSON. */
  escapedLength(layout: JsonLayout): number {
    const bytes = this.#bytes;
    let length = Buffer.byteLength(quote(this.#prefix, layout)) - 2;
    if (this.#encoding === 'base64') return length + 4 * Math.ceil(bytes.length / 3);
    const lengths = layout.isAscii ? asciiLengths : utf8Lengths;
    // A loop is faster than an iterator for bodies of a mebibyte.
    for (let index = 0; index < bytes.length; index++) length += lengths[bytes[index] ?? 0] ?? 0;
    return length;
  }
}

/** JSON text that was written before, because parsed JSON can need fifty times the memory. */
export class WrittenJson {
  readonly pieces: readonly Buffer[];
  readonly byteLength: number;
  readonly layout: JsonLayout;

  private constructor(pieces: readonly Buffer[], byteLength: number, layout: JsonLayout) {
    this.pieces = pieces;
    this.byteLength = byteLength;
    this.layout = layout;
  }

  /** Writes a value as a member at `depth`; returns `undefined` beyond `maxBytes`. */
  static of(
    value: unknown,
    maxBytes: number,
    layout: JsonLayout = compact,
    depth = 0,
  ): WrittenJson | undefined {
    const pieces: Buffer[] = [];
    let bytes = 0;
    for (const piece of jsonPieces(value, layout, depth)) {
      const written = Buffer.from(piece as string);
      bytes += written.length;
      if (bytes > maxBytes) return undefined;
      pieces.push(written);
    }
    return new WrittenJson(pieces, bytes, layout);
  }
}

/**
 * Yields the JSON of a value at `depth`. The value must have no functions or `toJSON`, except the
 * classes above.
 */
export function* jsonPieces(
  value: unknown,
  layout: JsonLayout = compact,
  depth = 0,
): Generator<string | Buffer> {
  const writer = new PieceWriter(layout);
  yield* writer.write(value, lineStartAt(layout, depth));
  if (writer.text !== '') yield writer.text;
}

/** Yields the byte lengths of the pieces of {@link jsonPieces}, without writing texts of bytes. */
export function* jsonLengths(value: unknown, layout: JsonLayout = compact): Generator<number> {
  const writer = new PieceWriter(layout, true);
  for (const piece of writer.write(value, lineStartAt(layout, 0))) yield Buffer.byteLength(piece);
  yield Buffer.byteLength(writer.text) + writer.skippedBytes;
}

/** Returns a line feed and the indentation at this depth. */
function lineStartAt({ indent }: JsonLayout, depth: number): string {
  return indent === undefined ? '' : `\n${' '.repeat(indent * depth)}`;
}

class PieceWriter {
  /** Not yielded yet. */
  text = '';
  /** Bytes that were counted without being written. */
  skippedBytes = 0;
  readonly #layout: JsonLayout;
  readonly #isCounting: boolean;

  constructor(layout: JsonLayout, isCounting = false) {
    this.#layout = layout;
    this.#isCounting = isCounting;
  }

  /**
   * Writes a short value, or returns the pieces of a long one; `lineStart` is the start of its
   * line.
   */
  write(value: unknown, lineStart: string): Iterable<string | Buffer> {
    if (typeof value === 'string' && !isShort(value)) return this.#writeString(partsOf(value));
    if (value instanceof WrittenJson) {
      return this.text === '' ? value.pieces : [this.#take(), ...value.pieces];
    }
    if (value instanceof TextOfBytes) {
      if (!this.#isCounting) return this.#writeString(value.parts());
      this.text += '""';
      this.skippedBytes += value.escapedLength(this.#layout);
    } else if (isShort(value)) this.text += this.#short(value);
    else {
      // Listed once, because it takes 10 ms for 100,000 names.
      const names = Array.isArray(value) ? undefined : Object.keys(value as object);
      if (this.#layout !== compact || !isPlain(value as Members, names)) {
        return this.#writeMembers(value as Members, names, lineStart);
      }
      this.text += JSON.stringify(value);
    }
    return nothing;
  }

  #take(): string {
    const { text } = this;
    this.text = '';
    return text;
  }

  #short(value: unknown): string {
    if (typeof value === 'string') return quote(value, this.#layout);
    // The same text as from `JSON.stringify`, in a third of its time.
    if (Number.isFinite(value) || typeof value === 'boolean') return String(value);
    return JSON.stringify(value) ?? 'null';
  }

  *#writeString(parts: Iterable<string>): Generator<string> {
    this.text += '"';
    for (const part of parts) {
      this.text += quote(part, this.#layout).slice(1, -1);
      if (this.text.length >= pieceLength) yield this.#take();
    }
    this.text += '"';
  }

  /** Writes members until the text is long enough for a piece; the pieces of the rest are returned. */
  #writeMembers(
    value: Members,
    all: readonly string[] | undefined,
    lineStart: string,
  ): Iterable<string | Buffer> {
    const names = all && this.#written(value, all);
    const count = names === undefined ? (value.length as number) : names.length;
    const [open, close] = names === undefined ? '[]' : '{}';
    const { indent } = this.#layout;
    const inner = indent === undefined || count === 0 ? '' : lineStart + ' '.repeat(indent);
    const end = count === 0 ? (close as string) : lineStart + close;
    const members = { value, names, count, inner, end };
    this.text += open;
    for (let index = 0; index < count; index++) {
      const pieces = this.#writeMember(members, index);
      if (pieces !== nothing || this.text.length >= pieceLength) {
        return this.#writeRest(members, index + 1, pieces);
      }
    }
    this.text += end;
    return nothing;
  }

  *#writeRest(
    members: WrittenMembers,
    from: number,
    pieces: Iterable<string | Buffer>,
  ): Generator<string | Buffer> {
    yield* pieces;
    for (let index = from; index < members.count; index++) {
      if (this.text.length >= pieceLength) yield this.#take();
      const piecesOfMember = this.#writeMember(members, index);
      // Most members are short, and delegating to an empty list costs as much as writing one.
      if (piecesOfMember !== nothing) yield* piecesOfMember;
    }
    if (this.text.length >= pieceLength) yield this.#take();
    this.text += members.end;
  }

  #writeMember({ value, names, inner }: WrittenMembers, index: number): Iterable<string | Buffer> {
    const { comma, colon } = this.#layout;
    const name = names?.[index];
    const member = value[name ?? index];
    const label = name === undefined ? '' : quote(name, this.#layout) + colon;
    const start = (index === 0 ? inner : comma + inner) + label;
    // One concatenation per short member, because the engine flattens them only once.
    if (isShort(member)) {
      this.text += start + this.#short(member);
      return nothing;
    }
    this.text += start;
    return this.write(member, inner);
  }

  #written(value: Members, all: readonly string[]): readonly string[] {
    const names = all.filter((name) => value[name] !== undefined);
    return this.#layout.isSorted ? names.sort() : names;
  }
}

type Members = Readonly<Record<string | number, unknown>>;

interface WrittenMembers {
  readonly value: Members;
  /** Absent for a list. */
  readonly names: readonly string[] | undefined;
  readonly count: number;
  /** Precedes each member. */
  readonly inner: string;
  readonly end: string;
}

const nothing: readonly never[] = [];

/** Returns whether a value is written at once: neither an object nor a long text. */
function isShort(value: unknown): boolean {
  return typeof value === 'string'
    ? value.length <= partLength
    : typeof value !== 'object' || value === null;
}

/** An object with more members is written member by member. */
const maxPlainMembers = 64;

/** Returns whether `JSON.stringify` writes a short text: few members, all of them short. */
function isPlain(value: Members, names: readonly string[] | undefined): boolean {
  const count = names === undefined ? (value.length as number) : names.length;
  if (count > maxPlainMembers) return false;
  return names === undefined
    ? (value as unknown as readonly unknown[]).every(isShort)
    : names.every((name) => isShort(value[name]));
}

/** Splits a text, but not inside a surrogate pair. */
function* partsOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const last = text.charCodeAt(start + partLength - 1);
    const end = start + partLength + (last >= 0xd800 && last < 0xdc00 ? 1 : 0);
    yield text.slice(start, end);
    start = end;
  }
}

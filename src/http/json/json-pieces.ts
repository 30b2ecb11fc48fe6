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
  const json = JSON.stringify(text);
  return isAscii && beyondAscii.test(json) ? escapeBeyondAscii(json) : json;
}

const firstEscaped = 0x7f;
const beyondAscii = /[\x7f-\uffff]/;
const hexDigits = Buffer.from('0123456789abcdef');

/** Not by a function that replaces each character, which takes ten times as long. */
function escapeBeyondAscii(json: string): string {
  const bytes = Buffer.allocUnsafe(6 * json.length);
  let length = 0;
  for (let place = 0; place < json.length; place++) {
    const unit = json.charCodeAt(place);
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

/** JSON that was written before: parsed JSON can take fifty times the memory of its text. */
export class WrittenJson {
  readonly pieces: readonly Buffer[];
  readonly byteLength: number;
  readonly layout: JsonLayout;

  private constructor(pieces: readonly Buffer[], byteLength: number, layout: JsonLayout) {
    this.pieces = pieces;
    this.byteLength = byteLength;
    this.layout = layout;
  }

  /** Writes a value that becomes a member `depth` levels inside; returns undefined beyond `maxBytes`. */
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

/** A value that is being written: an object or list, or a text that is too long to be escaped at once. */
type Open = OpenMembers | OpenText | OpenBytes;

interface OpenMembers {
  readonly kind: 'members';
  readonly value: Readonly<Record<string | number, unknown>>;
  /** Undefined for a list. */
  readonly names: readonly string[] | undefined;
  readonly count: number;
  /** The line feed and indentation of its members, and of the line on which it begins. */
  readonly inner: string;
  readonly lineStart: string;
  written: number;
}

interface OpenText {
  readonly kind: 'text';
  readonly text: string;
  written: number;
}

interface OpenBytes {
  readonly kind: 'bytes';
  readonly bytes: Buffer;
  readonly decoder: StringDecoder;
  written: number;
}

/** Keeps open values in a list: a generator for each level would pass every piece up through all of them. */
class PieceWriter {
  /** Not yielded yet. */
  text = '';
  /** How many bytes counting left out. */
  skippedBytes = 0;
  readonly #layout: JsonLayout;
  readonly #isCounting: boolean;
  readonly #open: Open[] = [];
  #written: readonly Buffer[] = [];

  constructor(layout: JsonLayout, isCounting = false) {
    this.#layout = layout;
    this.#isCounting = isCounting;
  }

  /** `lineStart` is the line feed and the indentation of the line on which the value begins. */
  *write(value: unknown, lineStart: string): Generator<string | Buffer> {
    this.#begin(value, lineStart);
    for (;;) {
      if (this.#written.length > 0) {
        if (this.text !== '') yield this.#take();
        yield* this.#written;
        this.#written = [];
      }
      if (this.text.length >= pieceLength) yield this.#take();
      const top = this.#open.at(-1);
      if (top === undefined) return;
      if (top.kind === 'members') this.#writeMember(top);
      else if (top.kind === 'text') this.#writePart(top);
      else this.#decodePart(top);
    }
  }

  #take(): string {
    const { text } = this;
    this.text = '';
    return text;
  }

  /** Writes a short value, or the beginning of another. */
  #begin(value: unknown, lineStart: string): void {
    if (isShort(value)) this.text += this.#short(value);
    else if (typeof value === 'string') this.#beginText(value);
    else if (value instanceof TextOfBytes) this.#beginBytes(value);
    else if (value instanceof WrittenJson) this.#written = value.pieces;
    else if (this.#layout === compact && isPlain(value as object)) {
      this.text += JSON.stringify(value);
    } else this.#beginMembers(value as OpenMembers['value'], lineStart);
  }

  #short(value: unknown): string {
    if (typeof value === 'string') return quote(value, this.#layout);
    return JSON.stringify(value) ?? 'null';
  }

  #beginMembers(value: OpenMembers['value'], lineStart: string): void {
    const names = Array.isArray(value) ? undefined : this.#namesOf(value);
    const count = names === undefined ? (value.length as number) : names.length;
    if (count === 0) {
      this.text += names === undefined ? '[]' : '{}';
      return;
    }
    const { indent } = this.#layout;
    const inner = indent === undefined ? '' : lineStart + ' '.repeat(indent);
    this.text += names === undefined ? '[' : '{';
    this.#open.push({ kind: 'members', value, names, count, inner, lineStart, written: 0 });
  }

  #namesOf(value: OpenMembers['value']): readonly string[] {
    const names = Object.keys(value).filter((name) => value[name] !== undefined);
    return this.#layout.isSorted ? names.sort() : names;
  }

  /** Writes the next member, or the end. */
  #writeMember(open: OpenMembers): void {
    const { value, names, inner, lineStart } = open;
    if (open.written === open.count) {
      this.#open.pop();
      this.text += `${lineStart}${names === undefined ? ']' : '}'}`;
      return;
    }
    const separator = open.written === 0 ? inner : this.#layout.comma + inner;
    const name = names?.[open.written];
    const member = value[name ?? open.written];
    open.written++;
    const label = name === undefined ? '' : quote(name, this.#layout) + this.#layout.colon;
    // One concatenation for each short member: they are joined to one text in the end.
    if (isShort(member)) this.text += separator + label + this.#short(member);
    else {
      this.text += separator + label;
      this.#begin(member, inner);
    }
  }

  #beginText(text: string): void {
    this.text += '"';
    this.#open.push({ kind: 'text', text, written: 0 });
  }

  #writePart(open: OpenText): void {
    const { text, written } = open;
    if (written >= text.length) {
      this.#open.pop();
      this.text += '"';
      return;
    }
    open.written = endOfPart(text, written + partLength);
    this.#escape(text.slice(written, open.written));
  }

  #beginBytes(text: TextOfBytes): void {
    if (this.#isCounting) {
      this.text += '""';
      this.skippedBytes += text.escapedLength(this.#layout);
      return;
    }
    this.text += '"';
    this.#escape(text.prefix);
    const decoder = new StringDecoder(text.encoding);
    this.#open.push({ kind: 'bytes', bytes: text.bytes, decoder, written: 0 });
  }

  #decodePart(open: OpenBytes): void {
    const { bytes, decoder, written } = open;
    if (written >= bytes.length) {
      this.#open.pop();
      this.#escape(decoder.end());
      this.text += '"';
      return;
    }
    open.written += partLength;
    this.#escape(decoder.write(bytes.subarray(written, open.written)));
  }

  /** Adds a part of a text, without quotes around it. */
  #escape(part: string): void {
    this.text += quote(part, this.#layout).slice(1, -1);
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

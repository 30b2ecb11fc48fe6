/** HPACK: RFC 7541. Writes any representation, also wrong ones; reads within limits. */

import { decodeHuffman, encodeHuffman } from './huffman.js';

export type Field = readonly [name: string, value: string];

/** Appendix A. */
const staticTable: readonly Field[] =
  `:authority|:method=GET|:method=POST|:path=/|:path=/index.html|:scheme=http|:scheme=https|:status=200|:status=204|:status=206|:status=304|:status=400|:status=404|:status=500|accept-charset|accept-encoding=gzip, deflate|accept-language|accept-ranges|accept|access-control-allow-origin|age|allow|authorization|cache-control|content-disposition|content-encoding|content-language|content-length|content-location|content-range|content-type|cookie|date|etag|expect|expires|from|host|if-match|if-modified-since|if-none-match|if-range|if-unmodified-since|last-modified|link|location|max-forwards|proxy-authenticate|proxy-authorization|range|referer|refresh|retry-after|server|set-cookie|strict-transport-security|transfer-encoding|user-agent|vary|via|www-authenticate`
    .split('|')
    .map((entry) => {
      const [name = '', value = ''] = entry.split('=');
      return [name, value];
    });

/** Initial size of dynamic tables. */
export const defaultTableBytes = 4096;

/** Each field counts for more than its text: RFC 7541 section 4.1. */
const fieldOverhead = 32;

/** Writes an integer with a prefix: RFC 7541 section 5.1. `first` has the bits before it. */
export function integer(value: number, prefix: number, first = 0): Buffer {
  const most = 2 ** prefix - 1;
  if (value < most) return Buffer.from([first | value]);
  const bytes = [first | most];
  let rest = value - most;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return Buffer.from([...bytes, rest]);
}

/** Writes a string literal: RFC 7541 section 5.2. */
export function string(value: string, isHuffman = false): Buffer {
  const bytes = Buffer.from(value, 'latin1');
  const written = isHuffman ? encodeHuffman(bytes) : bytes;
  return Buffer.concat([integer(written.length, 7, isHuffman ? 0x80 : 0), written]);
}

/** The prefix and the first bits of literals. */
const literals = { indexed: [6, 0x40], plain: [4, 0], never: [4, 0x10] } as const;

export type LiteralKind = keyof typeof literals;

/** Writes a field as a literal with a new name: RFC 7541 section 6.2. */
export function literal(
  [name, value]: Field,
  kind: LiteralKind = 'plain',
  isHuffman = false,
): Buffer {
  const [, first] = literals[kind];
  return Buffer.concat([Buffer.from([first]), string(name, isHuffman), string(value, isHuffman)]);
}

/** Writes a literal whose name is in a table. */
export function named(index: number, value: string, kind: LiteralKind = 'plain'): Buffer {
  const [prefix, first] = literals[kind];
  return Buffer.concat([integer(index, prefix, first), string(value)]);
}

export const indexed = (index: number): Buffer => integer(index, 7, 0x80);

export const tableSize = (bytes: number): Buffer => integer(bytes, 5, 0x20);

/** Writes fields as literals without indexing, which change no table. */
export const block = (fields: readonly Field[]): Buffer =>
  Buffer.concat(fields.map((field) => literal(field)));

export class HpackError extends Error {}

/** Size of a field in a table: RFC 7541 section 4.1. */
export const sizeOf = ([name, value]: Field) => name.length + value.length + fieldOverhead;

/** Reads the field blocks of a connection. */
export class HpackDecoder {
  readonly #maxListBytes: number;
  readonly #table: Field[] = [];
  #tableBytes = 0;
  #maxTableBytes = defaultTableBytes;
  /** The limit that the peer must keep. */
  limit = defaultTableBytes;

  /** `maxListBytes` is the limit of a decoded block, with 32 bytes for each field. */
  constructor(maxListBytes: number) {
    this.#maxListBytes = maxListBytes;
  }

  /** Throws an {@link HpackError} for a block that breaks RFC 7541, or the limit. */
  decode(bytes: Buffer): Field[] {
    const reader = new BlockReader(bytes);
    const fields: Field[] = [];
    let left = this.#maxListBytes;
    while (!reader.isOver) {
      const field = this.#next(reader, fields.length === 0);
      if (field === undefined) continue;
      left -= sizeOf(field);
      if (left < 0) throw new HpackError('The field section is too large.');
      fields.push(field);
    }
    return fields;
  }

  #next(reader: BlockReader, isFirst: boolean): Field | undefined {
    const first = reader.peek();
    if (first & 0x80) return this.#at(reader.integer(7));
    if ((first & 0xe0) === 0x20) {
      if (!isFirst) throw new HpackError('A table size follows a field.');
      this.#resize(reader.integer(5));
      return undefined;
    }
    if (this.#maxTableBytes > this.limit) throw new HpackError('A table size is missing.');
    const isIndexed = (first & 0x40) !== 0;
    const index = reader.integer(isIndexed ? 6 : 4);
    const name = index === 0 ? reader.string() : this.#at(index)[0];
    const field: Field = [name, reader.string()];
    if (isIndexed) this.#add(field);
    return field;
  }

  #at(index: number): Field {
    const found = staticTable[index - 1] ?? this.#table[index - 1 - staticTable.length];
    if (found === undefined) throw new HpackError(`No table has the index ${index}.`);
    if (this.#maxTableBytes > this.limit) throw new HpackError('A table size is missing.');
    return found;
  }

  #resize(bytes: number): void {
    if (bytes > this.limit) throw new HpackError('The table size is over its limit.');
    this.#maxTableBytes = bytes;
    this.#evict(0);
  }

  #add(field: Field): void {
    const size = sizeOf(field);
    this.#evict(size);
    if (size > this.#maxTableBytes) return;
    this.#table.unshift(field);
    this.#tableBytes += size;
  }

  #evict(room: number): void {
    while (this.#table.length > 0 && this.#tableBytes + room > this.#maxTableBytes) {
      this.#tableBytes -= sizeOf(this.#table.pop() as Field);
    }
  }
}

/** Reads representations. */
class BlockReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isOver(): boolean {
    return this.#at >= this.#bytes.length;
  }

  peek(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw new HpackError('The block ends inside of a field.');
    return byte;
  }

  integer(prefix: number): number {
    const most = 2 ** prefix - 1;
    let value = this.#byte() & most;
    if (value < most) return value;
    for (let shift = 0; ; shift += 7) {
      const byte = this.#byte();
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
      if (shift > 21) throw new HpackError('An integer is too large.');
    }
  }

  string(): string {
    const isHuffman = (this.peek() & 0x80) !== 0;
    const length = this.integer(7);
    const bytes = this.#bytes.subarray(this.#at, this.#at + length);
    if (bytes.length < length) throw new HpackError('The block ends inside of a text.');
    this.#at += length;
    try {
      return (isHuffman ? decodeHuffman(bytes) : bytes).toString('latin1');
    } catch (error) {
      throw new HpackError((error as Error).message);
    }
  }

  #byte(): number {
    const byte = this.peek();
    this.#at++;
    return byte;
  }
}

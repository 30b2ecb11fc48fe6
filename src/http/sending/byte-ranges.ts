/** Which bytes of a representation a client asks for: Range and If-Range, RFC 9110 sections 13.1.5 and 14. */

import type { Validators } from '../caching/conditional.js';
import { parseHttpDate } from '../headers/http-date.js';

/** Both places count from 0 and belong to the range. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** What comes of a Range header: these bytes, nothing that there is, or no ranges at all. */
export type AskedRanges = readonly ByteRange[] | 'unsatisfiable' | 'none';

/** More in one request are not served: the whole goes out instead, with 200. */
export const maxRanges = 20;

const rangeSpec = /^(?:(\d+)-(\d*)|-(\d+))$/;

/**
 * The ranges of a header over `size` bytes, in the order of the header and without those that lie beyond the end.
 * `none` is a header that is left out of account: another unit, what is malformed, too many ranges, and ranges
 * that together are more than the whole.
 */
export function parseRanges(header: string | undefined, size: number): AskedRanges {
  const [, unit = '', list = ''] = /^\s*([^=\s]+)=(.*)$/s.exec(header ?? '') ?? [];
  if (unit.toLowerCase() !== 'bytes') return 'none';
  const specs = list.split(',', 10 * maxRanges).map((spec) => spec.trim());
  const named = specs.filter((spec) => spec !== '');
  if (named.length === 0 || named.length > maxRanges) return 'none';
  const ranges: ByteRange[] = [];
  for (const spec of named) {
    const range = parseRange(spec, size);
    if (range === undefined) return 'none';
    if (range.first <= range.last) ranges.push(range);
  }
  if (ranges.length === 0) return 'unsatisfiable';
  return ranges.length > 1 && bytesIn(ranges) > size ? 'none' : ranges;
}

export function bytesIn(ranges: readonly ByteRange[]): number {
  return ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);
}

/** One that ends before it begins holds none of the bytes there are; `undefined` when it is malformed. */
function parseRange(spec: string, size: number): ByteRange | undefined {
  const [, start, end, suffix] = rangeSpec.exec(spec) ?? [];
  if (suffix !== undefined) return { first: Math.max(0, size - Number(suffix)), last: size - 1 };
  if (start === undefined) return undefined;
  const first = Number(start);
  const last = end ? Number(end) : Number.POSITIVE_INFINITY;
  if (last < first) return undefined;
  return first < size ? { first, last: Math.min(last, size - 1) } : { first: 0, last: -1 };
}

/**
 * Whether a Range header counts: without If-Range always, and else only when the client has the very version that
 * is here. A weak tag never says so; a date does when it is exactly that of Last-Modified and is a strong validator,
 * a second older than now (section 8.8.2.2).
 */
export function ifRangeHolds(
  header: string | undefined,
  { entityTag, lastModifiedMs }: Validators,
  nowMs: number,
): boolean {
  if (header === undefined) return true;
  const value = header.trim();
  if (value.startsWith('"')) return value === entityTag;
  if (lastModifiedMs === undefined) return false;
  const isTheSame = parseHttpDate(value, nowMs) === lastModifiedMs - (lastModifiedMs % 1000);
  return isTheSame && nowMs - lastModifiedMs >= 1000;
}

/** As Content-Range says which bytes are sent. */
export function contentRange(range: ByteRange | undefined, size: number): string {
  return `bytes ${range === undefined ? '*' : `${range.first}-${range.last}`}/${size}`;
}

/** A part of `multipart/byteranges` (section 14.6). */
export interface RangePart {
  readonly head: Buffer;
  readonly range: ByteRange;
}

export interface Multipart {
  readonly parts: readonly RangePart[];
  readonly end: Buffer;
  /** Of all of it. */
  readonly size: number;
}

export function multipartOf(
  ranges: readonly ByteRange[],
  boundary: string,
  contentType: string,
  size: number,
): Multipart {
  const parts = ranges.map((range, place) => ({
    head: Buffer.from(
      `${place === 0 ? '' : '\r\n'}--${boundary}\r\nContent-Type: ${contentType}\r\nContent-Range: ${contentRange(range, size)}\r\n\r\n`,
    ),
    range,
  }));
  const end = Buffer.from(`\r\n--${boundary}--\r\n`);
  const headBytes = parts.reduce((sum, { head }) => sum + head.length, 0);
  return { parts, end, size: headBytes + bytesIn(ranges) + end.length };
}

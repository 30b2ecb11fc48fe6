/** Range and If-Range: RFC 9110 sections 13.1.5 and 14. */

import { wholeSeconds } from '#base/whole-seconds.js';
import type { Validators } from '../caching/conditional.js';
import { parseHttpDate } from '../headers/http-date.js';

/** Both positions count from 0 and are inclusive. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** With more ranges, the whole content is sent instead, with 200. */
const maxRanges = 20;

const rangeSpec = /^(?:(\d+)-(\d*)|-(\d+))$/;

/**
 * Returns the ranges of a header over `size` bytes in order, without those beyond the end. Ignores
 * a header (`none`) with another unit, with a malformed range, and with too many ranges or more
 * bytes than the whole.
 */
export function parseRanges(
  header: string | undefined,
  size: number,
): readonly ByteRange[] | 'unsatisfiable' | 'none' {
  const [, unit = '', list = ''] = /^\s*([^=\s]+)=(.*)$/s.exec(header ?? '') ?? [];
  if (unit.toLowerCase() !== 'bytes') return 'none';
  const specs = list.split(',', 10 * maxRanges).map((spec) => spec.trim());
  const named = specs.filter((spec) => spec !== '');
  if (named.length === 0 || named.length > maxRanges) return 'none';
  const parsed = named.flatMap((spec) => parseRange(spec, size) ?? []);
  if (parsed.length < named.length) return 'none';
  const ranges = parsed.filter(({ first, last }) => first <= last);
  if (ranges.length === 0) return 'unsatisfiable';
  return ranges.length > 1 && bytesIn(ranges) > size ? 'none' : ranges;
}

function bytesIn(ranges: readonly ByteRange[]): number {
  return ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);
}

/**
 * Treats a range that ends before it begins as beyond the end; returns `undefined` if it is
 * malformed.
 */
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
 * Returns whether a Range header applies: always without If-Range, else only if the client has this
 * version. A weak tag never matches. A date matches if it equals Last-Modified and is at least a
 * second old, so that it is a strong validator (section 8.8.2.2).
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
  const isTheSame = parseHttpDate(value, nowMs) === wholeSeconds(lastModifiedMs);
  return isTheSame && nowMs - lastModifiedMs >= 1000;
}

/** Without a range, writes the form for 416. */
export function contentRange(range: ByteRange | undefined, size: number): string {
  return `bytes ${range === undefined ? '*' : `${range.first}-${range.last}`}/${size}`;
}

/** `multipart/byteranges` (section 14.6). */
interface Multipart {
  readonly parts: readonly { readonly head: Buffer; readonly range: ByteRange }[];
  readonly end: Buffer;
  /** Size of the whole multipart body. */
  readonly size: number;
}

export function multipartOf(
  ranges: readonly ByteRange[],
  boundary: string,
  contentType: string,
  size: number,
): Multipart {
  const parts = ranges.map((range, index) => ({
    head: Buffer.from(
      `${index === 0 ? '' : '\r\n'}--${boundary}\r\nContent-Type: ${contentType}\r\nContent-Range: ${contentRange(range, size)}\r\n\r\n`,
    ),
    range,
  }));
  const end = Buffer.from(`\r\n--${boundary}--\r\n`);
  const headBytes = parts.reduce((sum, { head }) => sum + head.length, 0);
  return { parts, end, size: headBytes + bytesIn(ranges) + end.length };
}

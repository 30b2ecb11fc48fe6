/** Pages of lists, which cursors continue. */

import type { JsonObject } from '../../../base/json-object.js';
import { invalidParams } from '../messages/rpc-error.js';
import type { Call } from './call.js';

export const maxPageSize = 1000;

/** Returns a page of a list under a name, with the cursor of the next page if there is one. */
export function pageOf(
  { params: { cursor }, pageSize }: Call,
  name: string,
  items: readonly JsonObject[],
  standardSize: number,
): JsonObject {
  const size = pageSize ?? standardSize;
  const start = cursor === undefined ? 0 : startOf(name, cursor);
  const end = start + size;
  const nextCursor = cursorAt(name, end);
  return { [name]: items.slice(start, end), ...(end < items.length && { nextCursor }) };
}

function cursorAt(name: string, start: number): string {
  return Buffer.from(`${name}:${start}`).toString('base64url');
}

function startOf(name: string, cursor: unknown): number {
  const [, start] = /^(\d{1,7})$/.exec(textOf(cursor).slice(name.length + 1)) ?? [];
  const place = Number(start);
  if (start === undefined || cursorAt(name, place) !== cursor) {
    throw invalidParams('cursor must be a nextCursor of an earlier page of this list.');
  }
  return place;
}

function textOf(cursor: unknown): string {
  return typeof cursor === 'string' ? Buffer.from(cursor, 'base64url').toString() : '';
}

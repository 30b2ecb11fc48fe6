/** Cursors of a list that never ends. */

import type { JsonObject } from '#base/json-object.js';

const endless = /^endless-(\d{1,6})$/;

/** Returns the page of an endless cursor; 0 for the first. */
export function pageOf(cursor: unknown): number {
  return Number(endless.exec(String(cursor))?.[1] ?? 0);
}

/** Whether a cursor is of a list that never ends. */
export const isEndless = (cursor: unknown) => pageOf(cursor) > 0;

export function endlessCursor({ cursor }: JsonObject): string {
  return `endless-${pageOf(cursor) + 1}`;
}

/** Removes an endless cursor, which the list does not know. */
export function withoutEndless(params: JsonObject): JsonObject {
  if (!isEndless(params.cursor)) return params;
  const { cursor: _, ...others } = params;
  return others;
}

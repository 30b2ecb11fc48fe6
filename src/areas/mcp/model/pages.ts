/** Pages of lists, which cursors continue. */

import type { JsonObject } from '#base/json-object.js';
import { invalidParams } from '../messages/rpc-error.js';
import type { Call } from './call.js';

export const maxPageSize = 1000;

/** The members of results that are lists, by the methods. */
const listNames: Readonly<Record<string, string>> = {
  'tools/list': 'tools',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
  'prompts/list': 'prompts',
};

/** Returns a page of a list, with the cursor of the next page if there is one. */
export function pageOf(
  { method, params: { cursor }, pageSize }: Call,
  items: readonly JsonObject[],
  standardSize: number,
): JsonObject {
  const { [method]: name = method } = listNames;
  const size = pageSize ?? standardSize;
  const start = cursor === undefined ? 0 : startOf(name, cursor);
  const end = start + size;
  const nextCursor = cursorAt(name, end);
  return { [name]: items.slice(start, end), ...(end < items.length && { nextCursor }) };
}

function cursorAt(name: string, start: number): string {
  return Buffer.from(`${name}:${start}`).toString('base64url');
}

/** Whether a cursor is of the list of a method; `undefined` for a method without pages. */
export function isCursorOf(method: string, cursor: unknown): boolean | undefined {
  const { [method]: name } = listNames;
  return name === undefined ? undefined : placeOf(name, cursor) !== undefined;
}

function startOf(name: string, cursor: unknown): number {
  const place = placeOf(name, cursor);
  if (place !== undefined) return place;
  throw invalidParams('cursor must be a nextCursor of an earlier page of this list.');
}

function placeOf(name: string, cursor: unknown): number | undefined {
  const [, start] = /^(\d{1,7})$/.exec(textOf(cursor).slice(name.length + 1)) ?? [];
  const index = Number(start);
  return start !== undefined && cursorAt(name, index) === cursor ? index : undefined;
}

function textOf(cursor: unknown): string {
  return typeof cursor === 'string' ? Buffer.from(cursor, 'base64url').toString() : '';
}

/** Filters, sorts and limits lists like json-server 1. */

import { isObject } from '#base/json-object.js';
import type { Steps } from '#base/run-steps.js';
import { HttpError } from '#http/http-error.js';
import { where } from '#kit/json-server/list-0.js';
import { memberReader } from '#kit/json-server/member-at.js';
import { firstOf, type GivenQuery } from '#kit/json-server/read-query.js';
import { checkSortKeys, sortItems } from '#kit/json-server/sort-items.js';

const reserved = ['_sort', '_page', '_per_page', '_embed', '_where'];

type Operators = Readonly<Record<string, (value: unknown, wanted: never) => boolean>>;

const lower = (value: unknown) => String(value).toLowerCase();
const ofTexts =
  (matches: (text: string, wanted: string) => boolean) => (value: unknown, wanted: unknown) =>
    typeof value === 'string' && matches(value.toLowerCase(), lower(wanted));

const operators: Operators = {
  lt: (value: number, wanted: number) => value < wanted,
  lte: (value: number, wanted: number) => value <= wanted,
  gt: (value: number, wanted: number) => value > wanted,
  gte: (value: number, wanted: number) => value >= wanted,
  eq: (value, wanted: unknown) => value === wanted,
  ne: (value, wanted: unknown) => value !== wanted,
  in: (value, wanted: unknown) => [wanted].flat().includes(value),
  contains: ofTexts((text, wanted) => text.includes(wanted)),
  startsWith: ofTexts((text, wanted) => text.startsWith(wanted)),
  endsWith: ofTexts((text, wanted) => text.endsWith(wanted)),
} as Operators;

/** Operators by the paths of members, or `or` with a list of conditions. */
type Where = Readonly<Record<string, unknown>>;

/** Filters and sorts the items, before the list is limited. */
export function* list1(all: readonly unknown[], query: GivenQuery): Steps<readonly unknown[]> {
  const conditions = readWhere(query);
  let items = all;
  if (Object.keys(conditions).length > 0) {
    items = yield* where(items, (item) => matches(item, conditions));
  }
  const sort = firstOf(query, '_sort');
  return sort ? yield* sorted(items, sort.split(',')) : items;
}

/** Returns a page with the numbers of other pages; without `_page`, the complete list. */
export function cut1(items: readonly unknown[], query: GivenQuery): unknown {
  const wanted = Number.parseInt(firstOf(query, '_page') ?? '', 10);
  if (Number.isNaN(wanted)) return items;
  const size = sizeOf(firstOf(query, '_per_page'));
  const pages = Math.max(1, Math.ceil(items.length / size));
  const page = Math.max(1, Math.min(wanted, pages));
  return {
    first: 1,
    prev: page > 1 ? page - 1 : null,
    next: page < pages ? page + 1 : null,
    last: pages,
    pages,
    items: items.length,
    data: items.slice((page - 1) * size, page * size),
  };
}

function sizeOf(text: string | undefined): number {
  const size = Number.parseInt(text ?? '', 10);
  return Number.isNaN(size) ? 10 : Math.max(1, size);
}

const maxConditions = 100;
const maxDepth = 20;

function readWhere(query: GivenQuery): Where {
  const where = parseWhere(firstOf(query, '_where')) ?? whereOf(query);
  let left = maxConditions;
  function count(value: unknown, depth: number): void {
    left--;
    if (left < 0 || depth > maxDepth) {
      const message = `The query must have at most ${maxConditions} conditions, at most ${maxDepth} levels deep.`;
      throw new HttpError(400, message);
    }
    if (!isObject(value) && !Array.isArray(value)) return;
    for (const inner of Object.values(value)) count(inner, depth + 1);
  }
  for (const value of Object.values(where)) count(value, 1);
  return where;
}

/** Ignores anything but a JSON object, as json-server does. */
function parseWhere(text: string | undefined): Where | undefined {
  if (text === undefined) return undefined;
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Where) : undefined;
  } catch {
    return undefined;
  }
}

function whereOf(query: GivenQuery): Where {
  const where: Record<string, unknown> = Object.create(null);
  for (const [name, values] of query) {
    if (reserved.includes(name)) continue;
    const [path, operator] = splitName(name);
    if (operator === undefined) continue;
    const text = values.at(-1) ?? '';
    const value =
      operator === 'in' ? text.split(',').map((part) => typedValue(part.trim())) : typedValue(text);
    setAt(where, [...path.split('.'), operator], value);
  }
  return where;
}

/** Splits a parameter into path and operator; the operator is empty if unknown. */
function splitName(name: string): readonly [path: string, operator: string | undefined] {
  const colon = name.lastIndexOf(':');
  if (colon >= 0) {
    const operator = name.slice(colon + 1);
    if (operator === '') return [name, 'eq'];
    return [name.slice(0, colon), Object.hasOwn(operators, operator) ? operator : undefined];
  }
  const [, path = '', operator = ''] = /^(.+)_([a-z]+)$/.exec(name) ?? [];
  return Object.hasOwn(operators, operator) ? [path, operator] : [name, 'eq'];
}

function typedValue(text: string): unknown {
  const words: Readonly<Record<string, unknown>> = { true: true, false: false, null: null };
  if (Object.hasOwn(words, text)) return words[text];
  const number = text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : text;
}

function setAt(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let inner = target;
  for (const part of path.slice(0, -1)) {
    const next = Object.hasOwn(inner, part) ? inner[part] : undefined;
    const made = isObject(next) ? next : Object.create(null);
    inner[part] = made;
    inner = made as Record<string, unknown>;
  }
  inner[path.at(-1) ?? ''] = value;
}

function matches(item: unknown, where: Where): boolean {
  return Object.entries(where).every(([name, wanted]) => {
    if (name === 'or') {
      return Array.isArray(wanted) && wanted.some((each) => isObject(each) && matches(item, each));
    }
    const value =
      typeof item === 'object' && item !== null && Object.hasOwn(item, name)
        ? (item as Readonly<Record<string, unknown>>)[name]
        : undefined;
    if (!isObject(wanted)) return false;
    const known = Object.keys(operators).filter((operator) => Object.hasOwn(wanted, operator));
    if (known.length === 0) return !isObject(value) || matches(value, wanted);
    if (value === undefined) return false;
    return known.every((operator) => operators[operator]?.(value, wanted[operator] as never));
  });
}

function* sorted(items: readonly unknown[], names: readonly string[]): Steps<readonly unknown[]> {
  checkSortKeys(names);
  const keys = names.map((name) => ({
    member: memberReader(name.replace(/^-/, '')),
    sign: name.startsWith('-') ? -1 : 1,
  }));
  const keyed = items.map((item) => ({
    item,
    values: keys.map(({ member }) => member.read(item)),
  }));
  const inOrder = yield* sortItems(keyed, (a, b) => {
    for (const [index, { sign }] of keys.entries()) {
      const [x, y] = [a.values[index], b.values[index]];
      if (x === y) continue;
      const order = compareSimply(x, y);
      if (order !== 0) return sign * order;
    }
    return 0;
  });
  return inOrder.map(({ item }) => item);
}

/** Missing, null, false and empty values come last. */
function compareSimply(x: unknown, y: unknown): number {
  if (y !== 0 && !y) return -1;
  if (x !== 0 && !x) return 1;
  if (typeof x === 'string' && typeof y === 'string') return x.localeCompare(y);
  return (x as number) < (y as number) ? -1 : 1;
}

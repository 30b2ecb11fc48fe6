/** Filters, sorts and limits lists like json-server 0.17. */

import type { Steps } from '../../../../base/run-steps.js';
import { HttpError } from '../../../../http/http-error.js';
import { linkHeader } from '../../../../http/page-links.js';
import { CheckBudget, ChecksExceeded } from '../../../../json-schema/budget.js';
import { matchesCaseless, patternFault } from '../../../../json-schema/pattern.js';
import { memberReader } from './member-at.js';
import { firstOf, type GivenQuery, maxValues, onlyOf } from './read-query.js';
import { checkSortKeys, sortItems } from './sort-items.js';

export interface Listed {
  readonly items: readonly unknown[];
  readonly headers: Readonly<Record<string, string>>;
}

/** Parameters that are not filters. */
const reserved = [
  'q',
  '_start',
  '_end',
  '_sort',
  '_order',
  '_limit',
  '_embed',
  '_expand',
  '_delay',
];

/** `url` is the complete URL of the request, which the links to other pages repeat. */
export function* list0(all: readonly unknown[], query: GivenQuery, url: string): Steps<Listed> {
  let items = all;
  const q = firstOf(query, 'q');
  if (q) items = yield* where(items, (item) => searchItem(item, q.toLowerCase()));
  const names = [...query.keys()].filter((name) => !reserved.includes(name));
  for (const name of names) {
    if (yield* isFilter(all, name)) {
      items = yield* where(items, filterBy(name, query.get(name) ?? []));
    }
  }
  const sort = onlyOf(query, '_sort');
  if (sort) items = yield* sorted(items, sort.split(','), onlyOf(query, '_order') ?? '');
  return cut(items, query, url);
}

export function* where(
  items: readonly unknown[],
  matches: (item: unknown) => boolean,
): Steps<readonly unknown[]> {
  const found: unknown[] = [];
  for (const item of items) {
    if (matches(item)) found.push(item);
    yield;
  }
  return found;
}

/** Searches the members of an item at any depth. */
function searchItem(item: unknown, q: string): boolean {
  return (
    typeof item === 'object' &&
    item !== null &&
    Object.values(item).some((value) => holds(value, q))
  );
}

function holds(value: unknown, q: string): boolean {
  if (!value) return false;
  if (typeof value === 'object') return Object.values(value).some((each) => holds(each, q));
  return String(value).toLowerCase().includes(q);
}

const operators = /_(lte|gte|ne|like)$/;

/** A parameter is a filter if an item has a field with its name, or if it has an operator. */
function* isFilter(items: readonly unknown[], name: string): Steps<boolean> {
  if (name === 'callback' || name === '_') return false;
  if (operators.test(name)) return items.length > 0;
  const member = memberReader(name);
  for (const item of items) {
    if (member.has(item)) return true;
    yield;
  }
  return false;
}

/** Several values of a filter are alternatives, except for `_ne`. */
function filterBy(name: string, values: readonly string[]): (item: unknown) => boolean {
  const [, operator] = operators.exec(name) ?? [];
  const member = memberReader(name.replace(operators, ''));
  const matches = matcher(name, operator, values);
  return (item) => {
    const value = member.read(item);
    return value !== undefined && value !== null && matches(value);
  };
}

function matcher(
  name: string,
  operator: string | undefined,
  values: readonly string[],
): (value: NonNullable<unknown>) => boolean {
  if (operator === undefined || operator === 'ne') {
    const wanted = new Set(values);
    return (value) => wanted.has(String(value)) === (operator === undefined);
  }
  if (values.length > maxValues) {
    throw new HttpError(
      400,
      `${name} must have at most ${maxValues} values; got ${values.length}.`,
    );
  }
  if (operator === 'like') return likeAny(name, values);
  // Compares a text with a number numerically, and with a text as text.
  return operator === 'gte'
    ? (value) => values.some((wanted) => (wanted as unknown as number) <= (value as number))
    : (value) => values.some((wanted) => (wanted as unknown as number) >= (value as number));
}

const maxPatterns = 10;
/** Limit for all patterns on all items of a list. */
const maxPatternChecks = 20_000_000;
const maxMatchedCharacters = 10_000;

function likeAny(name: string, patterns: readonly string[]): (value: unknown) => boolean {
  if (patterns.length > maxPatterns) {
    throw new HttpError(400, `${name} must have at most ${maxPatterns} patterns.`);
  }
  for (const pattern of patterns) {
    const fault = isPlain(pattern) ? undefined : patternFault(pattern);
    if (fault !== undefined) throw new HttpError(400, `${name} ${fault}.`);
  }
  const budget = new CheckBudget(maxPatternChecks);
  const matches = (text: string, pattern: string) =>
    isPlain(pattern)
      ? text.toLowerCase().includes(pattern.toLowerCase())
      : matchesCaseless(text.slice(0, maxMatchedCharacters), pattern, budget);
  return (value) => {
    budget.beginValue();
    try {
      return patterns.some((pattern) => matches(String(value), pattern));
    } catch (error) {
      if (!(error instanceof ChecksExceeded)) throw error;
      throw new HttpError(
        400,
        `${name} takes too long. Search for plain text, or in fewer records.`,
      );
    }
  };
}

const isPlain = (pattern: string) => !/[\\^$.*+?()[\]{}|]/.test(pattern);

function sorted(items: readonly unknown[], names: readonly string[], directions: string) {
  checkSortKeys(names);
  const orders = directions.split(',').map((each) => each.toLowerCase());
  const members = names.map(memberReader);
  const keyed = items.map((item) => ({ item, keys: members.map((member) => member.read(item)) }));
  return (function* sorting(): Steps<readonly unknown[]> {
    const inOrder = yield* sortItems(keyed, (a, b) => {
      for (const [index] of names.entries()) {
        const order = compareLoosely(a.keys[index], b.keys[index]);
        if (order !== 0) return orders[index] === 'desc' ? -order : order;
      }
      return 0;
    });
    return inOrder.map(({ item }) => item);
  })();
}

/** Null comes after values, a missing value after null. Values without an order are equal. */
function compareLoosely(a: unknown, b: unknown): number {
  if (a === b) return 0;
  const ranks = [a, b].map((value) => (value === undefined ? 2 : Number(value === null)));
  const [rankOfA = 0, rankOfB = 0] = ranks;
  if (rankOfA !== rankOfB || rankOfA > 0) return rankOfA - rankOfB;
  return (a as number) > (b as number) ? 1 : (a as number) < (b as number) ? -1 : 0;
}

/** Limits a list to a page or a slice, and reports the total. */
function cut(items: readonly unknown[], query: GivenQuery, url: string): Listed {
  const [start, end, page, limit] = ['_start', '_end', '_page', '_limit'].map(
    (name) => firstOf(query, name) || undefined,
  );
  if (!end && !limit && !page) return { items, headers: {} };
  const headers = { 'x-total-count': String(items.length) };
  if (page) {
    return cutPage(items, Number.parseInt(page, 10), Number.parseInt(limit ?? '', 10) || 10, url);
  }
  const from = Number.parseInt(start ?? '', 10) || 0;
  const to = end ? Number.parseInt(end, 10) : from + Number.parseInt(limit ?? '', 10);
  return { items: items.slice(from, to), headers };
}

function cutPage(items: readonly unknown[], wanted: number, size: number, url: string): Listed {
  const page = wanted >= 1 ? wanted : 1;
  const end = page * size;
  const found = items.slice((page - 1) * size, end);
  const isPart = found.length > 0 && found.length !== items.length;
  const urlOf = (other: number) =>
    url.replace(`page=${isPart ? page : undefined}`, `page=${other}`);
  const pages = {
    ...(isPart && { first: 1 }),
    ...(found.length > 0 && page > 1 && { prev: page - 1 }),
    ...(found.length > 0 && end < items.length && { next: page + 1 }),
    ...(isPart && { last: Math.ceil(items.length / size) }),
  };
  const urls = Object.entries(pages).map(([relation, other]) => [relation, urlOf(other)] as const);
  const link = linkHeader(Object.fromEntries(urls));
  return { items: found, headers: { 'x-total-count': String(items.length), link } };
}

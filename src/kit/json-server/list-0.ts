/** Filters, sorts and limits lists like json-server 0.17. */

import type { Steps } from '#base/run-steps.js';
import { HttpError } from '#http/http-error.js';
import { linkHeader } from '#http/page-links.js';
import { CheckBudget, ChecksExceeded } from '#json-schema/budget.js';
import { matchesPattern, patternFault } from '#json-schema/pattern.js';
import { patternParts } from '#json-schema/pattern-parts.js';
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
  const patterns = new QueryPatterns();
  for (const name of names) {
    if (yield* isFilter(all, name)) {
      items = yield* where(items, filterBy(name, query.get(name) ?? [], patterns));
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
function filterBy(
  name: string,
  values: readonly string[],
  patterns: QueryPatterns,
): (item: unknown) => boolean {
  const [, operator] = operators.exec(name) ?? [];
  const member = memberReader(name.replace(operators, ''));
  const matches =
    operator === 'like' ? likeAny(name, values, patterns) : matcher(name, operator, values);
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
  // Compares a text with a number numerically, and with a text as text.
  const isRight =
    operator === 'gte'
      ? (wanted: string, own: unknown) => (wanted as unknown as number) <= (own as number)
      : (wanted: string, own: unknown) => (wanted as unknown as number) >= (own as number);
  return (value) => {
    // Writes a long list once, not for each comparison.
    const own = typeof value === 'object' ? String(value) : value;
    return values.some((wanted) => isRight(wanted, own));
  };
}

const maxPatterns = 10;
/** Parts that the patterns of a query may have together, as in a schema. */
const maxPatternParts = 1000;
/** Limit for all patterns on all items of a list. */
const maxPatternChecks = 20_000_000;
const maxMatchedCharacters = 10_000;

/** Counts what compiling the patterns of a query costs. */
class QueryPatterns {
  #parts = 0;

  /** Throws 400 for patterns that are wrong, or too large together. */
  add(name: string, pattern: string): void {
    this.#parts += patternParts(pattern, true);
    if (this.#parts > maxPatternParts) {
      const message = `${name} makes the patterns of this query too large; use fewer classes such as \\p{L}.`;
      throw new HttpError(400, message);
    }
    const fault = patternFault(pattern, true);
    if (fault !== undefined) throw new HttpError(400, `${name} ${fault}.`);
  }
}

function likeAny(
  name: string,
  patterns: readonly string[],
  all: QueryPatterns,
): (value: unknown) => boolean {
  if (patterns.length > maxPatterns) {
    throw new HttpError(400, `${name} must have at most ${maxPatterns} patterns.`);
  }
  for (const pattern of patterns) if (!isPlain(pattern)) all.add(name, pattern);
  const budget = new CheckBudget(maxPatternChecks);
  const matches = (text: string, pattern: string) =>
    isPlain(pattern)
      ? text.toLowerCase().includes(pattern.toLowerCase())
      : matchesPattern(text.slice(0, maxMatchedCharacters), pattern, budget, true);
  return (value) => {
    budget.beginValue();
    const text = String(value);
    try {
      return patterns.some((pattern) => matches(text, pattern));
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

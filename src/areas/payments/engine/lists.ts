/** Lists and searches of objects, the newest first. */

import { invalidRequest, noSuch } from '../wire/errors.js';
import type { Call } from './call.js';
import { type Params, type Stored, type Value, visible } from './objects.js';

const maxPage = 100;
const usualPage = 10;

export const listFields = {
  limit: 'integer',
  starting_after: 'string',
  ending_before: 'string',
} as const;

function pageSize({ limit = usualPage }: Params): number {
  if (limit > maxPage) {
    throw invalidRequest(
      `This value must be less than or equal to ${maxPage} (it currently is '${limit}').`,
      { code: 'parameter_invalid_integer', param: 'limit' },
    );
  }
  if (limit >= 1) return limit;
  throw invalidRequest('This value must be greater than or equal to 1.', {
    ...{ code: 'parameter_invalid_integer', param: 'limit' },
  });
}

/** Returns one page of objects that are given the oldest first. */
export function page({ params, path }: Call, oldestFirst: readonly Stored[]): Value {
  const size = pageSize(params);
  const all = oldestFirst.filter(({ _gone }) => !_gone);
  const { starting_after: after, ending_before: before } = params;
  if (after !== undefined && before !== undefined) {
    throw invalidRequest('Send starting_after or ending_before, not both.');
  }
  // The newest object has the highest index.
  let end = all.length;
  let start = Math.max(0, end - size);
  let hasMore = start > 0;
  if (after !== undefined) {
    end = indexOf(all, after, 'starting_after');
    start = Math.max(0, end - size);
    hasMore = start > 0;
  } else if (before !== undefined) {
    start = indexOf(all, before, 'ending_before') + 1;
    end = Math.min(all.length, start + size);
    hasMore = end < all.length;
  }
  const data = all.slice(start, end).reverse().map(visible);
  return { object: 'list', data, has_more: hasMore, url: path };
}

function indexOf(all: readonly Stored[], id: string, param: string): number {
  const found = all.findIndex((object) => object.id === id);
  if (found < 0) throw noSuch('object', id, param);
  return found;
}

/** Lists the objects of a type whose members equal the parameters of these names. */
export function list(call: Call, type: string, names: readonly string[] = []): Value {
  const { ledger, params } = call;
  const wanted = names.filter((name) => params[name] !== undefined);
  const matching = ledger
    .all(type)
    .filter(
      (object) =>
        isWithin(object.created ?? object.date, params.created) &&
        wanted.every((name) => object[name] === params[name]),
    );
  return page(call, matching);
}

export function isWithin(time: number, range: Value): boolean {
  if (range === undefined) return true;
  if (typeof range === 'number') return time === range;
  const { gt = -1, gte = 0, lt = Number.POSITIVE_INFINITY, lte = lt } = range;
  return time > gt && time >= gte && time < lt && time <= lte;
}

interface Clause {
  readonly path: readonly string[];
  readonly operator: string;
  readonly value: string;
  readonly isNegated: boolean;
}

/** A clause such as `-metadata["key"]:"value"` or `amount>100`. */
const clauseForm =
  /^(-?)([a-z_]{1,40})(?:\["([^"]{1,40})"\])?(:|~|>=|<=|>|<)("[^"]{0,500}"|\d{1,15}|null)$/;
const maxQuery = 1000;
const maxClauses = 10;

/** Searches as the provider does: clauses that AND or OR joins, and never both. */
export function search(call: Call, type: string): Value {
  const { ledger, params, path } = call;
  const { clauses, isAny } = parseQuery(params.query);
  const size = pageSize(params);
  const found = ledger
    .all(type)
    .filter(
      (object) =>
        !object._gone && clauses[isAny ? 'some' : 'every']((clause) => matches(object, clause)),
    )
    .reverse();
  const start = params.page === undefined ? 0 : startOf(params.page);
  const data = found.slice(start, start + size).map(visible);
  const hasMore = start + size < found.length;
  const next = hasMore ? Buffer.from(String(start + size)).toString('base64url') : null;
  return { object: 'search_result', data, has_more: hasMore, next_page: next, url: path };
}

function startOf(pageToken: string): number {
  const start = Number(Buffer.from(pageToken, 'base64url').toString());
  if (Number.isInteger(start) && start > 0) return start;
  throw invalidRequest('The page is not a next_page of an earlier search.', { param: 'page' });
}

function parseQuery(query: string): { readonly clauses: Clause[]; readonly isAny: boolean } {
  const fault = (message: string) => invalidRequest(message, { param: 'query' });
  if (query.length > maxQuery) throw fault(`A query has at most ${maxQuery} characters.`);
  const isAny = / OR /.test(query);
  if (isAny && / AND /.test(query)) throw fault('A query cannot mix AND and OR.');
  const parts = query.split(isAny ? ' OR ' : ' AND ');
  if (parts.length > maxClauses) throw fault(`A query has at most ${maxClauses} clauses.`);
  const clauses = parts.map((part) => {
    const [, minus, name = '', key, operator = '', value = ''] = clauseForm.exec(part.trim()) ?? [];
    if (name === '') {
      throw fault('The query cannot be parsed. Use clauses such as name:"Ann".');
    }
    const text = value.startsWith('"') ? value.slice(1, -1) : value;
    return {
      ...{ path: key === undefined ? [name] : [name, key], operator, value: text },
      isNegated: minus === '-',
    };
  });
  return { clauses, isAny };
}

function matches(object: Stored, { path, operator, value, isNegated }: Clause): boolean {
  let found: Value = object;
  for (const name of path) found = found?.[name];
  return compare(found ?? null, operator, value) !== isNegated;
}

function compare(found: Value, operator: string, value: string): boolean {
  if (value === 'null') return found === null;
  if (found === null) return false;
  if (operator === ':') return String(found).toLowerCase() === value.toLowerCase();
  if (operator === '~') return String(found).toLowerCase().includes(value.toLowerCase());
  const difference = Number(found) - Number(value);
  if (operator === '>') return difference > 0;
  if (operator === '<') return difference < 0;
  return operator === '>=' ? difference >= 0 : difference <= 0;
}

/** Parses query strings like json-server, within limits. */

import { HttpError } from '#http/http-error.js';

/** Values by name; a repeated parameter is a list. */
export type GivenQuery = ReadonlyMap<string, readonly string[]>;

const maxParameters = 100;
/** Except for equality, which uses an index, each value of a filter is compared with each record. */
export const maxValues = 100;
const maxUrlLength = 8000;

/** Whether the parameter `v` selects a version, instead of filtering by a field. */
export function isVersion(value: unknown): value is '0' | '1' {
  return value === '0' || value === '1';
}

/** Parses `name[]` and `name[0]` as repeated parameters, because many clients write lists in this way. */
export function readQuery(url: string): GivenQuery {
  if (url.length > maxUrlLength) {
    throw new HttpError(414, `The URL is longer than ${maxUrlLength} characters.`);
  }
  const start = url.indexOf('?');
  const query = new Map<string, string[]>();
  if (start < 0) return query;
  for (const [sent, value] of new URLSearchParams(url.slice(start + 1))) {
    const name = sent.replace(/\[\d{0,2}\]$/, '');
    const values = query.get(name);
    if (values === undefined) query.set(name, [value]);
    else values.push(value);
  }
  if (query.size > maxParameters) {
    throw new HttpError(400, `The query has more than ${maxParameters} parameters.`);
  }
  if (isVersion(query.get('v')?.[0])) query.delete('v');
  return query;
}

export function firstOf(query: GivenQuery, name: string): string | undefined {
  return query.get(name)?.[0];
}

/** Throws 400 for a repeated parameter, which would be ambiguous. */
export function onlyOf(query: GivenQuery, name: string): string | undefined {
  const values = query.get(name) ?? [];
  if (values.length <= 1) return values[0];
  throw new HttpError(400, `${name} must be given once, with commas between its parts.`);
}

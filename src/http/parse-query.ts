import { requireLazily } from '../base/require-lazily.js';

const querystring = requireLazily<typeof import('fast-querystring')>('fast-querystring');

/** Parses a query or a form. A repeated name is a list of its values. */
export function parseQuery(text: string): Record<string, string | string[]> {
  return querystring().parse(text);
}

/** The headers that tell a client where it is in a list: RFC 8288 links, and figures. */

import type { Query } from '../source/source.js';
import type { ListWindow } from './list-query.js';

export type PageLinks = Readonly<Record<string, string>>;

/** Returns the URLs of other parts of a list by relation; none of a whole one. They begin with `url`. */
export function pageLinks(url: string, query: Query, window: ListWindow, total: number): PageLinks {
  const { limit, page } = window;
  if (limit === undefined) return {};
  const targets = page === undefined ? offsets(window, limit, total) : pages(page, limit, total);
  const base = `${url}?${otherParameters(query)}${page === undefined ? 'offset' : 'page'}=`;
  return Object.fromEntries(
    Object.entries(targets).map(([relation, target]) => [relation, base + target]),
  );
}

export function pagingHeaders(
  links: PageLinks,
  { limit, page }: ListWindow,
  total: number,
): Record<string, string> {
  const headers: Record<string, string> = { 'x-total-count': String(total) };
  if (limit === undefined) return headers;
  const values = Object.entries(links).map(([relation, url]) => `<${url}>; rel="${relation}"`);
  headers.link = values.join(', ');
  headers['x-per-page'] = String(limit);
  headers['x-total-pages'] = String(Math.ceil(total / limit));
  if (page !== undefined) headers['x-page'] = String(page);
  return headers;
}

function pages(page: number, limit: number, total: number): Record<string, number> {
  const last = Math.max(1, Math.ceil(total / limit));
  return {
    first: 1,
    // From beyond the end the way back leads to the last page that has anything.
    ...(page > 1 && { prev: Math.min(page - 1, last) }),
    ...(page < last && { next: page + 1 }),
    last,
  };
}

function offsets({ offset }: ListWindow, limit: number, total: number): Record<string, number> {
  // Counted from where the caller is, so that walking meets every record once.
  const lastStep = Math.max(0, Math.ceil((total - offset) / limit) - 1);
  return {
    first: 0,
    ...(offset > 0 && { prev: Math.max(0, offset - limit) }),
    ...(offset + limit < total && { next: offset + limit }),
    last: offset < total ? offset + lastStep * limit : Math.max(0, total - limit),
  };
}

function otherParameters(query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (name === 'page' || name === 'offset') continue;
    for (const text of [value].flat()) parameters.append(name, text);
  }
  return `${parameters}&`;
}

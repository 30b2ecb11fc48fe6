/** Tables of requests and responses of practice APIs: statuses, media types, members, types and counts. */

import { expect, test } from 'vitest';
import type { HttpResponse, SendOptions, TestService } from '../support/service.js';

/** A JSON value with the same members and types; see {@link list}. */
type Shape = unknown;

export interface Held extends SendOptions {
  /** Such as `GET /posts/1`, below the base URL. */
  readonly ask: string;
  readonly status?: number;
  /** The media type, without parameters. */
  readonly type?: string;
  readonly shape?: Shape;
  /** The complete body. */
  readonly is?: unknown;
  readonly text?: string | RegExp;
  /** Members of the body with their values; of a list, its first items. */
  readonly has?: object;
  readonly sets?: Readonly<Record<string, string | RegExp>>;
}

const isList = Symbol('a list of this length');

/** A list of exactly this many items of a shape. */
export const list = (length: number, item: Shape) => ({ [isList]: length, item });

/** Returns where a value differs from a shape. */
function difference(value: unknown, shape: Shape, at = 'body'): string | undefined {
  if (typeof shape === 'object' && shape !== null && isList in shape) {
    const { [isList]: length, item } = shape as { [isList]: number; item: Shape };
    if (!Array.isArray(value)) return `${at} is no list`;
    if (value.length !== length) return `${at} has ${value.length} items, not ${length}`;
    for (const [place, each] of value.entries()) {
      const found = difference(each, item, `${at}[${place}]`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (typeof shape !== 'object' || shape === null) {
    return typeof value === typeof shape && (value === null) === (shape === null)
      ? undefined
      : `${at} is ${JSON.stringify(value)}, not a ${shape === null ? 'null' : typeof shape}`;
  }
  if (Array.isArray(shape)) {
    if (!Array.isArray(value) || value.length === 0) return `${at} is no list with items`;
    const found = value.map((each, place) => difference(each, shape[0], `${at}[${place}]`));
    return found.find((each) => each !== undefined);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return `${at} is no object`;
  const [names, wanted] = [Object.keys(value).sort(), Object.keys(shape).sort()];
  if (names.join() !== wanted.join()) return `${at} has ${names.join()}, not ${wanted.join()}`;
  for (const name of names) {
    const inner = difference(
      (value as Record<string, unknown>)[name],
      (shape as Record<string, unknown>)[name],
      `${at}.${name}`,
    );
    if (inner !== undefined) return inner;
  }
  return undefined;
}

export function check(response: HttpResponse, held: Held): void {
  const { status = 200, type = 'application/json', shape, is, has, text, sets = {} } = held;
  expect(response.status, response.text.slice(0, 500)).toBe(status);
  if (response.text !== '') expect(response.headers['content-type']?.split(';')[0]).toBe(type);
  if (shape !== undefined) expect(difference(response.json, shape)).toBeUndefined();
  if (is !== undefined) expect(response.json).toEqual(is);
  if (Array.isArray(has)) expect(response.json.slice(0, has.length)).toMatchObject(has);
  else if (has !== undefined) expect(response.json).toMatchObject(has);
  if (typeof text === 'string') expect(response.text).toBe(text);
  else if (text !== undefined) expect(response.text).toMatch(text);
  for (const [name, value] of Object.entries(sets)) {
    const sent = String(response.headers[name.toLowerCase()]);
    if (typeof value === 'string') expect(sent, name).toBe(value);
    else expect(sent, name).toMatch(value);
  }
}

/** Sends each request below the base URL, in the order of the table, and in a sandbox of the table. */
export function hold(
  { send }: TestService,
  base: string,
  title: string,
  table: readonly Held[],
): void {
  const sandbox = sandboxOf(title);
  test.each(table.map((held) => [held.ask, held] as const))(`${title}: %s`, async (ask, held) => {
    const [method, path] = ask.split(/ (.*)/);
    check(await send(`${method} /s/${sandbox}${base}${path}`, held), held);
  });
}

const sandboxOf = (title: string) => title.toLowerCase().replace(/[^a-z0-9]+/g, '-');

const changePath = (ask: string, change: (path: string, query: string) => string) =>
  ask.replace(/ ([^?]*)\??(.*)/, (_all, path, query) => ` ${change(path, query)}`);
const withQuery = (path: string, query: string) => (query === '' ? path : `${path}?${query}`);

type Vary = (held: Held) => Held;

/** Ways to write a request that no documentation shows, with the same response. */
const variants: Readonly<Record<string, Vary>> = {
  'with a slash at the end': (held) => ({
    ...held,
    ask: changePath(held.ask, (path, query) => withQuery(`${path.replace(/\/$/, '')}/`, query)),
  }),
  'with an unused parameter': (held) => ({
    ...held,
    ask: changePath(held.ask, (path, query) =>
      withQuery(path, [query, 'unused=1'].filter(Boolean).join('&')),
    ),
  }),
  'with other headers': (held) => ({
    ...held,
    headers: {
      'X-Requested-With': 'XMLHttpRequest',
      Origin: 'http://example.com',
      ...held.headers,
    },
  }),
};

/**
 * Holds the table three more times, in each variant, with X-Sandbox instead of a path. Where responses
 * describe the URL of the request, only statuses and types stay the same.
 */
export function holdVariants(
  { send }: TestService,
  base: string,
  title: string,
  table: readonly Held[],
  { describesUrl = false } = {},
): void {
  for (const [name, vary] of Object.entries(variants)) {
    test(`${title}, ${name}`, async () => {
      for (const held of table) {
        const { ask, headers, ...varied } = vary(held);
        const [method, path] = ask.split(/ (.*)/);
        const all = { ...headers, 'X-Sandbox': sandboxOf(title + name) };
        try {
          const { sets: _sets, ...kept } = held;
          const { shape: _shape, is: _is, has: _has, text: _text, ...head } = kept;
          const expected = ask === held.ask ? held : describesUrl ? head : kept;
          check(await send(`${method} ${base}${path}`, { ...varied, headers: all }), expected);
        } catch (error) {
          throw new Error(`${ask}: ${(error as Error).message}`, { cause: error });
        }
      }
    });
  }
}

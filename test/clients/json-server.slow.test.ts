/** The paths of json-server, request by request beside json-server itself. */

import { request } from 'undici';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { createService, type Service } from '../../src/index.js';
import { testsWith } from '../support/foreign-program.js';
import { type File, files } from './json-server-files.js';
import { serveByJsonServer } from './serve-by-json-server.js';

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body?: string | undefined;
  readonly type?: string;
}

interface Responded {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

async function ask(base: string, { method, path, body, type }: Asked): Promise<Responded> {
  const {
    statusCode,
    headers,
    body: stream,
  } = await request(base + path, {
    method: method as 'GET',
    headers: { origin: 'http://front.example', ...(type && { 'content-type': type }) },
    ...(body !== undefined && { body }),
  });
  return { status: statusCode, headers, text: await stream.text() };
}

const get = (path: string): Asked => ({ method: 'GET', path });
const send = (method: string, path: string, json: unknown): Asked => ({
  method,
  path,
  body: JSON.stringify(json),
  type: 'application/json',
});

type Item = Readonly<Record<string, unknown>>;

const isItem = (value: unknown): value is Item =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const encoded = (value: unknown) => encodeURIComponent(String(value));

function fieldsOf(items: readonly Item[]): readonly (readonly [string, unknown])[] {
  const fields = new Map<string, unknown>();
  for (const item of items) {
    for (const [name, value] of Object.entries(item)) {
      if (isItem(value)) {
        for (const [inner, each] of Object.entries(value)) fields.set(`${name}.${inner}`, each);
      } else if (!fields.has(name) && value !== null) fields.set(name, value);
    }
  }
  return [...fields].slice(0, 7);
}

const singular = (name: string) => name.replace(/ies$/, 'y').replace(/s$/, '');

/** Reads of a fresh file. */
function reads(data: File): Asked[] {
  const names = Object.keys(data).filter((name) => !name.startsWith('$'));
  return names.flatMap((name) => {
    const path = `/${encodeURIComponent(name)}`;
    const items = data[name];
    if (!Array.isArray(items)) return [get(path), get(`${path}?q=a`), get(`${path}/1`)];
    const others = names.filter((other) => Array.isArray(data[other]));
    const ids = (items as Item[]).slice(0, 2).map(({ id }) => id);
    return [
      ...['', '?', '?q=a', '?q=', '?q=HELLO', '?ghost=1', '?id=1&id=3', '?id[]=1&id[]=2'],
      ...['?_page=1', '?_page=2&_limit=1', '?_page=3&_limit=2&_sort=id', '?_page=99', '?_page=x'],
      ...[
        '?_limit=2',
        '?_start=1&_end=3',
        '?_start=1&_limit=1',
        '?_start=1',
        '?_end=x',
        '?_limit=-1',
      ],
      ...['?_sort=ghost', '?_sort=id&_order=desc', '?ghost_ne=1', '?ghost_gte=1', '?id_like=1'],
      ...['?_sort=id&_order=DESC', '?_limit=0', '?_page=0&_limit=1', '?id_ne=1&id_ne=2', '?ID=1'],
      ...fieldsOf(items as Item[]).flatMap(([field, value]) => {
        const [name, text] = [encoded(field), encoded(value)];
        return [
          ...[
            `?${name}=${text}`,
            `?${name}_ne=${text}`,
            `?${name}_gte=${text}`,
            `?${name}_lte=${text}`,
          ],
          ...[`?_sort=${name}`, `?_sort=${name},id&_order=desc,asc`, `?${name}_like=^.*a`],
        ];
      }),
      ...others.map((other) => `?_embed=${encodeURIComponent(other)}`),
      ...others.map((other) => `?_limit=3&_expand=${encodeURIComponent(singular(other))}`),
      '?_embed=ghosts&_expand=ghost',
    ]
      .map((query) => get(path + query))
      .concat(
        [...ids, 99, 'ghost'].flatMap((id) => [
          get(`${path}/${encoded(id)}`),
          ...others.flatMap((other) => [
            get(`${path}/${encoded(id)}/${encodeURIComponent(other)}`),
            get(`${path}/${encoded(id)}?_embed=${encodeURIComponent(other)}`),
          ]),
        ]),
      );
  });
}

/** Writes, each followed by a read of the whole data. */
function writes(data: File): Asked[] {
  const names = Object.keys(data).filter((name) => !name.startsWith('$'));
  return names.flatMap((name) => {
    const path = `/${encodeURIComponent(name)}`;
    const items = data[name];
    if (!Array.isArray(items)) {
      return [
        send('PATCH', path, { more: [1] }),
        send('PUT', path, { only: null }),
        send('POST', path, { whole: true }),
      ];
    }
    const [first, second] = (items as Item[]).map(({ id }) => encoded(id));
    const others = names.filter((other) => Array.isArray(data[other]));
    return [
      send('POST', path, { title: 'new', id: null }),
      send('POST', `${path}?a=b`, { title: 'newer' }),
      send('POST', path, { id: 'own', a: 1 }),
      { method: 'POST', path, body: 'a=1&b=2&b=3', type: 'application/x-www-form-urlencoded' },
      { method: 'POST', path, body: '{"a":1}', type: 'text/plain' },
      send('PUT', `${path}/own`, { b: 2, id: 'other' }),
      send('PATCH', `${path}/own`, { c: null, d: { e: 1 } }),
      send('PATCH', `${path}/ghost`, { c: 1 }),
      send('PUT', `${path}/ghost`, {}),
      ...(first === undefined
        ? []
        : [
            send('PUT', `${path}/${first}`, { whole: 1 }),
            send('PATCH', `${path}/${second ?? first}`, { title: 'changed' }),
            ...others.map((other) => send('POST', `${path}/${first}/${encoded(other)}`, { n: 1 })),
            { method: 'DELETE', path: `${path}/${first}` },
          ]),
      { method: 'DELETE', path: `${path}/own` },
      { method: 'DELETE', path: `${path}/ghost` },
      send('POST', path, { again: 1 }),
      get(`${path}?_page=1&_limit=2`),
    ];
  });
}

/** Requests that are equal whatever the data, but for their names. */
function others(data: File): Asked[] {
  const names = Object.keys(data).filter((name) => !name.startsWith('$'));
  const paths = names.flatMap((name) => {
    const path = `/${encodeURIComponent(name)}`;
    return [path, `${path}/1`, `${path}/1/${encodeURIComponent(name)}`];
  });
  const deep = ['/users/1/posts/1', '/a/b/c/d/e', '/a/b/c/d?x=1'];
  return [
    ...[...paths, ...deep, '/ghosts'].map((path) => ({ method: 'OPTIONS', path })),
    ...deep.flatMap((path) => [
      get(path),
      send('POST', path, {}),
      send('PUT', path, {}),
      { method: 'DELETE', path },
    ]),
  ];
}

/** Writes without a body. */
function emptyWrites(data: File): Asked[] {
  const names = Object.keys(data).filter((name) => !name.startsWith('$'));
  return [...names, 'ghosts'].flatMap((name) => {
    const path = `/${encodeURIComponent(name)}`;
    const items = data[name];
    const [{ id = 1 } = {}] = (Array.isArray(items) ? items : []) as Item[];
    const ofRecord = [`${path}/${encoded(id)}`, `${path}/ghost`];
    return Array.isArray(items) || items === undefined
      ? [
          { method: 'POST', path },
          ...ofRecord.flatMap((each) => [
            { method: 'PUT', path: each },
            { method: 'PATCH', path: each },
          ]),
        ]
      : [
          { method: 'PUT', path },
          { method: 'PATCH', path },
        ];
  });
}

/** The compared headers, by version. In version 1 each side has other headers for CORS. */
const compared = [
  [
    ...['content-type', 'x-total-count', 'link', 'location', 'cache-control', 'pragma', 'expires'],
    ...['access-control-allow-origin', 'access-control-allow-credentials'],
    ...['access-control-expose-headers', 'x-content-type-options'],
  ],
  ['content-type'],
];

/** Replaces random ids of either side by their order of appearance. */
class RandomIds {
  readonly #known: string[] = [];

  /** Notes the id in the response to a creation. */
  note(text: string): void {
    const [, id] = /"id": "([\w-]{7}|[\w-]{11})"/.exec(text) ?? [];
    if (id !== undefined && !this.#known.includes(id)) this.#known.push(id);
  }

  replaceIn(text: string): string {
    return this.#known.reduce((shown, id, place) => shown.replaceAll(id, `random-${place}`), text);
  }
}

interface Side {
  /** Ids in headers. */
  readonly names: readonly string[];
  readonly base: string;
  readonly ids: RandomIds;
}

async function shownBy({ base, ids, names }: Side, asked: Asked) {
  const { status, headers, text } = await ask(base, asked);
  if (asked.method === 'POST') ids.note(text);
  const shown = names.map((name) => {
    const value = headers[name];
    return [name, typeof value === 'string' ? ids.replaceIn(value.replaceAll(base, '')) : value];
  });
  return {
    status,
    text: ids.replaceIn(text),
    headers: Object.fromEntries(shown),
  };
}

type Shown = Awaited<ReturnType<typeof shownBy>>;

/** The differences that the guide lists, with the observations of this test. */
const differences: Readonly<Record<string, (theirs: Shown, ours: Shown) => boolean>> = {
  'a 4xx instead of a 500': (theirs, ours) =>
    theirs.status === 500 && ((ours.status >= 400 && ours.status < 500) || ours.status < 300),
};

function isListed(theirs: Shown, ours: Shown): boolean {
  return Object.values(differences).some((matches) => matches(theirs, ours));
}

describe.each([0, 1] as const)('version %i', (version) => {
  const tests = testsWith('json-server');
  let service: Service;
  let urls: readonly string[] = [];
  let stop = () => {};

  beforeAll(async () => {
    if (!tests.isInstalled) return;
    service = await createService({ jsonServerPort: 0, jsonServerVersion: version });
    const data = files.map(([, each]) => each);
    ({ urls, stop } = await serveByJsonServer(data, version));
  });

  afterAll(async () => {
    stop();
    await service?.close();
  });

  let requests = 0;

  tests.test.each(files.map(([name, data], place) => [name, data, place] as const))(
    'responses for %s are equal',
    async (_name, data, place) => {
      const sandbox = `compared-${place}`;
      const put = await fetch(`${service.url}/s/${sandbox}/api/sandbox/data`, {
        method: 'PUT',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(data),
      });
      expect(put.status, await put.text()).toBe(200);
      const port = service.ownUrls['/json-server'];
      const names = compared[version] ?? [];
      const theirs = { names, base: urls[place] ?? '', ids: new RandomIds() };
      const ours = { names, base: `${port}/s/${sandbox}`, ids: new RandomIds() };
      const first = Object.keys(data).filter((name) => !name.startsWith('$'));
      const after = version === 0 ? ['/db'] : first.map((name) => `/${encodeURIComponent(name)}`);
      const asked = [
        ...reads(data),
        ...others(data),
        ...[...writes(data), ...emptyWrites(data)].flatMap((write) => [write, ...after.map(get)]),
      ];
      for (const each of asked) {
        requests++;
        const [expected, found] = [await shownBy(theirs, each), await shownBy(ours, each)];
        if (isListed(expected, found)) continue;
        // More headers may be exposed, and every response here has Cache-Control.
        const isOptions = each.method === 'OPTIONS';
        for (const name of [
          'access-control-expose-headers',
          ...(isOptions ? ['cache-control'] : []),
        ]) {
          if (expected.headers[name] === undefined) found.headers[name] = undefined;
        }
        expect(found, `${each.method} ${each.path} ${each.body ?? ''}`).toEqual(expected);
      }
    },
    60_000,
  );

  tests.test('compares at least 400 requests', () => {
    expect(requests).toBeGreaterThan(400);
  });
});

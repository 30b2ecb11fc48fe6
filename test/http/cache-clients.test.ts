/** Caches that we did not write follow the directives of the cache lab; wrong clients are found. */

import { Agent as HttpAgent } from 'node:http';
import { got } from 'got';
import { Agent, interceptors, request } from 'undici';
import { afterAll, describe, expect, test } from 'vitest';
import type { Verdict } from '../../src/kit/verdict/verdict.js';
import { afterCrossing, isProxied } from '../support/create-service.js';
import { useService } from '../support/service.js';
import { startVarnish, varnish } from '../support/varnish.js';

const service = useService();
const { send } = service;

let names = 0;
const newPath = () => `/s/cache-clients/api/http/cache/r${names++}`;

type Outcomes = Readonly<Record<string, Verdict['outcome']>>;

async function outcomesOf(path: string): Promise<Outcomes> {
  const verdicts: readonly Verdict[] = (await send(`GET ${path}/hits`)).json.verdicts;
  const reached = verdicts.filter(({ outcome }) => outcome !== 'not-reached');
  return Object.fromEntries(reached.map(({ rule, outcome }) => [rule, outcome]));
}

/** Reads with a client, and returns the id of the request whose response it got. */
type Read = (url: string) => Promise<string>;

function gotWith(cache?: Map<string, unknown>): Read {
  // On one connection, the order of requests is certain.
  const http = new HttpAgent({ keepAlive: true, maxSockets: 1 });
  afterAll(() => http.destroy());
  const options = { agent: { http }, retry: { limit: 0 }, throwHttpErrors: false };
  const client = got.extend(cache === undefined ? options : { ...options, cache });
  return async (url) => String((await client(url)).headers['x-request-id']);
}

function undiciCache(): Read {
  const agent = new Agent({ connections: 1 });
  afterAll(() => agent.close());
  const dispatcher = agent.compose(interceptors.cache());
  return async (url) => {
    const { headers, body } = await request(url, { dispatcher });
    await body.dump();
    return String(headers['x-request-id']);
  };
}

const clients: Readonly<Record<string, Read>> = {
  got: gotWith(new Map()),
  undici: undiciCache(),
  nothing: gotWith(),
};

const stale = 'maxAge=60&age=60';

/** By query, what is kept by clients; nothing else than advice may be disregarded. */
const cases: readonly (readonly [query: string, rule: string, keeping: readonly string[]])[] = [
  ['maxAge=60&noCache=true', 'no-cache', ['got', 'undici']],
  [`${stale}&mustRevalidate=true`, 'must-revalidate', ['got']],
  [`${stale}&swr=60`, 'stale-while-revalidate', ['got']],
  [`${stale}&proxyRevalidate=true`, 'proxy-revalidate', []],
  ['status=299&mustUnderstand=true', 'must-understand', []],
  ['noStore=true&mustUnderstand=true', 'no-store', []],
  ['noStore=true', 'no-store', ['got', 'undici', 'nothing']],
  [`${stale}&noTransform=true`, 'no-transform', []],
  ['maxAge=60&immutable=true', 'immutable', []],
  ['maxAge=60&sMaxage=0', 'reuse-fresh', []],
];

describe.each(Object.entries(clients))('%s', (name, read) => {
  test.each(cases)('%s: nothing is broken', async (query, rule, keeping) => {
    const path = newPath();
    for (let count = 0; count < 3; count++) {
      await read(`${service.url}${path}?${query}`);
      await afterCrossing();
    }
    const { 'must-understand': unknownStatus, ...outcomes } = await outcomesOf(path);
    expect(Object.values(outcomes)).not.toContain('broken');
    if (rule === 'must-understand') {
      // got stores a status whose caching it cannot know.
      expect(unknownStatus).toBe(name === 'got' ? 'broken' : 'kept');
    } else if (keeping.includes(name)) {
      expect(outcomes[rule]).toBe('kept');
    }
  });
});

test.each(['got', 'undici'])('%s stores a status that it does not know', async (name) => {
  const path = newPath();
  const url = `${service.url}${path}?maxAge=60&status=299&mustUnderstand=true`;
  const first = await clients[name]?.(url);
  expect(await clients[name]?.(url)).toBe(first);
  expect(await outcomesOf(path)).toEqual({});
  await send(`POST ${path}/reuses`, { json: { requestId: first } });
  expect(await outcomesOf(path)).toEqual({ 'must-understand': 'broken' });
});

describe('Varnish', () => {
  (isProxied ? test.skip : varnish.test)('a shared cache breaks nothing', async () => {
    const cache = await startVarnish(service.url);
    try {
      for (const [query] of cases) {
        const path = newPath();
        for (let count = 0; count < 2; count++) await fetch(`${cache.url}${path}?${query}`);
        expect(Object.values(await outcomesOf(path)), query).not.toContain('broken');
      }
    } finally {
      await cache.stop();
    }
  });
});

describe('wrong clients', () => {
  const tagOf = (path: string) => `"${path.split('/').at(-1)}-1"`;
  const get = async (path: string, query: string, headers = {}) => {
    await afterCrossing();
    return send(`GET ${path}?${query}`, { headers });
  };
  const report = async (path: string, query: string, cache = 'private') => {
    const { headers } = await get(path, query);
    const json = { requestId: headers['x-request-id'], cache };
    expect((await send(`POST ${path}/reuses`, { json })).status).toBe(200);
  };

  test.each([
    ['no-cache', 'noCache=true&maxAge=60', 'private'],
    ['must-revalidate', `${stale}&mustRevalidate=true`, 'private'],
    ['proxy-revalidate', `${stale}&proxyRevalidate=true`, 'shared'],
    ['no-store', 'noStore=true', 'private'],
  ])('%s: a response is used without a request', async (rule, query, cache) => {
    const path = newPath();
    await report(path, query, cache);
    expect((await outcomesOf(path))[rule]).toBe('broken');
  });

  test('must-understand: the tag of an unknown status is sent', async () => {
    const path = newPath();
    const query = 'status=299&mustUnderstand=true';
    expect((await get(path, query)).status).toBe(299);
    expect((await get(path, query, { 'If-None-Match': tagOf(path) })).status).toBe(304);
    expect((await outcomesOf(path))['must-understand']).toBe('broken');
  });

  test('no-transform: the tag of compressed content is sent', async () => {
    const path = newPath();
    const query = `${stale}&noTransform=true`;
    await get(path, query);
    await get(path, query, { 'If-None-Match': tagOf(path).replace(/"$/, '-gzip"'), Via: '1.1 x' });
    expect((await outcomesOf(path))['no-transform']).toBe('broken');
  });

  test('stale-if-error: the stored response is dropped at an error', async () => {
    const path = newPath();
    await send(`PUT ${path}?${stale}&sie=60`);
    const { headers } = await get(path, '');
    await send(`PUT ${path}?status=503`);
    const known = { 'If-None-Match': headers.etag ?? '' };
    expect((await get(path, '', known)).status).toBe(503);
    await get(path, '', known);
    expect((await outcomesOf(path))['stale-if-error']).toBe('kept');
    await get(path, '');
    expect((await outcomesOf(path))['stale-if-error']).toBe('against-advice');
  });

  test('stale-while-revalidate: a response is used when the time is over', async () => {
    const path = newPath();
    await report(path, `${stale}&swr=0`);
    expect((await outcomesOf(path))['stale-while-revalidate']).toBe('against-advice');
  });
});

describe('reports of reuse', () => {
  test.each([
    ['an unknown id', { requestId: 'none' }, 404],
    ['no id', {}, 400],
    ['an empty id', { requestId: '' }, 400],
    ['an id of another type', { requestId: 1 }, 400],
    ['another cache', { requestId: 'none', cache: 'mine' }, 400],
    ['another field', { requestId: 'none', age: 1 }, 400],
  ])('%s is rejected', async (_name, json, status) => {
    const path = newPath();
    await send(`GET ${path}`);
    expect((await send(`POST ${path}/reuses`, { json })).status).toBe(status);
  });

  test('they need a private sandbox', async () => {
    const { status } = await send('POST /api/http/cache/x/reuses', { json: { requestId: 'a' } });
    expect(status).toBe(403);
  });

  test('a failed response was not stored, so that no reuse can be reported', async () => {
    const path = newPath();
    const { headers } = await send(`GET ${path}?status=500`);
    const json = { requestId: headers['x-request-id'] };
    expect((await send(`POST ${path}/reuses`, { json })).status).toBe(404);
  });
});

test.each(['status=200', 'status=203', 'status=299', 'status=500', 'status=504'])(
  '%s is sent, and errors ignore conditions',
  async (query) => {
    const path = newPath();
    const expected = Number(query.slice(-3));
    const headers = { 'If-Match': '"other"' };
    expect((await send(`GET ${path}?${query}`)).status).toBe(expected);
    const conditional = (await send(`GET ${path}?${query}`, { headers })).status;
    expect(conditional).toBe(expected < 300 ? 412 : expected);
    expect((await send(`GET ${path}?status=204`)).status).toBe(400);
  },
);

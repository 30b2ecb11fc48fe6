/** Misspelled query parameters are rejected, and other names are free, where an address may have any. */

import { describe, expect, test } from 'vitest';
import { useService } from '../support/service.js';

const { send } = useService();
const headers = { 'X-Sandbox': 'misspelled' };

const paths: readonly (readonly [
  request: string,
  misspelled: Readonly<Record<string, string>>,
  free: readonly string[],
])[] = [
  [
    'GET /api/http/cache/x',
    {
      'max-age=60': 'maxAge',
      'maxage=60': 'maxAge',
      's-maxage=1': 'sMaxage',
      'No-Store=true': 'noStore',
      'stale-while-revalidate=9': 'swr',
      'staleIfErorr=9': 'sie',
      'dealy=1': 'delay',
    },
    ['page=2', 'v=1', '_=1', 'user=ada', 'cache-buster=7'],
  ],
  ['PUT /api/http/cache/x', { 'max_age=60': 'maxAge', 'Etag=weak': 'etag' }, ['page=2']],
  ['GET /api/http/cache/x/hits', { 'eror=503': 'error' }, ['page=2']],
  [
    'GET /api/http/status/200',
    { 'retry-after=3': 'retryAfter', 'Body=x': 'body', 'headers=A:b': 'header' },
    ['q=1', 'keys=1'],
  ],
  ['GET /api/http/redirect/2', { 'Status=301': 'status', 'stauts=301': 'status' }, ['code=301']],
  ['GET /api/http/redirect/loop', { 'forms=path': 'form' }, ['x=1']],
  ['GET /api/http/redirect/missing-location', { 'statuss=301': 'status' }, ['to=/x']],
  ['GET /api/http/redirect/other-port', { 'TO=/x': 'to' }, []],
  ['GET /api/http/cookies', { 'Delay=1': 'delay' }, ['name=a']],
  ['DELETE /api/http/cookies/a', { 'Path=/x': 'path', 'domian=x': 'domain' }, ['name=a']],
  ['GET /api/http/cookies/malformed', { 'errors=503': 'error' }, ['kind=a']],
  ['GET /api/http/uploads', { 'errro=503': 'error' }, ['name=a']],
  ['DELETE /api/http/uploads', { 'delays=1': 'delay' }, ['name=a']],
  ['GET /api/http/connection', { 'go-away=1': 'goaway', 'RST=1': 'rst' }, ['x=1', 'rest=1']],
  ['POST /api/http/dump', { 'As=json': 'as' }, ['has=1', 'a=1']],
];

describe.each(paths)('%s', (request, misspelled, free) => {
  test.each(Object.entries(misspelled))('?%s is 400 and means %s', async (query, meant) => {
    const { status, json } = await send(`${request}?${query}`, { headers });
    expect([status, json.message]).toEqual([
      400,
      expect.stringContaining(
        `Unknown query parameter ${query.split('=')[0]}. Did you mean ${meant}?`,
      ),
    ]);
  });

  if (free.length > 0) {
    test(`${free} are free`, async () => {
      const { status } = await send(request, { headers });
      for (const query of free) {
        expect((await send(`${request}?${query}`, { headers })).status, query).toBe(status);
      }
    });
  }
});

test('Digest rejects misspelled names before it challenges', async () => {
  const path = 'GET /api/auth/digest';
  for (const query of ['algoritm=MD5', 'user-hash=true', 'QOP=auth', 'next_nonce=true']) {
    expect((await send(`${path}?${query}`)).json.message).toContain('Did you mean');
  }
  expect((await send(`${path}?page=2`)).status).toBe(401);
});

test('every parameter of cookies/set is a cookie', async () => {
  const { status, headers: set } = await send('GET /api/http/cookies/set?dealy=1&Path=x');
  expect([status, set['set-cookie']?.length]).toEqual([200, 2]);
});

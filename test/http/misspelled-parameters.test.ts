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
  ['GET /api/http/respond?script=e30', { 'scirpt=e30': 'script' }, ['page=2']],
  ['GET /api/soap/calculator', { 'WSDL=1': 'wsdl', wsld: 'wsdl' }, ['singleWsdl=1']],
  ['POST /api/soap/secure', { 'timestmp=optional': 'timestamp' }, ['page=2']],
  ['GET /api/versioned/profile', { 'apiVersion=1': 'api-version' }, ['version=1']],
  ['GET /api/RateLimit', { 'Limit=3': 'limit', 'windows=3': 'window' }, []],
  [
    'GET /api/webhooks/samples/github',
    { 'timestmp=1': 'timestamp', 'tampre=1': 'tamper' },
    ['a=1'],
  ],
  ['POST /api/webhooks/samples/github', { 'tampr=body': 'tamper' }, ['a=1']],
  ['POST /api/webhooks/verify/github', { 'AT=1': 'at' }, ['a=1']],
  ['POST /api/auth/signature/verify', { 'schema=http': 'scheme' }, ['a=1']],
  ['GET /api/sandbox/faults/log', { 'After=1': 'after', 'wiat=1': 'wait' }, ['page=2']],
  ['GET /api/webhooks/bins/none/requests', { 'limt=1': 'limit', 'Wait=1': 'wait' }, ['page=2']],
  ['GET /api/webhooks/bins/none/events', { 'last-event-id=1': 'lastEventId' }, ['page=2']],
];

const withQuery = (request: string, query: string) =>
  `${request}${request.includes('?') ? '&' : '?'}${query}`;

describe.each(paths)('%s', (request, misspelled, free) => {
  test.each(Object.entries(misspelled))('?%s is 400 and means %s', async (query, meant) => {
    const { status, json } = await send(withQuery(request, query), { headers });
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
        expect((await send(withQuery(request, query), { headers })).status, query).toBe(status);
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

test.each([
  'POST /mcp?misbehav=a',
  'POST /llm/openai/v1/chat/completions?mis-behave=a',
  'POST /llm/anthropic/v1/messages?misbehaves=a',
])('%s is 400 in the shape of the protocol', async (target) => {
  const { status, text } = await send(target, { json: {} });
  expect([status, text]).toEqual([400, expect.stringContaining('Did you mean misbehave?')]);
});

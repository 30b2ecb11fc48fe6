/**
 * The service behind a shared cache with its default configuration: the cache never mixes up
 * callers.
 */

import { afterAll, beforeAll, describe, expect } from 'vitest';
import { createService, type Service, type ServiceOptions } from '../../src/index.js';
import { endPrograms } from '../support/run-program.js';
import { type HttpResponse, send } from '../support/service.js';
import { startVarnish, varnish } from '../support/varnish.js';

endPrograms();

const { test } = varnish;

type Headers = Readonly<Record<string, string>>;
const inSandboxes = [{ 'X-Sandbox': 'ana' }, { 'X-Sandbox': 'ben' }] as const;
const asAna = Buffer.from('ana:1').toString('base64');
const asBen = Buffer.from('ben:2').toString('base64');
const page = { Accept: 'text/html' };

/** The requests that two callers send to the same URL with different meanings. */
const requests: readonly (readonly [target: string, one: Headers, other: Headers])[] = [
  ['GET /api/Books/1', ...inSandboxes],
  ['GET /api/Books/1', inSandboxes[0], {}],
  ['GET /api/Books/1', {}, { 'X-Sandbox': 'no name!' }],
  ['GET /api/Books?limit=2', ...inSandboxes],
  ['GET /api/Events/1', ...inSandboxes],
  ['GET /api/Events/999', ...inSandboxes],
  ['GET /graphql?query={book(id:1){title}}', ...inSandboxes],
  ['GET /graphql?query={nothing}', { Accept: 'application/json' }, { Accept: '*/*' }],
  ['GET /graphql', page, { Accept: 'application/json' }],
  ['GET /', page, { Accept: 'application/json' }],
  ['GET /', { 'Accept-Encoding': 'gzip', ...page }, { 'Accept-Encoding': 'identity', ...page }],
  ['GET /', { Host: 'a.example' }, { Host: 'b.example' }],
  ['GET /api/RateLimit', { 'X-Client-Id': 'ana' }, { 'X-Client-Id': 'ben' }],
  ['GET /api/RateLimit/status', { 'X-Client-Id': 'ana' }, { 'X-Client-Id': 'cid' }],
  ['GET /api/methods/get?a=1', { 'Content-Type': 'text/a' }, { 'Content-Type': 'text/b' }],
  ['GET /api/sandbox', ...inSandboxes],
  ['GET /api/versioned/profile', { 'X-API-Version': '1' }, { 'X-API-Version': '2' }],
  ['GET /api/versioned/profile', { 'X-API-Version': '3' }, {}],
  [
    'GET /api/versioned/profile',
    { Accept: 'application/vnd.service.v1+json' },
    { Accept: 'application/vnd.service.v2+json' },
  ],
  ['GET /api/auth/basic', { Authorization: `Basic ${asAna}` }, {}],
  [
    'GET /api/auth/basic/ana/1',
    { Authorization: `Basic ${asAna}` },
    { Authorization: `Basic ${asBen}` },
  ],
  ['GET /api/auth/basic-hidden/ana/1', { Authorization: `Basic ${asAna}` }, {}],
  ['GET /api/auth/api-key/header', { 'X-API-Key': 'wrong' }, {}],
  ['GET /api/auth/api-key/cookie', { Cookie: 'api_key=wrong' }, {}],
  ['GET /api/auth/nothing', {}, { 'X-Sandbox': 'no name!' }],
  ['POST /api/auth/basic', {}, { 'X-Sandbox': 'no name!' }],
  ['GET /api/pagination/cursor?limit=2', { Host: 'a.example' }, { Host: 'b.example' }],
  ['GET /api/soap/countries?wsdl', { Host: 'a.example' }, { Host: 'b.example' }],
  ['GET /api/webhooks/bins', ...inSandboxes],
  ['GET /api/webhooks/samples', {}, { 'X-Sandbox': 'no name!' }],
  ['GET /images/books/1.svg', { 'Accept-Encoding': 'gzip' }, {}],
  ['GET /nowhere', {}, { 'X-Sandbox': 'no name!' }],
  ['OPTIONS /api/Books/1', { 'Access-Control-Request-Method': 'PUT' }, {}],
  ['GET /openapi.json', { Host: 'a.example' }, { Host: 'b.example' }],
];

/** Headers that distinguish a response from a response to another caller. */
const compared = [
  'allow',
  'cache-control',
  'content-encoding',
  'content-type',
  'etag',
  'link',
  'location',
  'www-authenticate',
  'x-api-version',
  'x-api-version-source',
  'x-ratelimit-remaining',
  'x-total-count',
];

/** A response without times, ids and values that differ between services. */
function comparable({ status, headers, text }: HttpResponse) {
  // The cache decodes a coding that its client does not accept, and marks the entity tag.
  const etag = headers.etag?.replace(/^W\//, '').replace(/-gzip"$/, '"');
  const told = compared.map((name) => [name, name === 'etag' ? etag : headers[name]]);
  const body = text
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
    .replace(/[\w-]{22}(?=")/g, 'id')
    .replace(/"next_cursor":"[^"]*"/, '"next_cursor":""')
    .replace(/"(signingSecret|retryAfter|resetsInSeconds|lastUsedAt)":("[^"]*"|\d+)/g, '"$1":0');
  return { status, ...Object.fromEntries(told), body };
}

const asJson = { 'Content-Type': 'application/json' };

describe.each<[string, ServiceOptions]>([
  ['open', {}],
  ['with accounts', { accounts: 'required' }],
])('a cache before a service %s', (mode, options) => {
  let services: Service[] = [];
  let cache: Awaited<ReturnType<typeof startVarnish>> | undefined;
  /** The URL of the service itself, and of a cache before a second service. */
  let addresses: readonly string[] = [];
  /** The keys of the two callers, for each of the two services. */
  let keys: string[][] = [];

  beforeAll(async () => {
    if (!varnish.isInstalled) return;
    services = await Promise.all([createService(options), createService(options)]);
    const [direct = '', behind = ''] = services.map(({ url }) => url);
    cache = await startVarnish(behind);
    addresses = [direct, cache.url];
    keys = await Promise.all(
      addresses.map((address) => Promise.all([makeKey(address), makeKey(address)])),
    );
    for (const [index] of addresses.entries()) {
      const patch = { 'X-Sandbox': 'ana', 'Content-Type': 'application/merge-patch+json' };
      for (const path of ['Books', 'Events']) {
        const body = JSON.stringify(path === 'Books' ? { title: "Ana's" } : { name: "Ana's" });
        const response = await ask(index, `PATCH /api/${path}/1`, patch, 0, body);
        expect(response.status).toBe(200);
      }
      const made = { ...asJson, 'X-Sandbox': 'ana' };
      expect((await ask(index, 'POST /api/webhooks/bins', made, 0, '{"name":"b"}')).status).toBe(
        201,
      );
      const listed = await ask(index, 'DELETE /api/sandbox', { 'X-Sandbox': 'cleared' }, 1);
      expect(listed.status).toBeLessThan(300);
    }
  });
  afterAll(async () => {
    await cache?.stop();
    for (const service of services) await service.close();
  });

  async function makeKey(address: string): Promise<string> {
    if (mode === 'open') return '';
    return (await send(address, 'POST /api/accounts', { json: {} })).json.key;
  }

  function ask(index: number, target: string, headers: Headers, caller: number, body?: string) {
    const key = keys[index]?.[caller];
    return send(addresses[index] ?? '', target, {
      headers: { Host: 'api.example.com', ...(key && { 'X-Service-Key': key }), ...headers },
      ...(body !== undefined && { body }),
    });
  }

  test.each(requests)(
    'returns to each caller of %s its own response: %j, %j',
    async (target, ...callers) => {
      for (const _round of [1, 2]) {
        for (const [caller, headers] of callers.entries()) {
          const direct = await ask(0, target, headers, caller);
          const cached = await ask(1, target, headers, caller);
          expect(comparable(cached), `${target} as ${JSON.stringify(headers)}`).toEqual(
            comparable(direct),
          );
        }
      }
    },
  );

  test('and still caches cacheable responses', async () => {
    const ages = [];
    for (const _time of [1, 2]) {
      const { headers } = await ask(1, 'GET /images/books/2.svg', {}, 0);
      ages.push(headers['x-varnish']?.toString().split(' ').length);
    }
    // The id of the request, and in a hit the id of the request that filled the cache.
    expect(ages).toEqual([1, 2]);
  });
});

/** httpbin's paths at the root: of a separate port, and of a host on the main port. */

import { expect, test } from 'vitest';
import { createService } from '../../src/index.js';
import { rawExchange } from '../support/raw-exchange.js';
import { type SendOptions, send as sendTo, useStarted } from '../support/service.js';

let ownUrl = '';
const main = useStarted(async () => {
  const service = await createService({ httpbinPort: 0 });
  ownUrl = service.ownUrls['/httpbin'] ?? '';
  return service;
});

type Send = (target: string, options?: SendOptions) => ReturnType<typeof sendTo>;
const places: readonly [string, () => string, Send][] = [
  ['its port', () => ownUrl, (target, options) => sendTo(ownUrl, target, options)],
  [
    'its host',
    () => `http://httpbin.localhost:${new URL(main.url).port}`,
    (target, { headers = {}, ...options } = {}) => {
      const host = `httpbin.localhost:${new URL(main.url).port}`;
      return main.send(target, { ...options, headers: { ...headers, Host: host } });
    },
  ],
];

test.each(places)('%s has the paths without a prefix, also in URLs', async (_name, url, send) => {
  const { status, json } = await send('GET /get?a=1');
  expect([status, json.url, json.args]).toEqual([200, `${url()}/get?a=1`, { a: '1' }]);
  expect((await send('GET /')).text).toContain('href="/get"');
  const anything = await send('POST /anything/x%20y', { body: 'hello' });
  expect([anything.json.url, anything.json.data]).toEqual([`${url()}/anything/x%20y`, 'hello']);
});

test.each(places)('%s redirects below the root', async (_name, url, send) => {
  const locations = [];
  for (const path of ['redirect/1', 'redirect/3', 'absolute-redirect/2', 'links/3', 'status/302']) {
    locations.push((await send(`GET /${path}`)).headers.location);
  }
  expect(locations).toEqual([
    '/get',
    '/relative-redirect/2',
    `${url()}/absolute-redirect/1`,
    '/links/3/0',
    '/redirect/1',
  ]);
  const given = await send('GET /redirect-to?url=/post&status_code=307');
  expect([given.status, given.headers.location]).toEqual([307, '/post']);
});

test.each(places)('%s sets cookies for the root', async (_name, _url, send) => {
  const { headers } = await send('GET /cookies/set?a=1');
  expect([headers['set-cookie'], headers.location]).toEqual([['a=1; Path=/'], '/cookies']);
});

test.each(places)('%s has no other paths', async (_name, _url, send) => {
  for (const path of ['/api/Books', '/httpbin/get', '/openapi.json', '/graphql', '/health']) {
    const { status, json } = await send(`GET ${path}`);
    expect([status, json.message], path).toEqual([404, expect.stringContaining(path)]);
    expect(json.message).not.toContain('/httpbin/httpbin');
  }
  expect((await send('GET /gett')).json.message).toContain('Did you mean /get?');
});

test.each(places)('%s has sandboxes, in paths too', async (_name, url, send) => {
  const { json } = await send('GET /s/mine/get');
  expect(json.url).toBe(`${url()}/s/mine/get`);
  expect((await send('GET /s/mine/redirect/1')).headers.location).toBe('/s/mine/get');
});

/** Paths of httpbin that the service has at its root too. */
const ownFiles = ['/', '/robots.txt'];

test('on the main port, each path gets 404 with the path that is meant, by every method', async () => {
  const { paths } = (await main.send('GET /openapi.json?formats=all')).json as {
    paths: Record<string, unknown>;
  };
  const below = Object.keys(paths).filter((path) => path.startsWith('/httpbin/'));
  const own = below.map((path) => path.slice('/httpbin'.length).replaceAll(/[{}]/g, ''));
  const paths404 = [
    ...own.filter((path) => !ownFiles.includes(path)),
    '/status/418',
    '/anything/a',
  ];
  expect(paths404.length).toBeGreaterThan(50);
  for (const path of paths404) {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE']) {
      const { status, json } = await main.send(`${method} ${path}`);
      expect([status, json], `${method} ${path}`).toEqual([
        404,
        {
          status: 404,
          error: 'Not Found',
          // Postman Echo has some of the paths, too, and is named by its base URL.
          message: expect.stringContaining(
            `There is nothing at ${path}. Did you mean /httpbin${path}? `,
          ),
        },
      ]);
    }
  }
});

test.each([
  ['/s/mine/get', '/s/mine/httpbin/get'],
  ['/GET', '/httpbin/get'],
  ['/get/?a=1', '/httpbin/get'],
  ['/anything/a/b/c/d/e', '/httpbin/anything/a/b/c/d/e'],
  ['/status/200:3,503:1', '/httpbin/status/200:3,503:1'],
])('on the main port, %s suggests %s', async (path, meant) => {
  const { status, json } = await main.send(`GET ${path}`);
  expect([status, json.message]).toEqual([404, expect.stringContaining(`Did you mean ${meant}?`)]);
});

test.each([
  ['httpbin.localhost', 200],
  ['HTTPBIN.localhost:80', 200],
  ['httpbin.localhost.', 404],
  ['xhttpbin.localhost', 404],
  ['localhost', 404],
])('Host: %s gets %i for /get on the main port', async (host, status) => {
  expect((await main.send('GET /get', { headers: { Host: host } })).status).toBe(status);
});

test('a Digest login uses the path as it was sent', async () => {
  const { headers } = await sendTo(ownUrl, 'GET /digest-auth/auth/ada/secret');
  expect(headers['www-authenticate']).toContain('Digest');
  expect(headers['set-cookie']).toEqual(['fake=fake_value; Path=/']);
});

test('connection faults and malformed requests get a response there too', async () => {
  const malformed = await rawExchange(ownUrl, 'GET /get HTTP/1.1\r\nHost: a\r\nbad\r\n\r\n');
  expect(malformed.status).toBe(400);
});

test('a redirect to another port leads there', async () => {
  const { status, headers } = await main.send('GET /api/http/redirect/other-port?to=/httpbin/get');
  expect([status, headers.location]).toEqual([302, `${ownUrl}/get`]);
  const first = await main.send('GET /api/http/redirect/other-port');
  expect(first.headers.location).toBe(`${ownUrl}/`);
});

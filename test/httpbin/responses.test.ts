/** Statuses, headers, caching, redirects and cookies as in httpbin. */

import { METHODS } from 'node:http';
import { describe, expect, test } from 'vitest';
import { rawExchange } from '../support/raw-exchange.js';
import { useService } from '../support/service.js';

const service = useService();
const { send } = service;

describe('/status', () => {
  test('supports every method, and only 418 has a body', async () => {
    for (const method of METHODS.filter((method) => method !== 'CONNECT')) {
      const { status, text } = await send(`${method} /httpbin/status/418`);
      expect(status, method).toBe(418);
      if (method === 'HEAD') expect(text).toBe('');
      else expect(text, method).toContain('teapot');
      const empty = await send(`${method} /httpbin/status/409`);
      expect([empty.status, empty.text], method).toEqual([409, '']);
    }
  });

  test.each([
    [201, 'location', '/httpbin/redirect/1'],
    [302, 'location', '/httpbin/redirect/1'],
    [308, 'location', '/httpbin/redirect/1'],
    [401, 'www-authenticate', expect.stringMatching(/^Basic realm=/)],
    [405, 'allow', expect.stringContaining('GET')],
    [407, 'proxy-authenticate', expect.stringMatching(/^Basic realm=/)],
    [416, 'content-range', 'bytes */0'],
    [429, 'retry-after', '1'],
  ])('%i has %s', async (status, name, value) => {
    const response = await send(`GET /httpbin/status/${status}`);
    expect(response.status).toBe(status);
    expect(response.headers[name]).toEqual(value);
  });

  test.each([300, 304, 306, 309, 320, 399])('%i has no Location', async (status) => {
    const { headers } = await send(`GET /httpbin/status/${status}`);
    expect(headers.location).toBeUndefined();
  });

  test('a redirect leads to a 200 under the prefix, also in a sandbox', async () => {
    const response = await fetch(`${service.url}/s/mine/httpbin/status/302`);
    expect([response.status, response.redirected]).toEqual([200, true]);
    expect(response.url).toBe(`${service.url}/s/mine/httpbin/get`);
  });

  test('with several weights never returns a status of weight 0', async () => {
    const asked = Array.from({ length: 20 }, () => send('GET /httpbin/status/200:0,202:0.5,203'));
    const statuses = new Set((await Promise.all(asked)).map(({ status }) => status));
    for (const status of statuses) expect([202, 203]).toContain(status);
  });

  test.each(['4!9', '200,402,foo', '199', '600', '200:x', '200:-1', '200:0', '', ',', '1e2'])(
    '%j is rejected',
    async (codes) => {
      const { status, text } = await send(`GET /httpbin/status/${codes}`);
      expect(status).toBe(codes === '' ? 404 : 400);
      expect(text).toContain('"message"');
    },
  );
});

describe('/response-headers', () => {
  test.each(['GET', 'POST'])(
    'by %s: returns the requested headers, lists when repeated',
    async (method) => {
      const target = `${method} /httpbin/response-headers?X-Animal=dog&ETag=%22a%22&X-Animal=cat`;
      const { headers, json, bytes } = await send(target);
      expect([headers['x-animal'], headers.etag]).toEqual(['dog, cat', '"a"']);
      expect(json).toEqual({
        'Content-Length': String(bytes.length),
        'Content-Type': 'application/json',
        ETag: '"a"',
        'X-Animal': ['dog', 'cat'],
      });
    },
  );

  test('its Content-Type may differ, and nothing runs as a script', async () => {
    const type = 'text/html;+charset=utf-8';
    const { headers, json } = await send(`GET /httpbin/response-headers?content-type=${type}`);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toMatch(/^sandbox;/);
    expect(json['Content-Type']).toBe('text/html; charset=utf-8');
  });

  test('a cookie stays below the prefix', async () => {
    const of = async (cookie: string, prefix = '') => {
      const query = new URLSearchParams({ 'Set-Cookie': cookie });
      return send(`GET ${prefix}/httpbin/response-headers?${query}`);
    };
    expect((await of('a=b')).headers['set-cookie']).toEqual(['a=b; Path=/httpbin']);
    expect((await of('a=b', '/s/x')).headers['set-cookie']).toEqual(['a=b; Path=/s/x/httpbin']);
    expect((await of('a=b; Path=/')).status).toBe(400);
    expect((await of('a=b; Domain=localhost')).status).toBe(400);
  });

  test('any name is returned that is not denied', async () => {
    const target = 'GET /httpbin/response-headers?freeform=&__proto__=a&__proto__=b&X_Y=1&Date=now';
    const { headers, json, text } = await send(target);
    expect(headers).toMatchObject({ freeform: '', x_y: '1', date: 'now' });
    expect(Object.entries(json)).toContainEqual(['__proto__', ['a', 'b']]);
    expect(text).toContain('"freeform": ""');
  });

  test.each([
    'Content-Encoding',
    'X-Accel-Redirect',
    'Content-Length',
    'Transfer-Encoding',
    'X-Frame-Options',
  ])('%s is rejected by name', async (name) => {
    const { status, json } = await send(`GET /httpbin/response-headers?${name}=1`);
    expect(status).toBe(400);
    expect(json.errors[0].field).toBe(name);
  });

  test('no value breaks out of its header', async () => {
    const { status } = await send('GET /httpbin/response-headers?X-A=b%0d%0aX-C:+d');
    expect(status).toBe(400);
  });
});

describe('caching', () => {
  test('/cache has validators, and a request with a current one gets 304', async () => {
    const { status, headers, json } = await send('GET /httpbin/cache');
    expect([status, json.url]).toEqual([200, `${service.url}/httpbin/cache`]);
    expect(headers.etag).toMatch(/^"[\da-f]{32}"$/);
    expect(headers['cache-control']).toBe('private, no-cache');
    const tag = headers.etag ?? '';
    const same = await send('GET /httpbin/cache', { headers: { 'If-None-Match': tag } });
    expect([same.status, same.headers.etag]).toEqual([304, tag]);
    const since = { 'If-Modified-Since': headers['last-modified'] ?? '' };
    expect((await send('GET /httpbin/cache', { headers: since })).status).toBe(304);
  });

  test('/cache/n has that max-age, and is private', async () => {
    const { headers } = await send('GET /httpbin/cache/60');
    expect(headers['cache-control']).toBe('public, max-age=60');
    expect(headers.vary).toBe('Origin, X-Sandbox, X-Service-Key, Authorization, Cookie');
    expect((await send('GET /httpbin/cache/-1')).status).toBe(400);
    expect((await send('GET /httpbin/cache/x')).status).toBe(400);
  });

  test.each<[path: string, headers: Record<string, string>, status: number]>([
    ['abc', {}, 200],
    ['abc', { 'If-None-Match': '"abc"' }, 304],
    ['abc', { 'If-None-Match': 'abc' }, 304],
    ['abc', { 'If-None-Match': '"123", "abc"' }, 304],
    ['abc', { 'If-None-Match': 'W/"xyz", W/"abc"' }, 304],
    ['abc', { 'If-None-Match': '*' }, 304],
    ['abc', { 'If-None-Match': '123, "ab"' }, 200],
    ['abc', { 'If-Match': '"abc"' }, 200],
    ['abc', { 'If-Match': 'abc' }, 200],
    ['abc', { 'If-Match': '"123", "abc"' }, 200],
    ['abc', { 'If-Match': '*' }, 200],
    ['abc', { 'If-Match': '123' }, 412],
    ['abc', { 'If-Match': 'W/"abc"' }, 412],
    ['abc', { 'If-Match': '"x"', 'If-None-Match': '"abc"' }, 412],
    ['%22abc%22', { 'If-None-Match': '"abc"' }, 304],
    ['a%20b', {}, 400],
    ['%C5%BE', {}, 400],
  ])('/etag/%s with %j is %i', async (path, headers, status) => {
    const response = await send(`GET /httpbin/etag/${path}`, { headers });
    expect(response.status).toBe(status);
    if (status < 400) expect(response.headers.etag).toBe('"abc"');
  });

  test('a weak tag stays weak', async () => {
    const { headers } = await send('GET /httpbin/etag/W%2F%22abc%22');
    expect(headers.etag).toBe('W/"abc"');
  });
});

describe('redirects', () => {
  const locationOf = async (target: string) => (await send(target)).headers.location;

  test.each([
    ['/redirect/1', '/httpbin/get'],
    ['/redirect/6', '/httpbin/relative-redirect/5'],
    ['/redirect/6?absolute=TRUE', 'URL/httpbin/absolute-redirect/5'],
    ['/redirect/1?absolute=true', 'URL/httpbin/get'],
    ['/relative-redirect/1', '/httpbin/get'],
    ['/relative-redirect/3', '/httpbin/relative-redirect/2'],
    ['/absolute-redirect/1', 'URL/httpbin/get'],
    ['/absolute-redirect/3', 'URL/httpbin/absolute-redirect/2'],
  ])('%s leads to %s', async (path, location) => {
    expect(await locationOf(`GET /httpbin${path}`)).toBe(location.replace('URL', service.url));
    const inSandbox = location.replace('URL', service.url).replace('/httpbin', '/s/x/httpbin');
    expect(await locationOf(`GET /s/x/httpbin${path}`)).toBe(inSandbox);
  });

  test('each chain ends', async () => {
    for (const path of ['redirect/20', 'redirect/5?absolute=true', 'absolute-redirect/20']) {
      const { status, url } = await fetch(`${service.url}/httpbin/${path}`);
      expect([status, url]).toEqual([200, `${service.url}/httpbin/get`]);
    }
  });

  test.each(['/redirect/0', '/redirect/-1', '/absolute-redirect/x', '/relative-redirect/0'])(
    '%s is rejected',
    async (path) => {
      expect((await send(`GET /httpbin${path}`)).status).toBe(400);
    },
  );

  test('/redirect-to leads to the URL as given, by every method', async () => {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE']) {
      const { status, headers } = await send(
        `${method} /httpbin/redirect-to?url=/post&status_code=307`,
      );
      expect([status, headers.location], method).toEqual([307, '/post']);
    }
    for (const url of [
      '/',
      'get',
      '?a=b',
      '../api',
      '//HOST/x',
      'http://HOST/x?y#z',
      'HTTP://HOST',
    ]) {
      const given = url.replace('HOST', new URL(service.url).host);
      const location = await locationOf(
        `GET /httpbin/redirect-to?url=${encodeURIComponent(given)}`,
      );
      expect(location).toBe(given);
    }
    expect(await locationOf('GET /httpbin/redirect-to?URL=/%25C5%25BE/%C5%BE')).toBe(
      '/%C5%BE/%C5%BE',
    );
  });

  test.each([
    'http://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https:evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'http://localhost:1/',
    'http://user@HOST@evil.example/',
    '/\t/evil.example',
    '/a\r\nSet-Cookie: a=b',
    ' //evil.example',
    'http://:1',
    '',
  ])('/redirect-to has no Location for %j', async (url) => {
    const given = encodeURIComponent(url.replace('HOST', new URL(service.url).host));
    const { status, json, headers } = await send(`GET /httpbin/redirect-to?url=${given}`);
    expect([status, headers.location, json.errors[0].field]).toEqual([400, undefined, 'url']);
  });

  test.each(['?url=/&status_code=200', '?url=/&status_code=x', '?url=/a&url=/b', ''])(
    '/redirect-to%s is rejected',
    async (query) => {
      expect((await send(`GET /httpbin/redirect-to${query}`)).status).toBe(400);
    },
  );
});

test('/redirect-to escapes spaces, and says why a target is rejected', async () => {
  const { status, headers } = await send('GET /httpbin/redirect-to?url=/httpbin/get?a%20b');
  expect([status, headers.location]).toEqual([302, '/httpbin/get?a%20b']);
  const { json } = await send('GET /httpbin/redirect-to?url=http://evil.example/');
  expect(json.message).toContain('leads to http://evil.example');
});

test('/range sends pieces of chunk_size over its duration', async () => {
  const startedAt = performance.now();
  const response = await fetch(`${service.url}/httpbin/range/100?duration=0.5&chunk_size=20`);
  const sizes: number[] = [];
  for await (const piece of response.body ?? []) sizes.push(piece.length);
  // Pieces may arrive together, but none is split.
  expect(sizes.reduce((sum, size) => sum + size)).toBe(100);
  expect(sizes.filter((size) => size % 20 !== 0)).toEqual([]);
  // The last of five pieces is sent after four fifths of the duration.
  expect(performance.now() - startedAt).toBeGreaterThan(390);
});

describe('cookies', () => {
  test.each([
    ['/cookies/set?a=b&c=d', ['a=b; Path=/httpbin', 'c=d; Path=/httpbin']],
    ['/cookies/set/a/b%3Bc', ['a="b\\073c"; Path=/httpbin']],
    ['/cookies/set?a=x%20%22y%5C%C5%BE', ['a="x \\"y\\\\\\305\\276"; Path=/httpbin']],
    ['/cookies/set', undefined],
    ['/cookies/delete?a', ['a=; Path=/httpbin; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT']],
  ])('%s leads to /cookies', async (path, cookies) => {
    const { status, headers } = await send(`GET /httpbin${path}`);
    expect([status, headers.location]).toEqual([302, '/httpbin/cookies']);
    expect(headers['set-cookie']).toEqual(cookies);
  });

  test.each([
    ['', {}],
    ['a=b; c=d', { a: 'b', c: 'd' }],
    ['a=1; a=2', { a: '1' }],
    ['a="x \\"y\\\\\\305\\276\\073"', { a: 'x "y\\ž;' }],
    ['a=%20b=c', { a: '%20b=c' }],
    ['a=back\\slash', { a: 'back\\slash' }],
  ])('%j is shown', async (cookie, cookies) => {
    const { json } = await send('GET /httpbin/cookies', { headers: { cookie } });
    expect(json).toEqual({ cookies });
  });

  test.each(['a%20b=c', '%0d%0aX-A=b', '=b', 'a%3B=b', '%C5%BE=b'])(
    'the name in %j is rejected',
    async (query) => {
      expect((await send(`GET /httpbin/cookies/set?${query}`)).status).toBe(400);
    },
  );

  test('belong to their sandbox', async () => {
    const { headers } = await send('GET /s/x/httpbin/cookies/set?a=b');
    expect(headers['set-cookie']).toEqual(['a=b; Path=/s/x/httpbin']);
    expect(headers.location).toBe('/s/x/httpbin/cookies');
  });

  test('are at most fifty at once', async () => {
    const query = Array.from({ length: 51 }, (_, index) => `c${index}=1`).join('&');
    expect((await send(`GET /httpbin/cookies/set?${query}`)).status).toBe(400);
  });
});

test('paths match in any letter case, and parameters keep theirs', async () => {
  expect((await send('GET /HTTPBIN/ETag/AbC')).headers.etag).toBe('"AbC"');
  expect((await send('GET /HttpBin/Cookies/Set/N/V')).headers['set-cookie']).toEqual([
    'N=V; Path=/httpbin',
  ]);
});

test('a malformed query is shown unchanged', async () => {
  const { body } = await rawExchange(
    service.url,
    'GET /httpbin/get?a=%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  );
  expect(JSON.parse(body).args).toEqual({ a: '%zz' });
});

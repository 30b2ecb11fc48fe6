/** Proxies that get every header that a caller may choose: none of them is steered. */

import { afterAll, beforeAll, expect } from 'vitest';
import { createService, type Service } from '../../src/index.js';
import { testsWith } from '../support/foreign-program.js';
import { internalFile, startNginx } from '../support/nginx.js';
import { type RunningProxy, startProxy } from '../support/proxy.js';
import { openConnection, requestText } from '../support/raw-connection.js';
import { type Relay, startRelay } from '../support/request-lines.js';
import { send } from '../support/service.js';
import { startVarnish } from '../support/varnish.js';

type Line = readonly [name: string, value: string];

const file = internalFile.path;

/** Headers that other servers, proxies and caches are known to read, and spellings of those that are denied. */
const odd: readonly Line[] = [
  ...[
    ...['X_Accel_Redirect', 'X-Accel_Redirect', 'X.Accel.Redirect', 'XAccel-Redirect'],
    ...['-X-Accel-Redirect', '_X-Accel-Redirect', 'X--Accel-Redirect', 'Accel-Redirect'],
    ...['X_Sendfile', 'Sendfile', 'X-Send-File', 'X-Internal-Redirect', 'X-Proxy-Pass', 'X-URL'],
    ...['X-Original-URL', 'X-Rewrite-URL', 'Location', 'Content-Location', 'Redirect', 'URI'],
    ...['X-Redirect', 'X-Backend', 'X-Pool', 'X-Reverse-Proxy', 'X-Upstream', 'Host'],
  ].map((name): Line => [name, file]),
  ['X_Accel_Expires', '60'],
  ['X_Accel_Buffering', 'no'],
  ['X_Accel_Limit_Rate', '1'],
  ['Content_Length', '1'],
  ['Content-Length_', '1'],
  ['Content.Length', '1'],
  ['Transfer_Encoding', 'chunked'],
  ['Transfer-Encoding.', 'chunked'],
  ['X-Transfer-Encoding', 'chunked'],
  ['Connection_', 'close'],
  ['X-Connection', 'close'],
  ['Status', '500 Steered'],
  ['HTTP_STATUS', '500'],
  ['X-Status', '500'],
  ['Date', 'x'],
  ['Age', '-1'],
  ['Age', '99999999999999999999'],
  ['Expires', 'x'],
  ['Pragma', 'no-cache'],
  ['Warning', '110 - "x"'],
  ['Via', '1.1 x'],
  ['ETag', 'W/"a'],
  ['Last-Modified', 'x'],
  ['Content-Range', 'bytes 1-2/3'],
  ['Accept-Ranges', 'bytes'],
  ['Content-Encoding', 'gzip'],
  ['Content-Encoding', 'identity, br'],
  ['Content-Type', 'x'],
  ['Content-Type', ''],
  ['Content-Disposition', 'attachment; filename=../x'],
  ['Link', `<${file}>; rel=preload; as=fetch`],
  ['Vary', '*'],
  ['Cache-Control', ''],
  ['CDN-Cache-Control', 'max-age=60'],
  ['Cache-Status', 'x; hit'],
  ['X-Cache', 'HIT'],
  ['X-TTL', '60'],
  ['X-Grace', '60'],
  ['X-Ban', '.*'],
  ['X-Purge', '/'],
  ['X-Do-ESI', '1'],
  ['Proxy-Authenticate', 'Basic'],
  ['Proxy-Authorization', 'x'],
  ['Proxy-Status', 'x; error=http_protocol_error'],
  ['Proxy-Features', 'x'],
  ['WWW-Authenticate', 'Negotiate'],
  ['Authentication-Info', 'x'],
  ['Retry-After', '0'],
  ['Expect', '100-continue'],
  ['Range', 'bytes=0-1'],
  ['Max-Forwards', '0'],
  ['Sec-WebSocket-Accept', 'x'],
  ['Grpc-Status', '14'],
  ['X-Real-IP', '127.0.0.1'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['X-PageSpeed', 'off'],
  ['Early-Data', '1'],
  ['Cookie', 'a=b'],
  ['Set-Cookie', 'a=b'],
  ['X-A', '\t  '],
  ['X-A', `,"';\\`],
  ['X-Latin', 'é'],
  ["!#$%&'*+-.^_`|~", '1'],
  ['__proto__', '1'],
  ['1', '1'],
];

/** Headers that may occur once. */
const singletons = [
  ...['Age', 'Content-Type', 'Content-Range', 'Content-Location', 'Content-Disposition', 'Date'],
  ...['Content-Encoding', 'ETag', 'Expires', 'Last-Modified', 'Location', 'Retry-After', 'Vary'],
  ...['Cache-Control', 'Pragma', 'Content-Language', 'Status', 'WWW-Authenticate', 'Set-Cookie'],
];

const sets: readonly (readonly Line[])[] = [
  ...odd.map((line) => [line]),
  ...singletons.map((name): Line[] => [
    [name, '1'],
    [name.toLowerCase(), '2'],
    [name.toUpperCase(), '1'],
  ]),
];

/** Each with a header that is denied, or becomes so by a white space that a proxy would trim. */
const rejected: readonly Line[] = [
  ...['X-Accel-Redirect', 'x-accel-redirect', 'X-ACCEL-REDIRECT', 'X-Accel-Redirect '],
  ...[' X-Accel-Redirect', 'X-Accel-Redirect\t', 'X-Accel-Redirect:', '\u212aey', 'X\r\n-A'],
  ...['Transfer-Encoding', 'Transfer-Encoding ', 'Content-Length', 'Connection', 'Upgrade', 'TE'],
]
  .map((name): Line => [name, file])
  .concat([
    ['X-A', `a\r\nX-Accel-Redirect: ${file}`],
    ['X-A', `a\r\n X-Accel-Redirect: ${file}`],
    ['X-A', `a\nX-Accel-Redirect: ${file}`],
    ['X-A', `a\r${file}`],
    ['X-A', 'a\0'],
  ]);

const encoded = (script: object) => Buffer.from(JSON.stringify(script)).toString('base64url');

/** How caches may be told to store a response. */
const cacheable: readonly (readonly Line[])[] = [
  [['Cache-Control', 'max-age=60']],
  [['Cache-Control', 'public, s-maxage=60']],
  [['Cache-Control', '']],
  [['Cache-Control', 'x']],
  [
    ['Cache-Control', 'max-age=60'],
    ['Vary', 'Accept'],
  ],
  [
    ['Cache-Control', 'max-age=60'],
    ['Vary', ''],
  ],
  [
    ['cache-control', 'max-age=60'],
    ['CACHE-CONTROL', 'public'],
    ['VARY', 'Accept'],
    ['Vary', 'Accept-Encoding'],
  ],
  [
    ['Cache-Control', 'x'],
    ['Expires', 'Thu, 18 Aug 2050 02:01:18 GMT'],
    ['Date', 'Thu, 18 Aug 2050 01:01:18 GMT'],
  ],
  [['Expires', 'Thu, 18 Aug 2050 02:01:18 GMT']],
  [['CDN-Cache-Control', 'max-age=60']],
];

const proxies: readonly [name: string, start: (backend: string) => Promise<RunningProxy>][] = [
  ['nginx', (backend) => startNginx(backend)],
  ['nginx as a cache', (backend) => startNginx(backend, true)],
  ['HAProxy', (backend) => startProxy([backend], { isMinimal: true })],
  ['HAProxy as deployed', (backend) => startProxy([backend])],
  ['Varnish', startVarnish],
];

const programs = testsWith('nginx', 'haproxy', 'varnish');

programs.describe.each(proxies)('behind %s', (name, start) => {
  const { test } = programs;
  let service: Service;
  let relay: Relay;
  let proxy: RunningProxy;
  let count = 0;
  beforeAll(async () => {
    service = await createService({ trustProxy: ['127.0.0.1'] });
    relay = await startRelay(service.url);
    proxy = await start(relay.url);
  });
  afterAll(async () => {
    await proxy?.stop();
    await relay?.stop();
    await service?.close();
  });

  const requestsSince = (before: number) =>
    relay
      .requests()
      .slice(before)
      .filter((line) => !line.includes('/health'));

  /**
   * Sends a script, then another request on the same connection. Returns the status of the first response;
   * the second must be complete, and the service must have got no other request.
   */
  async function exchange(script: object): Promise<number> {
    count += 1;
    const body = `own-${count}.`;
    const json = { body, ...script };
    // Some proxies have small buffers for targets.
    const isLong = JSON.stringify(json).length > 2000;
    const stored = `/s/steer/api/http/responses/${count}`;
    if (isLong) expect((await send(service.url, `PUT ${stored}`, { json })).status).toBe(201);
    const before = relay.requests().length;
    const first = `GET ${isLong ? stored : `/s/steer/api/http/respond?script=${encoded(json)}`}`;
    const second = `GET /api/methods/get?after=${count}`;
    const connection = openConnection(proxy.url);
    connection.send(requestText(first));
    await Promise.race([connection.until('\r\n\r\n'), connection.ended]);
    connection.send(requestText(second, { Connection: 'close' }));
    expect(await connection.ended).toBe('closed');
    const text = connection.received().toString('latin1');
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
    const final = statuses.filter((status) => status >= 200);
    expect(final, text).toEqual([expect.any(Number), 200]);
    expect(text).toContain(`"after":"${count}"`);
    expect(text).not.toContain(internalFile.content);
    expect(requestsSince(before)).toEqual([first, second]);
    if (final[0] === 200) expect(text).toContain(body);
    return final[0] ?? 0;
  }

  test('every header changes nothing but the response', async () => {
    // Varnish decodes gzip, and rejects a part of a body that it did not request.
    const isVarnish = name === 'Varnish';
    for (const headers of sets) {
      const [[first, value]] = headers as readonly [Line, ...Line[]];
      if (isVarnish && first === 'Content-Encoding' && value === 'gzip') continue;
      const expected = isVarnish && first === 'Content-Range' ? 503 : 200;
      expect(await exchange({ headers }), headers.join()).toBe(expected);
    }
  });

  test('statuses with odd headers are passed on', async () => {
    for (const status of [201, 206, 301, 307, 401, 407, 416, 500, 503]) {
      const headers = [...odd.slice(0, 19)];
      expect(await exchange({ status, headers })).toBe(status);
    }
  });

  test('what a proxy would obey is rejected', async () => {
    for (const line of rejected) {
      expect(await exchange({ headers: [line] }), line.join()).toBe(400);
    }
  });

  test('as many headers as allowed end in a response', async () => {
    for (const bytes of [100, 300, 1000]) {
      const headers = Array.from({ length: 20 }, (_, index) => [`X-${index}`, 'x'.repeat(bytes)]);
      // The buffers of some proxies are smaller.
      expect([200, 502, 503]).toContain(await exchange({ headers }));
    }
  });

  test('trailers change nothing', async () => {
    const announced = { trailers: {}, headers: { Trailer: 'Content-Length, X-Accel-Redirect' } };
    expect(await exchange(announced)).toBe(200);
    // Varnish ends every response with trailers early, whatever they are.
    if (name === 'Varnish') return;
    for (const trailers of [
      { 'Transfer-Encoding': 'chunked', 'Content-Length': '3', Connection: 'close' },
      { 'Set-Cookie': 'a=b', Trailer: 'X', 'Content-Encoding': 'gzip', Status: '500' },
      { 'Cache-Control': 'max-age=60', Location: file, X_Accel_Redirect: file },
      { 'X-A': '1' },
    ]) {
      expect(await exchange({ trailers })).toBe(200);
      expect(await exchange({ trailers, announceTrailers: false })).toBe(200);
    }
  });

  test.each(cacheable.map((lines) => [JSON.stringify(lines), lines] as const))(
    'a response with %s reaches only callers of its sandbox',
    async (_lines, headers) => {
      count += 1;
      const path = `/api/http/responses/mix-${count}`;
      const callers = ['ana', 'ben'];
      for (const caller of callers) {
        const options = { headers: { 'X-Sandbox': caller }, json: { headers, body: caller } };
        expect((await send(service.url, `PUT ${path}`, options)).status).toBe(201);
        const body = { status: 404, error: 'Not Found', message: caller };
        const fault = { status: 404, headers, body };
        const json = {
          rules: [
            { match: { path: `/api/Books/${1 + (count % 10)}` }, sequence: [fault], then: 'last' },
          ],
        };
        const planned = await send(service.url, 'PUT /api/sandbox/faults', { ...options, json });
        expect(planned.status).toBe(200);
      }
      for (const caller of [...callers, ...callers]) {
        const own = { headers: { 'X-Sandbox': caller } };
        expect((await send(proxy.url, `GET ${path}`, own)).text).toBe(caller);
        expect(
          (await send(proxy.url, `GET /api/Books/${1 + (count % 10)}`, own)).json.message,
        ).toBe(caller);
      }
      expect((await send(proxy.url, `GET ${path}`)).json.status).toBe(404);
      expect(
        (await send(proxy.url, `GET /api/Books/${1 + (count % 10)}`)).json.message,
      ).toBeUndefined();
    },
  );

  test('the response of a bin allows the origin that asks', async () => {
    const response = { headers: { 'Cache-Control': 'max-age=60', Vary: 'Accept' } };
    const { json: bin } = await send(service.url, 'POST /api/webhooks/bins', {
      json: { response },
    });
    for (const origin of ['https://a.example', 'https://b.example', 'https://a.example']) {
      const options = { headers: { Origin: origin } };
      const { headers } = await send(proxy.url, `GET /api/webhooks/${bin.id}`, options);
      expect(headers['access-control-allow-origin']).toBe(origin);
    }
  });
});

/** Chromium gets every header that a caller may choose: none acts on other pages of the origin. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useBrowser } from '../support/browser.js';
import { type Relay, startRelay } from '../support/request-lines.js';
import { useService } from '../support/service.js';

const service = useService();
const browser = useBrowser();

let relay: Relay;
beforeAll(async () => {
  relay = await startRelay(service.url);
});
afterAll(() => relay.stop());

type Line = readonly [name: string, value: string];

/** Headers that browsers read, and that a caller may set. */
const chosen: readonly Line[] = [
  ['Link', '</preloaded>; rel=preload; as=fetch, </module.js>; rel=modulepreload'],
  ['Link', '</style.css>; rel=stylesheet, </prefetched>; rel=prefetch, </next>; rel=prerender'],
  ['Link', '</manifest.json>; rel=manifest, </dictionary>; rel=compression-dictionary'],
  ['Document-Policy', 'force-load-at-top, include-js-call-stacks-in-crash-reports'],
  ['Document-Policy-Report-Only', 'js-profiling; report-to=a'],
  ['Require-Document-Policy', 'force-load-at-top'],
  ['Document-Isolation-Policy', 'isolate-and-require-corp'],
  ['Integrity-Policy', 'blocked-destinations=(script)'],
  ['Connection-Allowlist', '()'],
  ['Feature-Policy', "fullscreen 'none'"],
  ['Permissions-Policy-Report-Only', 'fullscreen=();report-to=a'],
  ['Referrer-Policy', 'unsafe-url'],
  ['Supports-Loading-Mode', 'credentialed-prerender, fenced-frame'],
  ['Content-Disposition', 'inline; filename="a.html"'],
  ['Content-Location', '/'],
  ['Content-DPR', '2'],
  ['Content-Base', '/'],
  ['X-UA-Compatible', 'IE=edge'],
  ['X-XSS-Protection', '1; report=/report'],
  ['X-DNS-Prefetch-Control', 'on'],
  ['X-Download-Options', 'noopen'],
  ['X-Robots-Tag', 'none'],
  ['Sec-Purpose', 'prefetch'],
  ['Sec-Shared-Storage-Writable', '?1'],
  ['Shared-Storage-Write', 'set;key="a";value="b"'],
  ['Attribution-Reporting-Register-Source', '{"destination":"https://a.example"}'],
  ['Observe-Browsing-Topics', '?1'],
  ['Ad-Auction-Signals', '[{"adSlot":"a"}]'],
  ['Sec-Private-State-Token', 'x'],
  ['Sec-WebSocket-Accept', 'x'],
  ['Sec-GPC', '1'],
  ['DNT', '1'],
  ['Tk', 'N'],
  ['P3P', 'CP="x"'],
  ['Server-Timing', 'a;dur=1'],
  ['Priority', 'u=0'],
  ['Vary', '*'],
  ['Cache-Control', 'max-age=600, immutable, stale-while-revalidate=600'],
  ['ETag', '"a"'],
  ['Age', '-1'],
  ['Date', 'Thu, 18 Aug 2050 02:01:18 GMT'],
  ['Expires', 'Thu, 18 Aug 2050 02:01:18 GMT'],
  ['Pragma', 'x'],
  ['Signature', 'a=:AA==:'],
  ['Via', '1.1 x'],
  ['Status', '301'],
  ['URI', '/'],
  ['Host', 'other.example'],
  ['Origin', 'null'],
  ['Cookie', 'a=b'],
  ['Set_Cookie', 'a=b; Path=/'],
  ['Access_Control_Allow_Origin', '*'],
  ['Clear_Site_Data', '"*"'],
  ['Service_Worker_Allowed', '/'],
];

const html = `<!doctype html><title>Chosen</title>
  <script>fetch('/ran'); document.cookie = 'ran=1; path=/';</script>
  <script src="/ran.js"></script><link rel="stylesheet" href="/ran.css">
  <meta http-equiv="refresh" content="0; url=/ran"><base href="/ran/">
  <img src="/ran.png" onerror="fetch('/ran')"><svg onload="fetch('/ran')"></svg>
  <iframe src="/ran"></iframe><form action="/ran"><input autofocus onfocus="this.form.submit()"></form>`;

/** Returns the headers that the browser sends to the origin, and its stored state. */
async function stateOf(page: Page, origin: string): Promise<unknown> {
  await page.goto(`${origin}/health`);
  const sent = await page.evaluate<object>(`(async () => {
    const response = await fetch('/api/methods/any', { cache: 'no-store' });
    const { headers } = await response.json();
    const workers = await navigator.serviceWorker.getRegistrations();
    const other = await fetch('/api/http/respond?another=1');
    return {
      headers: Object.keys(headers).sort(),
      coding: headers['accept-encoding'],
      workers: workers.length,
      caches: await caches.keys(),
      stored: Object.keys(localStorage),
      other: other.status,
    };
  })()`);
  return { ...sent, cookies: await page.context().cookies(origin) };
}

const encoded = (script: object) => Buffer.from(JSON.stringify(script)).toString('base64url');

test('no header acts beyond its response, and a document with it runs nothing', async () => {
  const page = await browser.open(`${relay.url}/health`);
  await page.evaluate(`localStorage.setItem('kept', '1')`);
  const before = await stateOf(page, relay.url);
  const first = relay.requests().length;
  const targets: string[] = [];
  const own = [...chosen.map((line) => [line]), chosen.slice(0, 18), chosen.slice(18, 36)];
  for (const lines of own) {
    const headers = [['Content-Type', 'text/html'], ...lines];
    const script = encoded({
      headers,
      body: html,
      informational: [{ status: 103, headers: lines }],
    });
    targets.push(`/api/http/respond?script=${script}`);
  }
  const query = chosen.map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  targets.push(`/httpbin/response-headers?${query.slice(0, 19).join('&')}`);
  for (const target of targets) {
    await page.goto(relay.url + target);
    expect(await page.evaluate('self.origin')).toBe('null');
  }
  await page.goto(`${relay.url}/health`);
  for (const target of targets) {
    expect(await page.evaluate(async (url) => (await fetch(url)).status, target)).toBe(200);
  }
  expect(await stateOf(page, relay.url)).toEqual(before);
  const known = ['/health', '/api/methods/any', '/api/http/respond', '/httpbin/response-headers'];
  const requested = relay
    .requests()
    .slice(first)
    .map((line) => line.split(/[ ?]/)[1] ?? '');
  const others = requested.filter((path) => !known.includes(path));
  expect(others.filter((path) => path !== '/favicon.ico')).toEqual([]);
  browser.takeFaults();
});

test('a cookie of a script is sent to its own path only', async () => {
  const page = await browser.open(`${relay.url}/health`);
  const path = '/s/cookies/api/http/respond';
  const script = encoded({ headers: { 'Set-Cookie': ['a=1', '__Secure-b=2', 'c'] } });
  await page.evaluate(async (url) => (await fetch(url)).status, `${path}?script=${script}`);
  const cookies = await page.context().cookies(relay.url + path);
  expect(cookies.map((cookie) => cookie.path)).toContain('/s/cookies');
  expect(new Set(cookies.map((cookie) => cookie.path))).toEqual(new Set(['/s/cookies']));
  expect(await page.context().cookies(relay.url)).toEqual([]);
});

test.each([
  ['none', []],
  ['empty', ['']],
  ['text', ['text/plain']],
  ['JSON', ['application/json']],
  ['HTML', ['text/html']],
  ['an image', ['image/svg+xml']],
  ['two types', ['text/plain', 'text/html']],
  ['no type', ['x']],
] as const)('a response of type %s is no script, style or worker', async (name, types) => {
  const path = `/s/types/api/http/responses/${encodeURIComponent(name.replaceAll(' ', '-'))}`;
  const headers = types.map((type) => ['Content-Type', type]);
  const json = { headers, body: 'fetch("/ran")/*{}*/' };
  expect((await service.send(`PUT ${path}`, { json })).status).toBe(201);
  const page = await browser.open(`${relay.url}/health`);
  const outcome = await page.evaluate<object>(`(async () => {
    const url = '${path}';
    const loaded = (tag, attributes) =>
      new Promise((resolve) => {
        const element = Object.assign(document.createElement(tag), attributes);
        element.onload = () => resolve('loaded');
        element.onerror = () => resolve('rejected');
        document.head.append(element);
      });
    const rejected = () => 'rejected';
    return {
      script: await loaded('script', { src: url }),
      module: await loaded('script', { src: url, type: 'module' }),
      style: await loaded('link', { rel: 'stylesheet', href: url }),
      worker: await navigator.serviceWorker.register(url, { scope: url }).then(() => 'loaded', rejected),
    };
  })()`);
  expect(new Set(Object.values(outcome))).toEqual(new Set(['rejected']));
  expect(relay.requests().filter((line) => line.includes('/ran'))).toEqual([]);
  browser.takeFaults();
});

/** Denied headers, sent by another server, and what then differs. */
test.each([
  ['Use-As-Dictionary', 'match="/*"', 'headers'],
  ['No-Vary-Search', 'params', 'other'],
  ['Clear-Site-Data', '"storage"', 'stored'],
] as const)('the state that is compared shows %s', async (name, value, member) => {
  const server = createServer((request, response) => {
    const [path] = (request.url ?? '').split('?');
    if (path === '/api/methods/any')
      return response.end(JSON.stringify({ headers: request.headers }));
    if (request.url === '/api/http/respond?another=1') response.statusCode = 404;
    response.setHeader('Content-Type', 'text/html');
    if (request.url === '/api/http/respond') {
      response.setHeader(name, value).setHeader('Cache-Control', 'max-age=600');
    }
    return response.end('<title>x</title>');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const page = await browser.open(`${origin}/health`);
  await page.evaluate(`localStorage.setItem('kept', '1')`);
  const before = (await stateOf(page, origin)) as Record<string, unknown>;
  await page.goto(`${origin}/api/http/respond`);
  const after = (await stateOf(page, origin)) as Record<string, unknown>;
  const changed = Object.keys(after).filter(
    (each) => JSON.stringify(after[each]) !== JSON.stringify(before[each]),
  );
  expect(changed).toContain(member);
  browser.takeFaults();
  server.closeAllConnections();
  server.close();
});

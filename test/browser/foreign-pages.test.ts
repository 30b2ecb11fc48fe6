/**
 * Requests that browsers send from pages of another origin, and headers that axios adds by itself.
 */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useBrowser } from '../support/browser.js';
import { useService } from '../support/service.js';

const service = useService();
const browser = useBrowser();

/** Another origin, whose pages have no policy. */
const other = createServer((_request, response) =>
  response.setHeader('Content-Type', 'text/html').end('<title>Blank</title>'),
);
let otherOrigin: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  otherOrigin = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
});
afterAll(() => {
  other.closeAllConnections();
  other.close();
});

const json = JSON.stringify({ from: 'a page' });

const ways: readonly (readonly [
  way: string,
  script: (url: string) => string,
  response: unknown,
])[] = [
  [
    'sendBeacon with JSON',
    (url) => `navigator.sendBeacon('${url}', new Blob(['${json}'], { type: 'application/json' }))`,
    true,
  ],
  [
    'fetch with credentials',
    (url) => `fetch('${url}', {
        method: 'POST', credentials: 'include', body: '${json}',
        headers: { 'Content-Type': 'application/json', 'X-Custom': 'a' },
      }).then((response) => response.status)`,
    200,
  ],
  [
    'XMLHttpRequest with credentials',
    (url) => `new Promise((resolve) => {
        const request = new XMLHttpRequest();
        request.open('POST', '${url}');
        request.withCredentials = true;
        request.setRequestHeader('Content-Type', 'application/json');
        request.onload = () => resolve(request.status);
        request.onerror = () => resolve('an error');
        request.send('${json}');
      })`,
    200,
  ],
];

test.each(ways)('%s reaches a bin', async (_way, script, expected) => {
  const { json: bin } = await service.send('POST /api/webhooks/bins', { json: {} });
  const page = await browser.open(otherOrigin);
  const url = `${service.url}/api/webhooks/${bin.id}/from-a-page`;
  expect(await page.evaluate(script(url))).toEqual(expected);
  const captured = async () =>
    (await service.send(`GET /api/webhooks/bins/${bin.id}/requests`)).json.map(
      ({ method, body }: { method: string; body: string }) => [method, body],
    );
  await expect.poll(captured).toContainEqual(['POST', json]);
  const faults = browser.takeFaults();
  expect(faults.filter((fault) => fault !== `requested: ${url}`)).toEqual([]);
});

test('a page of another origin cannot read with credentials except from bins', async () => {
  const page = await browser.open(otherOrigin);
  const url = `${service.url}/api/methods/get`;
  const read = (credentials: string) =>
    page.evaluate(
      `fetch('${url}', { credentials: '${credentials}' })
        .then(({ status }) => status, () => 'an error')`,
    );
  expect(await read('omit')).toBe(200);
  expect(await read('include')).toBe('an error');
  browser.takeFaults();
});

test('axios sends the CSRF token of the cookie by itself', async () => {
  const page = await browser.open(`${service.url}/health`);
  await page.route(`${service.url}/blank`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>Blank</title>' }),
  );
  await page.goto(`${service.url}/blank`);
  await page.addScriptTag({ path: 'test/node_modules/axios/dist/axios.min.js' });
  const statuses = await page.evaluate(`(async () => {
    await axios.get('/api/auth/csrf/token');
    const sent = await axios.post('/api/auth/csrf/submit', { any: 'body' });
    const without = await axios.post('/api/auth/csrf/submit', { any: 'body' }, {
      xsrfCookieName: 'another', validateStatus: () => true,
    });
    return [sent.status, without.status];
  })()`);
  expect(statuses).toEqual([200, 403]);
  browser.takeFaults();
});

/** The alarms of test/support/browser.ts are on: each of these pages would fail its test. */

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useBrowser } from '../support/browser.js';

const pages: Readonly<Record<string, string>> = {
  '/throws': '<script>setTimeout(() => { throw new Error("oops") })</script>',
  '/rejects': '<script>Promise.reject(new Error("oops"))</script>',
  '/logs': '<script>console.error("oops")</script>',
  '/foreign': '<img src="http://127.0.0.1:9/oops">',
  '/socket': '<script>new WebSocket("ws://127.0.0.1:9/oops")</script>',
  '/policy': '<p style="color: red">oops</p>',
  '/missing': '<img src="/oops">',
  '/fine':
    '<p>fine</p><img src="data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22/%3E">',
};

let server: Server;
const browser = useBrowser();

beforeAll(async () => {
  server = createServer((request, response) => {
    const page = pages[request.url ?? ''];
    const headers: Record<string, string> = { 'content-type': 'text/html' };
    if (request.url === '/policy') headers['content-security-policy'] = "style-src 'self'";
    response.writeHead(page === undefined ? 404 : 200, headers);
    response.end(page && `<link rel="icon" href="data:,">${page}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test.each([
  ['/throws', /oops/],
  ['/rejects', /oops/],
  ['/logs', /oops/],
  ['/foreign', /requested: .*oops/],
  ['/socket', /oops/],
  ['/policy', /Content Security Policy/],
  ['/missing', /404.*oops/],
])('%s raises an alarm', async (path, fault) => {
  const { port } = server.address() as AddressInfo;
  await browser.open(`http://127.0.0.1:${port}${path}`);
  const seen: string[] = [];
  await expect
    .poll(
      () => {
        seen.push(...browser.takeFaults());
        return seen.join('\n');
      },
      { timeout: 15_000 },
    )
    .toMatch(fault);
  // Later errors belong to the same fault.
  await new Promise((resolve) => setTimeout(resolve, 200));
  browser.takeFaults();
});

test('/fine raises no alarm', async () => {
  const { port } = server.address() as AddressInfo;
  const page = await browser.open(`http://127.0.0.1:${port}/fine`);
  await page.waitForLoadState('networkidle');
  expect(browser.takeFaults()).toEqual([]);
});

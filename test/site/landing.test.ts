/** The front page: who gets it, and its content. */

import { brotliDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Area } from '../../src/kit/area.js';
import { isListed } from '../../src/kit/describe/area-part.js';
import { areas } from '../../src/service.js';
import type { Endpoint } from '../../src/site/landing/list-endpoints.js';
import { weighPage } from '../support/page-weight.js';
import { useService } from '../support/service.js';

const listed: readonly Area[] = areas;

const service = useService();
const hosted = useService({
  baseUrl: "https://example.com/it's-here",
  basicUser: 'o\'"neill:</code><script>$&`',
});

const closed = useService({ accounts: 'required' });

const chromium =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';
const asBrowser = { headers: { Accept: chromium } };

test('a browser gets a page', async () => {
  const { status, headers, text } = await service.send('GET /', asBrowser);
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    vary: 'Accept, Accept-Encoding',
  });
  expect(text).toMatch(/^<!doctype html>/);
  expect(text).not.toContain('<!-- body -->');
});

test.each([
  ['no type', undefined],
  ['anything', '*/*'],
  ['JSON', 'application/json'],
  ['JSON rather than HTML', 'text/html;q=0.5, application/json'],
])('a client that accepts %s gets JSON', async (_case, accept) => {
  const headers = accept === undefined ? {} : { Accept: accept };
  const response = await service.send('GET /', { headers });
  expect(response.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    vary: 'Accept',
  });
  expect(response.json.areas.length).toBeGreaterThan(10);
});

test('its policy allows files of this service and nothing inline', async () => {
  const { headers } = await service.send('GET /', asBrowser);
  const [policy, scripts] = String(headers['content-security-policy']).split(', ');
  expect(scripts).toBe('script-src *:*/assets/');
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self'");
  expect(policy).toContain("style-src 'self'");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
});

test('it has every area with its endpoints, as the description has them', async () => {
  const { text } = await service.send('GET /', asBrowser);
  const { json: index } = await service.send('GET /');
  for (const { name } of index.areas) expect(text).toContain(`<section id="${name}"`);
  const { json: description } = await service.send('GET /openapi.json?formats=all');
  const names = new Set(index.areas.map(({ name }: { name: string }) => name));
  const isOfArea = (item: Record<string, { tags: string[] }>) =>
    Object.values(item).some(({ tags }) => tags.some((tag) => names.has(tag)));
  const paths = Object.keys(description.paths).filter((path) => isOfArea(description.paths[path]));
  expect(paths.length).toBeGreaterThan(50);
  // It shows some of many similar ones.
  const isLeftOut = (path: string) =>
    listed.some((area) => {
      const operations = Object.values<{ tags: string[] }>(description.paths[path]);
      return !isListed(area, path) && operations.some(({ tags }) => tags.includes(area.name));
    });
  const { json: endpoints } = await service.send('GET /endpoints.json');
  const all = Object.values(endpoints as Record<string, Endpoint[]>).flat();
  const told = new Map(all.map((endpoint) => [endpoint.path, endpoint]));
  for (const path of paths) {
    if (isLeftOut(path)) continue;
    const ids = Object.values<{ operationId: string }>(description.paths[path]);
    expect(ids.map(({ operationId }) => operationId)).toContain(told.get(path)?.operationId);
  }
  expect(told.get('/api/auth/basic/{user}')).toMatchObject({
    methods: ['GET'],
    guide: 'auth/basic',
  });
});

test('every area has from one to three examples', async () => {
  const { text } = await service.send('GET /', asBrowser);
  for (const area of text
    .split('<details class="area"')
    .filter((area) => !area.includes('id="credentials"'))
    .slice(1)) {
    const count = area.split('<article class="example"').length - 1;
    expect(count, area.slice(0, 40)).toBeGreaterThanOrEqual(1);
    expect(count, area.slice(0, 40)).toBeLessThanOrEqual(3);
  }
});

test('it has every credential that the index lists', async () => {
  const { text } = await service.send('GET /', asBrowser);
  const { json } = await service.send('GET /api/auth');
  const { scopes: _scopes, ...oauth } = json.credentials.oauth;
  const { role: _role, ...admin } = json.credentials.jwt[0];
  const { basic, digest, apiKey, bearer, hmac } = json.credentials;
  const shown = [basic, digest, { apiKey }, bearer, hmac, oauth, admin].flatMap(Object.values);
  expect(shown.length).toBeGreaterThan(10);
  for (const value of shown) expect(text).toContain(`<code>${value}</code>`);
});

test('its examples begin with the base URL of the request', async () => {
  const { text } = await service.send('GET /', {
    headers: { ...asBrowser.headers, Host: 'practice.test:8080' },
  });
  expect(text).toContain('http://practice.test:8080/api/RateLimit');
  expect(text).not.toContain('127.0.0.1');
});

test('a URL in brackets is quoted for shells, which would expand it as a pattern', async () => {
  const { text } = await service.send('GET /', {
    headers: { ...asBrowser.headers, Host: '[::1]:3000' },
  });
  const commands = [...text.matchAll(/curl<\/i>[^\n]*http:[^\n]*/g)].map(([command]) => command);
  expect(commands.length).toBeGreaterThan(10);
  for (const command of commands) expect(command).toContain('&#39;http://[::1]:3000');
  expect(text).not.toContain('100::');
});

test('a caller with invented hosts gets a page for each, and no other caller sees them', async () => {
  for (let index = 0; index < 50; index += 1) {
    const headers = { ...asBrowser.headers, Host: `host-${index}.test` };
    const { text } = await service.send('GET /', { headers });
    expect(text).toContain(`http://host-${index}.test/graphql`);
  }
  const { text } = await service.send('GET /', asBrowser);
  expect(text).not.toContain('.test');
});

test('a configured base URL and credentials are escaped', async () => {
  const { text } = await hosted.send('GET /', asBrowser);
  expect(text).toContain('https://example.com/it&#39;s-here');
  expect(text).toContain('<code>&lt;/code&gt;&lt;script&gt;$&amp;`</code>');
  expect(text).not.toContain('<script>$');
});

test('it is compressed, supports HEAD, and responds with 304 to a client that has it', async () => {
  const headers = { ...asBrowser.headers, 'Accept-Encoding': 'br' };
  const page = await service.send('GET /', { headers });
  expect(page.headers['content-encoding']).toBe('br');
  expect(brotliDecompressSync(page.bytes).toString()).toContain('</html>');
  const head = await service.send('HEAD /', { headers });
  expect(head.status).toBe(200);
  expect(head.headers['content-length']).toBe(page.headers['content-length']);
  const again = await service.send('GET /', {
    headers: { ...headers, 'If-None-Match': String(page.headers.etag) },
  });
  expect(again.status).toBe(304);
  expect(again.headers).toMatchObject({ etag: page.headers.etag, 'cache-control': 'no-cache' });
});

test('every page of this service that it links to exists', async () => {
  const { text } = await service.send('GET /', asBrowser);
  const links = [...text.matchAll(/(?:href|src)="([^"#]+)(?:#[^"]*)?"/g)].map(([, link]) => link);
  expect(links.length).toBeGreaterThan(20);
  for (const link of new Set(links)) {
    const { origin, pathname, search } = new URL(link ?? '', `${service.url}/`);
    expect(origin, link).toBe(service.url);
    const { status } = await service.send(`HEAD ${pathname}${search}`, asBrowser);
    expect(status, link).toBe(200);
  }
});

test('it weighs at most 28 KiB with an empty cache, and so does the page that requires an account', async () => {
  for (const each of [service, closed]) {
    const { bytes, files } = await weighPage(each, '/');
    expect(bytes).toBeLessThanOrEqual(28 * 1024);
    expect(files.length).toBeGreaterThan(3);
  }
});

test('where an account is required it says so, and links to the sign-up', async () => {
  const { text } = await closed.send('GET /', asBrowser);
  expect(text).toContain('This service requires an account.');
  expect(text).toContain('href="./account">Sign up</a>');
  expect((await service.send('GET /', asBrowser)).text).not.toContain('requires an account');
});

test('its top explains how to run the service, and for whom it is', async () => {
  const { text } = await service.send('GET /', asBrowser);
  const top = text.slice(0, text.indexOf('id="map-title"'));
  for (const command of ['npm ci &amp;&amp; npm start', 'docker build', 'npx practice-api']) {
    expect(top).toContain(`<code>${command}`);
  }
  expect(top).toContain('guides#a-path-for-testers');
});

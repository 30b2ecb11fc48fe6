import { brotliDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { useService } from '../support/service.js';

const service = useService();
const chromium =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

test('a browser that opens /graphql gets the editor', async () => {
  const { status, headers, text } = await service.send('GET /graphql', {
    headers: { Accept: chromium },
  });
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    vary: expect.stringMatching(/^X-Sandbox, X-Service-Key, Accept(?:, Accept-Encoding)?$/),
    etag: expect.stringMatching(/^"[\w-]+"$/),
  });
  expect(text).toMatch(/^<!doctype html>/);
});

test('its policy allows only files of this service', async () => {
  const { headers } = await service.send('GET /graphql', { headers: { Accept: 'text/html' } });
  const [own = '', scripts] = String(headers['content-security-policy']).split(', ');
  const policy = own.split('; ');
  expect(scripts).toBe('script-src *:*/assets/');
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self'");
  expect(policy).toContain("connect-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy.join()).not.toMatch(/unsafe-eval|https?:|\*/);
});

test('all files that it names exist, at every path', async () => {
  for (const address of ['/graphql', '/graphql/', '/GraphQL']) {
    const { text } = await service.send(`GET ${address}`, { headers: { Accept: 'text/html' } });
    expect(text).not.toMatch(/https?:\/\//);
    const named = [...text.matchAll(/<(?:script|link)[^>]* (?:src|href)="([^"]+)"/g)];
    expect(named.length).toBeGreaterThan(2);
    for (const [, file = ''] of named) {
      const { pathname } = new URL(file, `${service.url}${address}`);
      expect(pathname).toMatch(/^\/assets\//);
      expect((await service.send(`HEAD ${pathname}`)).status, pathname).toBe(200);
    }
  }
});

test('it is compressed, supports HEAD, and responds with 304 to a client that has it', async () => {
  const headers = { Accept: 'text/html', 'Accept-Encoding': 'br' };
  const page = await service.send('GET /graphql', { headers });
  const html =
    page.headers['content-encoding'] === 'br' ? brotliDecompressSync(page.bytes) : page.bytes;
  expect(html.toString()).toContain('</html>');
  const head = await service.send('HEAD /graphql', { headers });
  expect(head.status).toBe(200);
  expect(head.headers['content-length']).toBe(page.headers['content-length']);
  expect(head.headers.etag).toBe(page.headers.etag);
  const again = await service.send('GET /graphql', {
    headers: { ...headers, 'If-None-Match': String(page.headers.etag) },
  });
  expect(again.status).toBe(304);
  expect(again.headers).toMatchObject({ etag: page.headers.etag, 'cache-control': 'no-cache' });
});

test.each([
  ['a query', '/graphql?query={users{id}}', chromium, 200, 'application/graphql-response+json'],
  ['the schema', '/graphql?sdl', chromium, 200, 'application/graphql'],
  ['any type', '/graphql', '*/*', 400, 'application/graphql-response+json'],
  ['JSON', '/graphql', 'application/json, text/plain, */*', 400, 'application/graphql-resp'],
])('a client that requests %s gets no editor', async (_case, path, accept, status, type) => {
  const response = await service.send(`GET ${path}`, { headers: { Accept: accept } });
  expect(response.status).toBe(status);
  expect(response.headers['content-type']).toContain(type);
});

test('a client without Accept gets no editor', async () => {
  const { headers } = await service.send('GET /graphql');
  expect(headers['content-type']).toContain('application/graphql-response+json');
});

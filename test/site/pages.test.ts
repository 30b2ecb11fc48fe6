import { readdirSync, readFileSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { useService } from '../support/service.js';

const service = useService();
const directory = new URL('../../dist/pages/assets/', import.meta.url);
const assets = readdirSync(directory);
const sizeOf = (name: string) => readFileSync(new URL(name, directory)).length;
/** Small ones are not compressed. */
const asset = assets.find((name) => name.endsWith('.js') && sizeOf(name) > 4096) ?? '';
const bytes = readFileSync(new URL(asset, directory));

test('an asset is served as it was built, with a max-age of a year', async () => {
  const response = await service.send(`GET /assets/${asset}`);
  expect(response.status).toBe(200);
  expect(response.bytes.equals(bytes)).toBe(true);
  expect(response.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'content-length': String(bytes.length),
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    vary: 'Accept-Encoding',
    etag: expect.stringMatching(/^"[\w-]+"$/),
  });
  expect(response.headers).not.toHaveProperty('content-encoding');
});

test.each([
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
] as const)(
  'an asset is compressed with %s, with a separate entity tag',
  async (encoding, decompress) => {
    const plain = await service.send(`GET /assets/${asset}`);
    const response = await service.send(`GET /assets/${asset}`, {
      headers: { 'Accept-Encoding': encoding },
    });
    expect(response.headers['content-encoding']).toBe(encoding);
    expect(response.headers.vary).toBe('Accept-Encoding');
    expect(response.headers.etag).not.toBe(plain.headers.etag);
    expect(response.bytes.length).toBeLessThan(bytes.length / 2);
    expect(decompress(response.bytes).equals(bytes)).toBe(true);
  },
);

test('HEAD responds with the headers of GET', async () => {
  const headers = { 'Accept-Encoding': 'br' };
  const get = await service.send(`GET /assets/${asset}`, { headers });
  const head = await service.send(`HEAD /assets/${asset}`, { headers });
  expect(head.status).toBe(200);
  for (const name of ['content-type', 'content-length', 'content-encoding', 'etag', 'vary']) {
    expect(head.headers[name], name).toBe(get.headers[name]);
  }
});

test('a client that has an asset in this coding gets 304 with the headers that a cache needs', async () => {
  const headers = { 'Accept-Encoding': 'gzip' };
  const first = await service.send(`GET /assets/${asset}`, { headers });
  const tag = String(first.headers.etag);
  const again = { ...headers, 'If-None-Match': `"other", W/${tag}` };
  for (const method of ['GET', 'HEAD']) {
    const { status, headers: sent } = await service.send(`${method} /assets/${asset}`, {
      headers: again,
    });
    expect(status).toBe(304);
    expect(sent).toMatchObject({
      etag: tag,
      vary: 'Accept-Encoding',
      'cache-control': first.headers['cache-control'],
    });
    expect(sent).not.toHaveProperty('content-type');
  }
  const inBrotli = await service.send(`GET /assets/${asset}`, {
    headers: { 'Accept-Encoding': 'br', 'If-None-Match': tag },
  });
  expect(inBrotli.status).toBe(200);
});

test('every asset has a known type and a hash in its name', async () => {
  for (const name of assets) {
    expect(name).toMatch(/-[\w-]{8,}\.\w+$/);
    const { status, headers } = await service.send(`HEAD /assets/${name}`);
    expect(status).toBe(200);
    expect(headers['content-type'], name).not.toBe('application/octet-stream');
  }
});

test.each([
  'nothing.js',
  '..%2Fide%2Findex.html',
  '..%2f..%2fmain.js',
  '%2e%2e',
  '.',
  '%00',
  '..%5c..%5cpackage.json',
  '__proto__',
  'constructor',
  asset.toUpperCase(),
])('/assets/%s is 404', async (name) => {
  const { status, headers } = await service.send(`GET /assets/${name}`);
  expect(status).toBe(404);
  expect(headers['cache-control']).toBe('no-store');
});

test('an asset supports only GET and HEAD', async () => {
  const { status, headers } = await service.send(`POST /assets/${asset}`);
  expect(status).toBe(405);
  expect(headers.allow).toBe('GET, HEAD');
});

test('concurrent requests get the same bytes', async () => {
  const responses = await Promise.all(
    Array.from({ length: 20 }, () =>
      service.send(`GET /assets/${asset}`, { headers: { 'Accept-Encoding': 'br' } }),
    ),
  );
  for (const response of responses)
    expect(response.bytes.equals(responses[0]?.bytes ?? bytes)).toBe(true);
});

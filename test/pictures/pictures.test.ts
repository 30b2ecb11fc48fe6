import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { loadDatasets } from '../../src/data/load-datasets.js';
import { useService } from '../support/service.js';

const service = useService();
const { products, movies, people, photos, books } = loadDatasets();

test('every image URL in the data is an image', async () => {
  const addresses = [
    ...products.map(({ image }) => image),
    ...movies.map(({ poster }) => poster),
    ...people.map(({ avatar }) => avatar),
    ...photos.flatMap(({ url, thumbnailUrl }) => [url, thumbnailUrl]),
    ...books.map(({ id }) => `/images/books/${id}.svg`),
  ];
  expect(new Set(addresses).size).toBe(addresses.length);
  for (const address of addresses) {
    const { status, headers, text } = await service.send(`GET ${address}`);
    expect(status, address).toBe(200);
    expect(headers['content-type'], address).toBe('image/svg+xml; charset=utf-8');
    expect(text, address).toMatch(/^<svg .*<\/svg>$/s);
    // The image loads nothing, and cannot run scripts.
    expect(text, address).not.toMatch(
      /href|<script|<style|<image|<foreignObject|\son\w+=|url\((?!#)/,
    );
  }
});

test('an image is cacheable, and is only an image when opened by itself', async () => {
  const { headers } = await service.send('GET /images/books/1.svg');
  expect(headers).toMatchObject({
    'cache-control': 'public, max-age=86400',
    'content-security-policy': "default-src 'none'",
    'x-content-type-options': 'nosniff',
    vary: 'Accept-Encoding',
    etag: expect.stringMatching(/^"[\w-]+"$/),
  });
});

test('HEAD, compression and 304 work as for any content', async () => {
  const path = '/images/photos/7.svg';
  const plain = await service.send(`GET ${path}`);
  const head = await service.send(`HEAD ${path}`);
  expect(head.status).toBe(200);
  expect(head.headers['content-length']).toBe(String(plain.bytes.length));
  const headers = { 'Accept-Encoding': 'gzip' };
  const zipped = await service.send(`GET ${path}`, { headers });
  expect(gunzipSync(zipped.bytes).toString()).toBe(plain.text);
  const again = await service.send(`GET ${path}`, {
    headers: { ...headers, 'If-None-Match': String(zipped.headers.etag) },
  });
  expect(again.status).toBe(304);
  expect(again.headers['cache-control']).toBe('public, max-age=86400');
});

test('a cover shows the title and author of the book', async () => {
  const { text } = await service.send('GET /images/books/1.svg');
  expect(text).toContain('The Hobbit by J. R. R. Tolkien');
});

test('every service returns the same image', async () => {
  const first = await service.send('GET /images/people/3.svg');
  const second = await service.send('GET /IMAGES/People/3.svg/');
  expect(second.headers.etag).toBe(first.headers.etag);
});

test.each([
  '/images/products/31.svg',
  '/images/products/0.svg',
  '/images/products/-1.svg',
  '/images/products/01.svg',
  '/images/products/1.0.svg',
  '/images/products/1e0.svg',
  '/images/products/x.svg',
  '/images/products/.svg',
  '/images/products/%00.svg',
  '/images/products/99999999999999999999.svg',
  '/images/products/__proto__.svg',
  '/images/products/1.png',
  '/images/products/1',
  '/images/photos/501.svg',
  '/images/photos/501-thumbnail.svg',
  '/images/photos/1-thumb.svg',
  '/images/photos/1-thumbnail-thumbnail.svg',
  '/images/books/26.svg',
  '/images/nothing/1.svg',
])('%s is 404', async (path) => {
  const { status, headers } = await service.send(`GET ${path}`);
  expect(status).toBe(404);
  expect(headers).not.toHaveProperty('content-security-policy');
});

test('the error names the requested path', async () => {
  const { json } = await service.send('GET /images/movies/99.svg');
  expect(json.message).toBe('There is no movie 99 in the sample data.');
});

test('an image supports only GET and HEAD', async () => {
  const { status, headers } = await service.send('DELETE /images/photos/1-thumbnail.svg');
  expect(status).toBe(405);
  expect(headers.allow).toBe('GET, HEAD');
});

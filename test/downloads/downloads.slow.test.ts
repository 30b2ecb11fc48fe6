/**
 * The list of downloads, and how its files are sent; test/site/caching.slow.test.ts has HEAD and 304.
 */

import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { useService } from '../support/service.js';

const service = useService();
const { send } = service;

test('GET /downloads lists existing files with their media types', async () => {
  const { status, json } = await send('GET /downloads');
  expect(status).toBe(200);
  const opened = await Promise.all(
    json.map(async ({ url, format }: { url: string; format: string }) => {
      const response = await send(`GET ${url.slice(service.url.length)}`);
      return [format, response.status, response.headers['content-type']];
    }),
  );
  expect(opened).toEqual([
    ['Postman collection 2.1', 200, 'application/json; charset=utf-8'],
    ['.http', 200, 'text/plain; charset=utf-8'],
    ['OpenAPI 3.1, JSON', 200, 'application/json; charset=utf-8'],
    ['OpenAPI 3.1, YAML', 200, 'application/yaml; charset=utf-8'],
    ['GraphQL SDL', 200, 'application/graphql; charset=utf-8'],
    ['WSDL 1.1', 200, 'text/xml; charset=utf-8'],
    ['WSDL 1.1', 200, 'text/xml; charset=utf-8'],
    ['WSDL 1.1', 200, 'text/xml; charset=utf-8'],
  ]);
});

describe.each([
  ['/downloads/practice-api.postman_collection.json', 'practice-api.postman_collection.json'],
  ['/downloads/practice-api.http', 'practice-api.http'],
])('%s', (path, fileName) => {
  test('is saved by a browser under its name', async () => {
    for (const method of ['GET', 'HEAD']) {
      const { headers } = await send(`${method} ${path}`);
      expect(headers['content-disposition']).toBe(`attachment; filename="${fileName}"`);
    }
  });

  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])(
    'is compressed with %s for clients that accept it, with a separate entity tag',
    async (coding, decompress) => {
      const plain = await send(`GET ${path}`);
      const coded = await send(`GET ${path}`, { headers: { 'Accept-Encoding': coding } });
      expect(coded.headers['content-encoding']).toBe(coding);
      expect(coded.headers.etag).not.toBe(plain.headers.etag);
      expect(decompress(coded.bytes).equals(plain.bytes)).toBe(true);
    },
  );

  test('contains the URL that the request was sent to', async () => {
    const { text } = await send(`GET ${path}`, { headers: { Host: 'practice.example:8080' } });
    expect(text).toContain('http://practice.example:8080');
    expect(text).not.toContain(service.url);
    expect(text).not.toContain('base-url.invalid');
  });

  test('rejects other methods', async () => {
    const { status, headers } = await send(`POST ${path}`);
    expect([status, headers.allow]).toEqual([405, expect.stringContaining('GET')]);
  });
});

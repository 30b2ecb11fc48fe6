/** Shows how the service sends the description. */

import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { createService } from '../../src/index.js';
import { send as sendTo, useService } from '../support/service.js';

const service = useService();
const { send } = service;

test('the description is OpenAPI 3.1, as JSON', async () => {
  const { status, headers, json } = await send('GET /openapi.json');
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expect(json.openapi).toBe('3.1.0');
});

test('the description as YAML is equal', async () => {
  const { headers, text } = await send('GET /openapi.yaml');
  expect(headers['content-type']).toBe('application/yaml; charset=utf-8');
  expect(parse(text)).toEqual((await send('GET /openapi.json')).json);
});

/** Parses a YAML description up to its tags: parsing everything takes seconds. */
const parseStart = (text: string) => parse(text.slice(0, text.indexOf('\ntags:')));

describe.each([
  ['/openapi.json', JSON.parse],
  ['/openapi.yaml', parseStart],
])('%s', (path, read) => {
  test('is not sent again to a client that has it', async () => {
    const first = await send(`GET ${path}`);
    expect(first.headers['cache-control']).toBe('no-cache');
    const again = await send(`GET ${path}`, {
      headers: { 'If-None-Match': String(first.headers.etag) },
    });
    expect(again.status).toBe(304);
    expect(again.headers.etag).toBe(first.headers.etag);
  });

  test.each([
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
  ])('is sent in %s to a client that accepts it', async (coding, decode) => {
    const plain = await send(`GET ${path}`);
    const coded = await send(`GET ${path}`, { headers: { 'Accept-Encoding': coding } });
    expect(coded.headers['content-encoding']).toBe(coding);
    expect(coded.headers.vary).toBe('Accept-Encoding');
    expect(coded.headers.etag).not.toBe(plain.headers.etag);
    expect(coded.bytes.length).toBeLessThan(plain.bytes.length / 5);
    expect(decode(coded.bytes).equals(plain.bytes)).toBe(true);
  });

  test('responds to HEAD as it responds to GET', async () => {
    const got = await send(`GET ${path}`);
    const { status, headers, text } = await send(`HEAD ${path}`);
    expect(status).toBe(200);
    expect(text).toBe('');
    expect(headers.etag).toBe(got.headers.etag);
    expect(headers['content-length']).toBe(String(got.bytes.length));
  });

  test('rejects other methods', async () => {
    const { status, headers } = await send(`POST ${path}`);
    expect(status).toBe(405);
    expect(headers.allow).toBe('GET, HEAD');
  });

  test('contains the base URL of the request', async () => {
    const headers = { Host: 'api.example.com' };
    const { text } = await send(`GET ${path}`, { headers });
    expect(read(text).servers[0].url).toBe('http://api.example.com');
    expect(text).not.toContain(new URL(service.url).host);
    expect(text).not.toContain('base-url.invalid');
  });
});

/** Its brackets have a meaning in YAML. */
const ipv6 = { host: '[::1]:3000', address: 'http://[::1]:3000' };

async function bothFormats(host: string) {
  const headers = { Host: host };
  const { text: json } = await send('GET /openapi.json', { headers });
  const { text: yaml } = await send('GET /openapi.yaml', { headers });
  return { json, yaml };
}

test('both formats have the same base URL for a request to [::1]:3000', async () => {
  const { json, yaml } = await bothFormats(ipv6.host);
  expect(JSON.parse(json).servers[0].url).toBe(ipv6.address);
  expect(parse(yaml)).toEqual(JSON.parse(json));
});

test.each([
  ['localhost', 'http://localhost'],
  ['10.0.0.1:80', 'http://10.0.0.1'],
])('both formats have the same base URL for a request to %s', async (host, address) => {
  const { json, yaml } = await bothFormats(host);
  expect(JSON.parse(json).servers[0].url).toBe(address);
  // The rest is equal to the texts that are compared as values above.
  const compared = await bothFormats(ipv6.host);
  for (const format of ['json', 'yaml'] as const) {
    const isSame =
      { json, yaml }[format] === compared[format].replaceAll(ipv6.host, new URL(address).host);
    expect(isSame, format).toBe(true);
  }
});

test('a configured base URL replaces the URL of the request', async () => {
  // It contains a replacement pattern of JavaScript.
  const baseUrl = "https://example.com/$&/it's";
  const behindProxy = await createService({ baseUrl });
  try {
    const { json } = await sendTo(behindProxy.url, 'GET /openapi.json');
    expect(json.servers[0].url).toBe(baseUrl);
    const yaml = await sendTo(behindProxy.url, 'GET /openapi.yaml');
    expect(parse(yaml.text)).toEqual(json);
  } finally {
    await behindProxy.close();
  }
});

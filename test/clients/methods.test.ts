import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import axios from 'axios';
import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { testsWith } from '../support/foreign-program.js';
import { useService } from '../support/service.js';

const service = useService();
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const pathOf = (method: string) => `${service.url}/api/methods/${method.toLowerCase()}`;

async function curl(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('curl', ['-sS', ...args]);
  return stdout;
}

testsWith('curl').describe('curl', () => {
  test.each(methods)('sends %s with its default headers', async (method) => {
    const record = JSON.parse(await curl('-X', method, pathOf(method)));
    expect(record).toMatchObject({ method: method, contentType: null, body: null });
  });

  test.each(methods)('sends %s with data, which curl labels as a form', async (method) => {
    const record = JSON.parse(await curl('-X', method, '-d', 'a=1&b=2', pathOf(method)));
    expect(record).toMatchObject({
      contentType: 'application/x-www-form-urlencoded',
      body: 'a=1&b=2',
      form: { a: '1', b: '2' },
    });
  });

  test('sends HEAD and OPTIONS', async () => {
    const head = await curl('--head', `${service.url}/api/methods/head`);
    expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(head.toLowerCase()).toContain('x-method: head');
    const options = await curl('-i', '-X', 'OPTIONS', `${service.url}/api/methods/options`);
    expect(options.toLowerCase()).toContain('\r\nallow: options\r\n');
  });

  test('learns what a path supports when its method is wrong', async () => {
    const response = await curl('-i', '-X', 'DELETE', pathOf('GET'));
    expect(response).toContain('HTTP/1.1 405 Method Not Allowed');
    expect(response.toLowerCase()).toContain('\r\nallow: get\r\n');
  });

  test('waits for 100 Continue before a large body', async () => {
    const response = await curl(
      ...['-H', 'Expect: 100-continue', '-H', 'Content-Type: text/plain'],
      ...['-d', 'x'.repeat(50_000), pathOf('POST'), '-v', '--stderr', '-'],
    );
    expect(response).toContain('HTTP/1.1 100 Continue');
    expect(response).toContain('"bodyLength":50000');
  });

  test('sends HTTP/1.0, chunked uploads and an upgrade to HTTP/2 that the service ignores', async () => {
    expect(JSON.parse(await curl('--http1.0', `${service.url}/api/methods/any`))).toMatchObject({
      httpVersion: '1.0',
    });
    const chunked = await curl('-H', 'Transfer-Encoding: chunked', '-d', 'hi', pathOf('POST'));
    expect(JSON.parse(chunked)).toMatchObject({ body: 'hi', bodyLength: 2 });
    expect(JSON.parse(await curl('--http2', pathOf('GET')))).toMatchObject({ method: 'GET' });
  });

  test('uploads a file as a form', async () => {
    const file = new URL('../../package.json', import.meta.url).pathname;
    const record = JSON.parse(await curl('-F', `up=@${file};type=text/x`, pathOf('POST')));
    expect(record.files).toMatchObject([
      { name: 'up', filename: 'package.json', contentType: 'text/x' },
    ]);
  });
});

describe('fetch', () => {
  test.each(methods)('sends %s with its default headers', async (method) => {
    const response = await fetch(pathOf(method), { method: method });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ method: method, body: null });
  });

  test('sends text with an invented type', async () => {
    const response = await fetch(pathOf('PUT'), { method: 'PUT', body: 'héllo' });
    expect(await response.json()).toMatchObject({
      contentType: 'text/plain;charset=UTF-8',
      body: 'héllo',
      bodyLength: 6,
    });
  });

  test('shows its default headers in lower case', async () => {
    const response = await fetch(`${service.url}/api/methods/any`);
    expect(await response.json()).toMatchObject({
      headers: { accept: '*/*', 'user-agent': 'node' },
    });
  });
});

describe('undici', () => {
  test.each(methods)('sends %s with a body of bytes', async (method) => {
    const { statusCode, body } = await request(pathOf(method), {
      method: method,
      body: Buffer.from([0, 255]),
    });
    expect(statusCode).toBe(200);
    expect(await body.json()).toMatchObject({
      method: method,
      body: 'AP8=',
      bodyEncoding: 'base64',
    });
  });
});

describe('axios', () => {
  test.each(methods)('sends %s with JSON', async (method) => {
    const { status, data } = await axios({ method: method, url: pathOf(method), data: { a: 'ž' } });
    expect(status).toBe(200);
    expect(data).toMatchObject({ method: method, body: '{"a":"ž"}', json: { a: 'ž' } });
  });

  test('sends a form and reads HEAD, OPTIONS and rejections', async () => {
    const { data } = await axios.postForm(pathOf('POST'), { a: ['1', '2'] });
    expect(data.form).toEqual({ 'a[]': ['1', '2'] });
    const head = await axios.head(`${service.url}/api/methods/head`);
    expect(head.headers['x-message']).toBe('HEAD request received');
    const options = await axios.options(`${service.url}/api/methods/options`);
    expect(options.data.method).toBe('OPTIONS');
    const rejected = await axios.post(pathOf('GET'), {}, { validateStatus: () => true });
    expect(rejected.status).toBe(405);
    expect(rejected.headers.allow).toBe('GET');
  });
});

import { METHODS, request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { isProxied, sendableMethods } from '../support/create-service.js';
import { rawExchange } from '../support/raw-exchange.js';
import { useService } from '../support/service.js';

const nowMs = Date.UTC(2030, 5, 6, 7, 8, 9, 10);
const service = useService({ now: () => nowMs });
const { send } = service;

const mebibyte = 1024 * 1024;

/** The method that each path supports; all of them at `any`. */
const paths = {
  '/api/methods/get': 'GET',
  '/api/methods/post': 'POST',
  '/api/methods/put': 'PUT',
  '/api/methods/patch': 'PATCH',
  '/api/methods/delete': 'DELETE',
  '/api/methods/head': 'HEAD',
  '/api/methods/options': 'OPTIONS',
  '/api/methods/any': undefined,
} as const;

describe.each(Object.entries(paths))('%s', (path, taken) => {
  test.each(sendableMethods)(
    'responds to %s with success, or with 405 and Allow',
    async (method) => {
      const { status, headers, bytes } = await send(`${method} ${path}`);
      if (taken === undefined || taken === method) {
        expect(status).toBe(200);
        expect(bytes.length > 0).toBe(method !== 'HEAD');
      } else {
        expect(status).toBe(405);
        expect(headers.allow).toBe(taken);
      }
    },
  );
});

describe('TRACE', () => {
  test('returns the request itself, without possible credentials', async () => {
    const bytes = [
      'TRACE /api/methods/any?a=1 HTTP/1.1',
      'Host: a.example',
      'X-Custom: 1',
      'x-custom: 2',
      'Authorization: Bearer hush',
      'Cookie: hush',
      'X-API-Key: hush',
      'X-Service-Key: hush',
      'X-CSRF-Token: hush',
      'Max-Forwards: 0',
      'Connection: close',
      '',
      '',
    ].join('\r\n');
    const { status, head, body } = await rawExchange(service.url, bytes);
    expect(status).toBe(200);
    expect(head).toMatch(/^content-type: message\/http$/im);
    const sent = bytes.split('\r\n').filter((line) => !line.includes('hush'));
    if (!isProxied) expect(body).toBe(sent.join('\r\n'));
    expect(body).not.toContain('hush');
  });
});

describe('a number beyond the exact range of programs', () => {
  test('is reported beside the parsed JSON, which cannot show it', async () => {
    const body = '{"id": 9007199254740993, "small": 1}';
    const headers = { 'content-type': 'application/json' };
    const { json } = await send('POST /api/methods/post', { body, headers });
    expect(json.body).toBe(body);
    expect(json.jsonWarnings).toEqual([
      expect.stringMatching(/9007199254740993 at line 1, column 8 .* 9007199254740992/),
    ]);
    const plain = await send('POST /api/methods/post', { json: { id: 1 } });
    expect(plain.json).not.toHaveProperty('jsonWarnings');
  });
});

describe('a malformed query', () => {
  test('is shown unchanged, with the place of the error', async () => {
    const { status, json } = await send('GET /api/methods/get?a=1&b=%zz');
    expect(status).toBe(200);
    expect(json.query).toEqual({ a: '1', b: '%zz' });
    expect(json.parseError).toContain('character 7');
  });

  test('and a malformed body are both reported', async () => {
    const headers = { 'content-type': 'application/json' };
    const { json } = await send('POST /api/methods/post?%', { body: '{', headers });
    expect(json.parseError).toMatch(/query is malformed.*Invalid JSON/);
  });
});

describe('GET /api/methods/get', () => {
  test('shows the real time, whatever the clock of the sandbox', async () => {
    const headers = { 'X-Sandbox': 'ahead' };
    await send('PUT /api/sandbox/clock', { headers, json: { offsetSeconds: 3600 } });
    const { json } = await send('GET /api/methods/get', { headers });
    expect(json.timestamp).toBe(new Date(nowMs).toISOString());
  });

  test('responds with exactly the nine fields', async () => {
    const { status, headers, text } = await send('GET /api/methods/get');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(JSON.parse(text)).toStrictEqual({
      method: 'GET',
      message: 'GET request received',
      path: '/api/methods/get',
      query: {},
      contentType: null,
      bodyLength: 0,
      bodyTruncated: false,
      body: null,
      timestamp: '2030-06-06T07:08:09.010Z',
    });
  });

  test.each([
    ['a=1&b=two', { a: '1', b: 'two' }],
    ['a=1&a=2&a=3', { a: ['1', '2', '3'] }],
    ['name=J%C3%BCrgen%20M&plus=a+b', { name: 'Jürgen M', plus: 'a b' }],
    ['empty=&flag', { empty: '', flag: '' }],
    ['a[]=1&a[b]=2', { 'a[]': '1', 'a[b]': '2' }],
    ['bad=%zz', { bad: '%zz' }],
    ['', {}],
  ])('parses the query %s', async (query, expected) => {
    const { json } = await send(`GET /api/methods/get?${query}`);
    expect(json).toMatchObject({ path: '/api/methods/get', query: expected });
  });

  test('shows query parameters that are named like members of Object.prototype', async () => {
    const { text } = await send('GET /api/methods/get?__proto__=x&constructor=y');
    expect(text).toContain('"query":{"__proto__":"x","constructor":"y"}');
  });

  test('echoes the body of a GET, which few servers read', async () => {
    const { json } = await send('GET /api/methods/get', { json: { a: 1 } });
    expect(json).toMatchObject({
      contentType: 'application/json',
      bodyLength: 7,
      body: '{"a":1}',
      json: { a: 1 },
    });
  });

  test('works in any case and with a slash at the end, and shows the path as it was sent', async () => {
    const { status, json } = await send('GET /API/Methods/GET/');
    expect(status).toBe(200);
    expect(json.path).toBe('/API/Methods/GET/');
  });

  test('works with an absolute request target, and shows its path', async () => {
    const { status, json } = await send(`GET ${service.url}/api/methods/get?a=1`);
    expect(status).toBe(200);
    expect(json).toMatchObject({ path: '/api/methods/get', query: { a: '1' } });
  });
});

describe.each(['POST', 'PUT', 'PATCH', 'DELETE'])('the echo of a %s', (method) => {
  const target = `${method} /api/methods/${method.toLowerCase()}`;

  test('has the text of the body, exactly', async () => {
    const body = ' {"žluť" :\t"🐎"}\r\n';
    const { status, json } = await send(target, {
      body,
      headers: { 'content-type': 'text/plain; charset=utf-8' },
    });
    expect(status).toBe(200);
    expect(json).toStrictEqual({
      method,
      message: `${method} request received`,
      path: `/api/methods/${method.toLowerCase()}`,
      query: {},
      contentType: 'text/plain; charset=utf-8',
      bodyLength: Buffer.byteLength(body),
      bodyTruncated: false,
      body,
      timestamp: '2030-06-06T07:08:09.010Z',
    });
  });

  test('has no body if none or an empty one was sent', async () => {
    const nothing = { body: null, bodyLength: 0, bodyTruncated: false };
    expect((await send(target)).json).toMatchObject(nothing);
    expect((await send(target, { body: '' })).json).toMatchObject(nothing);
    expect(
      (await send(target, { headers: { 'transfer-encoding': 'chunked' } })).json,
    ).toMatchObject(nothing);
  });

  test('has a JSON body parsed', async () => {
    const { json } = await send(target, { json: { a: [1, { b: null }] } });
    expect(json).toMatchObject({ body: '{"a":[1,{"b":null}]}', json: { a: [1, { b: null }] } });
  });

  test('has the fields of a form', async () => {
    const { json } = await send(target, {
      body: 'a=1&a=2&b=%C5%BE+x',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(json.form).toEqual({ a: ['1', '2'], b: 'ž x' });
  });
});

describe('a body', () => {
  const target = 'POST /api/methods/post';

  test('that is not UTF-8 is echoed as base64', async () => {
    const body = Uint8Array.from({ length: 256 }, (_, index) => index);
    const { json } = await send(target, { body });
    expect(json).toMatchObject({ bodyEncoding: 'base64', bodyLength: 256, contentType: null });
    expect(Buffer.from(json.body, 'base64')).toEqual(Buffer.from(body));
  });

  test('of invalid JSON is echoed nevertheless, with the place of the error', async () => {
    const { status, json } = await send(target, {
      body: '{"a":1,}',
      headers: { 'content-type': 'application/json' },
    });
    expect(status).toBe(200);
    expect(json.body).toBe('{"a":1,}');
    expect(json.parseError).toContain('line 1, column 8');
    expect(json).not.toHaveProperty('json');
  });

  test('of JSON with __proto__ is echoed unchanged', async () => {
    const body = '{"__proto__":{"polluted":1}}';
    const { text, json } = await send(target, {
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect(json.body).toBe(body);
    expect(text).toContain(`"json":${body}`);
    expect((await send('GET /api/methods/get')).json).not.toHaveProperty('polluted');
  });

  test('of JSON nested too deep is echoed without being parsed', async () => {
    const body = '['.repeat(100_000) + ']'.repeat(100_000);
    const { status, json } = await send(target, {
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect(status).toBe(200);
    expect(json.body).toBe(body);
    expect(json.parseError).toContain('nested deeper');
  });

  test('of multipart shows fields and files', async () => {
    const form = new FormData();
    form.append('note', 'hi');
    form.append('up', new Blob([new Uint8Array(2048)], { type: 'image/png' }), 'a.png');
    const response = await fetch(`${service.url}/api/methods/post`, { method: 'POST', body: form });
    expect(await response.json()).toMatchObject({
      form: { note: 'hi' },
      files: [{ name: 'up', filename: 'a.png', contentType: 'image/png', size: 2048 }],
    });
  });

  test('of multipart shows the content types of fields that have one', async () => {
    const disposition = 'Content-Disposition: form-data; name=';
    const parts = [
      `${disposition}"plain"\r\n\r\nhi`,
      `${disposition}"json"\r\nContent-Type: application/json\r\n\r\n{"a":1}`,
      `content-type: text/x-own; charset=utf-8\r\n${disposition}"first"\r\n\r\nx`,
      `${disposition}"file"; filename="a.txt"\r\nContent-Type: text/csv\r\n\r\na,b`,
      `${disposition}"json"\r\nContent-Type: application/ld+json\r\n\r\n{}`,
    ];
    const { json } = await send(target, {
      body: `${parts.map((part) => `--cut\r\n${part}\r\n`).join('')}--cut--\r\n`,
      headers: { 'content-type': 'multipart/form-data; boundary="cut"' },
    });
    expect(json).not.toHaveProperty('parseError');
    expect(json.form).toEqual({ plain: 'hi', json: ['{"a":1}', '{}'], first: 'x' });
    expect(json.fieldTypes).toEqual({
      json: 'application/ld+json',
      first: 'text/x-own; charset=utf-8',
    });
    expect(json.files).toMatchObject([{ name: 'file', contentType: 'text/csv' }]);
  });

  test.each([
    ['a space in quotes', 'boundary="a cut"', '--a cut'],
    ['a name in capitals', 'charset=utf-8; BOUNDARY=cut', '--cut'],
    ['no closing quote', 'boundary="cut', '--cut'],
    ['70 characters', `boundary=${'c'.repeat(70)}`, `--${'c'.repeat(70)}`],
  ])('of multipart is parsed by a boundary with %s', async (_what, parameter, delimiter) => {
    const part = 'Content-Disposition: form-data; name="a"\r\n\r\n1';
    const { json } = await send(target, {
      body: `${delimiter}\r\n${part}\r\n${delimiter}--\r\n`,
      headers: { 'content-type': `multipart/form-data; ${parameter}` },
    });
    expect(json).toMatchObject({ form: { a: '1' } });
    expect(json).not.toHaveProperty('parseError');
  });

  test('of multipart with a boundary of more than 70 characters reports it', async () => {
    const boundary = 'c'.repeat(71);
    const { json } = await send(target, {
      body: `--${boundary}\r\n`,
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    });
    expect(json.parseError).toBe(
      'Malformed multipart body: the boundary in its Content-Type has 71 characters, more than 70.',
    );
  });

  test('of multipart whose parts have no name is echoed', async () => {
    const body = '--cut\r\nContent-Disposition: form-data; filename="a"\r\n\r\nx\r\n--cut--\r\n';
    const { status, json } = await send(target, {
      body,
      headers: { 'content-type': 'multipart/form-data; boundary=cut' },
    });
    expect(status).toBe(200);
    expect(json.body).toBe(body);
    expect(json.parseError).toContain('has no name');
    expect(json).not.toHaveProperty('files');
  });

  test('that is compressed is shown undecoded, and the response says so', async () => {
    const { json } = await send(target, {
      body: gzipSync('{"a":1}'),
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    });
    expect(json).toMatchObject({
      bodyEncoding: 'base64',
      parseError: 'The body is encoded (Content-Encoding: gzip), and shown as sent.',
    });
  });

  test('with a content type that is no media type is echoed', async () => {
    const { status, json } = await send(target, {
      body: 'x',
      headers: { 'content-type': '@@ not a type' },
    });
    expect(status).toBe(200);
    expect(json).toMatchObject({ contentType: '@@ not a type', body: 'x' });
  });

  test('in chunks is reassembled', async () => {
    const response = await fetch(`${service.url}/api/methods/post`, {
      method: 'POST',
      body: new ReadableStream({
        start(controller) {
          for (const part of ['one ', 'two ', 'ž']) controller.enqueue(Buffer.from(part));
          controller.close();
        },
      }),
      duplex: 'half',
    } as RequestInit);
    expect(await response.json()).toMatchObject({ body: 'one two ž', bodyLength: 10 });
  });

  test.each([
    ['1 MiB', mebibyte, false],
    ['one byte more', mebibyte + 1, true],
    ['10 MiB', 10 * mebibyte, true],
  ])('of %s is counted, and shown up to 1 MiB', async (_name, bytes, isTruncated) => {
    const { status, json } = await send(target, { body: Buffer.alloc(bytes, 'a') });
    expect(status).toBe(200);
    expect(json).toMatchObject({ bodyLength: bytes, bodyTruncated: isTruncated });
    expect(json.body).toBe('a'.repeat(mebibyte));
  });

  test('that was truncated is not parsed', async () => {
    const body = JSON.stringify({ text: 'a'.repeat(mebibyte) });
    const { json } = await send(target, { body, headers: { 'content-type': 'application/json' } });
    expect(json.bodyTruncated).toBe(true);
    expect(json).not.toHaveProperty('json');
    expect(json).not.toHaveProperty('parseError');
  });

  test.each([
    ['announced', { 'content-length': String(10 * mebibyte + 1) }],
    ['in chunks', { 'transfer-encoding': 'chunked' }],
  ])('over 10 MiB, %s, is rejected with 413 that the client can read', async (_name, headers) => {
    const body = Buffer.alloc(10 * mebibyte + 1, 'a');
    const { status, json } = await send(target, { body, headers: { ...headers } });
    expect(status).toBe(413);
    expect(json.message).toContain('10 MiB');
    expect((await send(target, { body: 'next' })).json.body).toBe('next');
  });
});

describe('HEAD /api/methods/head', () => {
  test('responds with headers only', async () => {
    const { status, headers, bytes } = await send('HEAD /api/methods/head');
    expect(status).toBe(200);
    expect(headers['x-method']).toBe('HEAD');
    expect(headers['x-message']).toBe('HEAD request received');
    expect(bytes).toHaveLength(0);
  });
});

describe('OPTIONS /api/methods/options', () => {
  test('lists an endpoint per method, each of which works', async () => {
    const { status, headers, json } = await send('OPTIONS /api/methods/options');
    expect(status).toBe(200);
    expect(headers.allow).toBe('OPTIONS');
    expect(json).toMatchObject({ method: 'OPTIONS', message: 'OPTIONS request received' });
    expect(json.endpoints).toHaveLength(8);
    for (const { method, path } of json.endpoints) {
      expect((await send(`${method === 'ANY' ? 'GET' : method} ${path}`)).status).toBe(200);
    }
  });
});

describe('/api/methods/any', () => {
  test('lists every method in Allow for OPTIONS', async () => {
    const { headers } = await send('OPTIONS /api/methods/any');
    expect(headers.allow).toBe(METHODS.join(', '));
    expect((await send('GET /api/methods/any')).headers).not.toHaveProperty('allow');
  });

  test.each(sendableMethods.filter((method) => !['HEAD', 'TRACE'].includes(method)))(
    'describes a %s',
    async (method) => {
      const { json } = await send(`${method} /api/methods/any?x=1`);
      expect(json).toMatchObject({
        method,
        message: `${method} request received`,
        path: '/api/methods/any',
        query: { x: '1' },
        ip: '127.0.0.1',
        httpVersion: '1.1',
      });
    },
  );

  test('describes a HEAD in headers', async () => {
    const { headers } = await send('HEAD /api/methods/any');
    expect(headers).toMatchObject({ 'x-method': 'HEAD', 'x-message': 'HEAD request received' });
  });

  test.skipIf(isProxied)('shows headers as they were sent, repeated ones as arrays', async () => {
    const { json } = await send('GET /api/methods/any', {
      headers: [
        ['X-One', 'a'],
        ['x-MANY', '1'],
        ['X-Many', '2'],
        ['Cookie', 'a=b'],
      ],
    });
    expect(json.headers).toMatchObject({ 'X-One': 'a', 'x-MANY': ['1', '2'], Cookie: 'a=b' });
  });

  test('has the additional members of the echo', async () => {
    const { json } = await send('PROPFIND /api/methods/any', { json: [1] });
    expect(json).toMatchObject({ method: 'PROPFIND', body: '[1]', json: [1] });
  });
});

test('a request that waits for 100 Continue gets it and then its response', async () => {
  const outcome = await new Promise<{ continued: boolean; body: string }>((resolve, reject) => {
    let continued = false;
    const outgoing = request(`${service.url}/api/methods/post`, {
      method: 'POST',
      headers: { expect: '100-continue', 'content-length': '5' },
    });
    outgoing.on('continue', () => {
      continued = true;
      outgoing.end('hello');
    });
    outgoing.on('error', reject);
    outgoing.on('response', async (response) => {
      let body = '';
      for await (const chunk of response) body += chunk;
      resolve({ continued, body });
    });
    outgoing.flushHeaders();
  });
  expect(outcome.continued).toBe(true);
  expect(JSON.parse(outcome.body)).toMatchObject({ body: 'hello', bodyLength: 5 });
});

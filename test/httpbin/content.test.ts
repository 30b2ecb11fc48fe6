/** Bytes, streams, delays, codings, documents and images as in httpbin. */

import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { openConnection, requestText } from '../support/raw-connection.js';
import { useService } from '../support/service.js';

const service = useService({ metrics: 'on' });
const { send } = service;

describe('bytes', () => {
  /** Python's result for `random.seed(0)` and ten times `random.randint(0, 255)`. */
  const ofZero = 'c5d71484f8cf9bf4b76f';

  test.each([
    '/bytes/10?seed=0',
    '/stream-bytes/10?seed=0',
    '/stream-bytes/10?seed=0&chunk_size=3',
  ])("%s equal Python's", async (path) => {
    const { headers, bytes } = await send(`GET /httpbin${path}`);
    expect(headers['content-type']).toBe('application/octet-stream');
    expect(bytes.toString('hex')).toBe(ofZero);
  });

  test('without a seed differ each time', async () => {
    const [a, b] = await Promise.all([1, 2].map(() => send('GET /httpbin/bytes/100')));
    expect(a?.bytes).not.toEqual(b?.bytes);
  });

  test('are at most 100 KiB, the same in one piece and in chunks', async () => {
    const whole = await send('GET /httpbin/bytes/999999999?seed=7');
    const digest = createHash('sha256').update(whole.bytes).digest('hex');
    expect(digest).toBe('5f4f7d6b6978b3f4486a95e854dc551e9a976de5721eea250a81061216b463df');
    expect(whole.headers['content-length']).toBe('102400');
    const chunked = await send('GET /httpbin/stream-bytes/102400?seed=7');
    expect(chunked.headers['transfer-encoding']).toBe('chunked');
    expect(chunked.bytes).toEqual(whole.bytes);
  });

  test.each([
    '/bytes/-1',
    '/bytes/x',
    '/bytes/1?seed=x',
    '/bytes/1?seed=1&seed=2',
    '/stream-bytes/1?chunk_size=0',
  ])('%s is rejected', async (path) => {
    expect((await send(`GET /httpbin${path}`)).status).toBe(400);
  });

  test('HEAD sends none', async () => {
    for (const path of ['/bytes/10', '/stream-bytes/10', '/range/10', '/stream/3', '/gzip']) {
      const { status, bytes } = await send(`HEAD /httpbin${path}`);
      expect([status, bytes.length]).toEqual([200, 0]);
    }
  });
});

describe('/range', () => {
  test.each([
    ['GET /httpbin/range/100?duration=1&chunk_size=20', {}, 100],
    ['GET /s/mine/httpbin/range/100?chunk_size=20&duration=1', {}, 100],
    ['GET /httpbin/range/100?duration=1&chunk_size=20', { Range: 'bytes=30-89' }, 60],
  ])('%s with %j arrives in pieces of 20 bytes', async (target, headers, size) => {
    const connection = openConnection(service.url);
    const ends = new Set<number>();
    connection.socket.on('data', () => {
      const received = connection.received();
      ends.add(received.length - received.indexOf('\r\n\r\n') - 4);
    });
    connection.send(requestText(target, { ...headers, Connection: 'close' }));
    await connection.ended;
    connection.socket.destroy();
    // On a busy machine several may arrive together.
    expect([...ends].filter((end) => end % 20 !== 0)).toEqual([]);
    expect(Math.max(...ends)).toBe(size);
  });

  test('is the alphabet, with a quoted entity tag', async () => {
    const { status, headers, text } = await send('GET /httpbin/range/30');
    expect([status, headers.etag, headers['accept-ranges']]).toEqual([200, '"range30"', 'bytes']);
    expect(headers).not.toHaveProperty('content-range');
    expect(text).toBe('abcdefghijklmnopqrstuvwxyzabcd');
  });

  test.each([
    [100, 'bytes=10-24', 'bytes 10-24/100', 'klmnopqrstuvwxy'],
    [1000, 'bytes=0-15', 'bytes 0-15/1000', 'abcdefghijklmnop'],
    [26, 'bytes=20-', 'bytes 20-25/26', 'uvwxyz'],
    [26, 'bytes=-5', 'bytes 21-25/26', 'vwxyz'],
    [26, 'bytes=20-99', 'bytes 20-25/26', 'uvwxyz'],
  ])('of %i: %s', async (n, range, contentRange, text) => {
    const response = await send(`GET /httpbin/range/${n}?chunk_size=5`, { headers: { range } });
    expect([response.status, response.headers['content-range']]).toEqual([206, contentRange]);
    expect(response.text).toBe(text);
    expect(response.headers['content-length']).toBe(String(text.length));
  });

  test('416 has the total length', async () => {
    const { status, headers } = await send('GET /httpbin/range/26', {
      headers: { Range: 'bytes=32-40' },
    });
    expect([status, headers['content-range'], headers.etag]).toEqual([
      416,
      'bytes */26',
      '"range26"',
    ]);
  });

  test.each([0, -1, 102_401])('%i bytes are 404', async (n) => {
    expect((await send(`GET /httpbin/range/${n}`)).status).toBe(404);
  });

  test('lasts for its duration', async () => {
    const response = await send('GET /httpbin/range/26?duration=0.05');
    expect(response.text).toBe('abcdefghijklmnopqrstuvwxyz');
  });
});

describe('over time', () => {
  test('/stream/n returns lines formatted as in Python', async () => {
    const { headers, text } = await send('GET /httpbin/stream/2?a=b');
    const lines = text.split('\n');
    expect(headers['content-type']).toBe('application/json');
    expect(lines).toHaveLength(3);
    expect(lines[1]).toMatch(
      /^\{"url": "http:.*", "args": \{"a": "b"\}, "headers": \{.*"id": 1\}$/,
    );
    expect((await send('GET /httpbin/stream/101')).text.match(/\n/g)).toHaveLength(100);
  });

  test('/drip returns asterisks of the requested number, status and duration', async () => {
    const target = 'GET /httpbin/drip?numbytes=5&duration=0.05&delay=0.01&code=503';
    const { status, headers, text } = await send(target);
    expect([status, headers['content-length'], text]).toEqual([503, '5', '*****']);
    expect(headers).not.toHaveProperty('x-simulated');
    expect((await send('GET /httpbin/drip?duration=0&code=204')).text).toBe('');
    expect((await send('HEAD /httpbin/drip?duration=0')).headers['content-length']).toBe('10');
  });

  test.each([
    'numbytes=0',
    'numbytes=-1',
    'numbytes=x',
    'duration=601',
    'delay=61',
    'code=199',
    'code=x',
  ])('/drip?%s is rejected', async (query) => {
    const { status, json } = await send(`GET /httpbin/drip?${query}`);
    expect([status, json.errors[0].field]).toEqual([400, query.split('=')[0]]);
  });

  test('a drip ends when its client leaves', async () => {
    const held = async () => {
      const { text } = await send('GET /metrics');
      return Number(/^practice_api_held_requests (\d+)/m.exec(text)?.[1] ?? 0);
    };
    const connection = openConnection(service.url);
    connection.send(requestText('GET /httpbin/drip?duration=500'));
    await connection.until('\r\n\r\n*');
    expect(await held()).toBe(1);
    connection.socket.destroy();
    while ((await held()) > 0);
  });

  test('/delay/n waits, and reports the request', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE']) {
      const { status, json } = await send(`${method} /httpbin/delay/0.01?a=b`, { body: 'x' });
      expect([status, json.args, json.data], method).toEqual([200, { a: 'b' }, 'x']);
      expect(json).not.toHaveProperty('json');
    }
    expect((await send('GET /httpbin/delay/x')).status).toBe(400);
    expect((await send('GET /httpbin/delay/-1')).status).toBe(400);
  });
});

test.each([
  ['/gzip', 'gzip', 'gzipped', gunzipSync],
  ['/deflate', 'deflate', 'deflated', inflateSync],
  ['/brotli', 'br', 'brotli', brotliDecompressSync],
])('%s is compressed whatever the client accepts', async (path, coding, mark, decode) => {
  const { headers, bytes } = await send(`GET /httpbin${path}`, {
    headers: { 'Accept-Encoding': 'identity' },
  });
  expect(headers['content-encoding']).toBe(coding);
  expect(headers['content-length']).toBe(String(bytes.length));
  const json = JSON.parse(decode(bytes).toString());
  expect(json).toEqual({
    headers: expect.anything(),
    method: 'GET',
    origin: '127.0.0.1',
    [mark]: true,
  });
});

describe('documents', () => {
  test.each([
    ['/html', 'text/html; charset=utf-8', '<h1>Herman Melville - Moby-Dick</h1>'],
    ['/xml', 'application/xml', 'title="Sample Slide Show"'],
    ['/robots.txt', 'text/plain', 'User-agent: *\nDisallow: /deny\n'],
    ['/deny', 'text/plain', "YOU SHOULDN'T BE HERE"],
    ['/encoding/utf8', 'text/html; charset=utf-8', '<h1>Unicode Demo</h1>'],
    ['/forms/post', 'text/html; charset=utf-8', 'action="../post"'],
    ['/json', 'application/json', '"title": "Wake up to WonderWidgets!"'],
  ])('%s is %s', async (path, type, has) => {
    const { headers, text } = await send(`GET /httpbin${path}`);
    expect(headers['content-type']).toBe(type);
    expect(headers['cache-control']).toBe('public, max-age=3600');
    expect(text).toContain(has);
  });

  test('/json has the values that test suites compare', async () => {
    const { slideshow } = (await send('GET /httpbin/json')).json;
    expect(slideshow).toMatchObject({ author: 'Yours Truly', date: 'date of publication' });
    expect(slideshow.slides.map(({ title }: { title: string }) => title)).toEqual([
      'Wake up to WonderWidgets!',
      'Overview',
    ]);
  });

  test.each([
    ['SFRUUEJJTiBpcyBhd2Vzb21l', 'HTTPBIN is awesome'],
    ['0JfQtNGA0LDQstGB0YLQstGD0LksINC80LjRgCE=', 'Здравствуй, мир!'],
    ['fn5-Pz8_', '~~~???'],
    ['fn5%2BPz8%2F', '~~~???'],
    ['YQ', 'a'],
  ])('/base64/%s is text that cannot run as a script', async (path, expected) => {
    const { headers, text } = await send(`GET /httpbin/base64/${path}`);
    expect(text).toBe(expected);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toMatch(/^sandbox;/);
  });

  test.each(['!', 'a', '_w', 'YQ=='.slice(0, 1)])('/base64/%s is rejected', async (value) => {
    expect((await send(`GET /httpbin/base64/${value}`)).status).toBe(400);
  });

  test('/links pages link to each other', async () => {
    const { headers } = await send('GET /s/x/httpbin/links/3');
    expect(headers.location).toBe('/s/x/httpbin/links/3/0');
    const { text } = await send('GET /s/x/httpbin/links/3/1');
    expect(text.match(/href="[^"]*"/g)).toEqual([
      'href="/s/x/httpbin/links/3/0"',
      'href="/s/x/httpbin/links/3/2"',
    ]);
    expect((await send('GET /httpbin/links/999/0')).text.match(/<a /g)).toHaveLength(199);
  });
});

describe('/image', () => {
  const begins = { png: '89504e47', jpeg: 'ffd8ffe0', webp: '52494646', 'svg+xml': '3c737667' };

  test.each([
    ['/image', undefined, 'png'],
    ['/image', '*/*', 'png'],
    ['/image', 'image/*', 'png'],
    ['/image', 'image/webp', 'webp'],
    ['/image', 'image/svg+xml, image/png;q=0.5', 'svg+xml'],
    ['/image', 'image/jpeg', 'jpeg'],
    ['/image/png', 'text/html', 'png'],
    ['/image/jpeg', undefined, 'jpeg'],
    ['/image/webp', undefined, 'webp'],
    ['/image/svg', undefined, 'svg+xml'],
  ] as const)('%s for %s is %s', async (path, accept, type) => {
    const { headers, bytes } = await send(`GET /httpbin${path}`, {
      headers: accept ? { accept } : {},
    });
    expect(headers['content-type']).toBe(`image/${type}`);
    expect(bytes.subarray(0, 4).toString('hex')).toBe(begins[type]);
    if (path === '/image') expect(headers.vary).toContain('Accept');
  });

  test('lists the types when the client accepts none', async () => {
    const { status, json } = await send('GET /httpbin/image', { headers: { Accept: 'text/html' } });
    expect(status).toBe(406);
    expect(json.message).toBe('Client did not request a supported media type.');
    expect(json.accept).toEqual([
      'image/webp',
      'image/svg+xml',
      'image/jpeg',
      'image/png',
      'image/*',
    ]);
  });
});

test('faults can be requested as everywhere, except a delay where httpbin has one', async () => {
  expect((await send('GET /httpbin/get?error=503')).status).toBe(503);
  expect((await send('GET /httpbin/drip?duration=0&error=503')).status).toBe(200);
});

test('JSON that is not UTF-8 is not parsed', async () => {
  const body = Buffer.from('7b2261223a22e9227d', 'hex');
  const { json } = await send('POST /httpbin/post', {
    body,
    headers: { 'Content-Type': 'application/json' },
  });
  expect(json.json).toBeNull();
  const rpc = await send('POST /api/jsonrpc', {
    body,
    headers: { 'Content-Type': 'application/json' },
  });
  expect(rpc.json).toMatchObject({ id: null, error: { code: -32700 } });
});

test.each([
  ['Content-Disposition: attachment; name="a"', /attachment/],
  ['Content-Type: text/plain', /no Content-Disposition/],
  ['Content-Disposition : form-data; name="a"', /before the colon/],
])('a part with %s is shown as data, with the reason', async (head, reason) => {
  const body = `--cut\r\n${head}\r\n\r\nx\r\n--cut--\r\n`;
  const headers = { 'Content-Type': 'multipart/form-data; boundary=cut' };
  for (const path of ['/httpbin/post', '/s/x/httpbin/anything', '/httpbin/delay/0']) {
    const { json } = await send(`POST ${path}`, { body, headers });
    expect([json.data, json.form, json.files]).toEqual([body, {}, {}]);
    expect(json.parseError).toMatch(reason);
  }
  const echo = await send('POST /api/methods/post', { body, headers });
  expect(echo.json.parseError).toMatch(reason);
});

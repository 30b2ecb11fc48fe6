import { createCipheriv, createHash } from 'node:crypto';
import { get, type IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { openConnection } from '../support/raw-connection.js';
import { useService } from '../support/service.js';

const service = useService();
const { send } = service;
const mebibyte = 1024 * 1024;

/** Computes the bytes of a seed, as any client can. */
function expected(seed: string, size: number): Buffer {
  const key = createHash('sha256').update(seed).digest().subarray(0, 16);
  return createCipheriv('aes-128-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(size));
}

function sha256(bytes: Uint8Array): string {
  return `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`;
}

/** The whole response with its trailers, as parsed. */
function read(path: string, headers: Readonly<Record<string, string>> = {}) {
  return new Promise<{ response: IncomingMessage; size: number; digest: string }>(
    (resolve, reject) => {
      get(service.url + path, { headers }, (response) => {
        const hash = createHash('sha256');
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          size += chunk.length;
          hash.update(chunk);
        });
        response.on('end', () => {
          resolve({ response, size, digest: `sha-256=:${hash.digest('base64')}:` });
        });
        response.on('error', reject);
      }).on('error', reject);
    },
  );
}

const whole = expected('0', 1000);

test('the same seed returns the same bytes, and the entity tag identifies them', async () => {
  const first = await send('GET /api/http/bytes/1000');
  expect(first.status).toBe(200);
  expect(first.bytes).toEqual(whole);
  expect(first.headers).toMatchObject({
    'accept-ranges': 'bytes',
    'content-length': '1000',
    'content-type': 'application/octet-stream',
    etag: expect.stringMatching(/^"[\w-]{22}"$/),
  });
  const again = await send('GET /api/http/bytes/1000?seed=0');
  expect(again.headers.etag).toBe(first.headers.etag);
  const other = await send('GET /api/http/bytes/1000?seed=Z%C3%BCrich');
  expect(other.bytes).toEqual(expected('Zürich', 1000));
  expect(other.headers.etag).not.toBe(first.headers.etag);
  const shorter = await send('GET /api/http/bytes/999');
  expect(shorter.headers.etag).not.toBe(first.headers.etag);
});

test('zero bytes are a valid response as well', async () => {
  const { status, bytes, headers } = await send('GET /api/http/bytes/0');
  expect([status, bytes.length, headers['content-length']]).toEqual([200, 0, '0']);
  const range = await send('GET /api/http/bytes/0', { headers: { Range: 'bytes=0-' } });
  expect([range.status, range.headers['content-range']]).toEqual([416, 'bytes */0']);
});

describe('a range', () => {
  test.each([
    ['bytes=0-499', 'bytes 0-499/1000', [0, 500]],
    ['bytes=500-', 'bytes 500-999/1000', [500, 1000]],
    ['bytes=-1', 'bytes 999-999/1000', [999, 1000]],
    ['bytes=-2000', 'bytes 0-999/1000', [0, 1000]],
    ['bytes=17-17', 'bytes 17-17/1000', [17, 18]],
    ['bytes=0-9, 5000-', 'bytes 0-9/1000', [0, 10]],
  ])('%s is sent with 206', async (Range, contentRange, [start, end]) => {
    const { status, headers, bytes } = await send('GET /api/http/bytes/1000', {
      headers: { Range },
    });
    expect(status).toBe(206);
    expect(headers['content-range']).toBe(contentRange);
    expect(headers['content-length']).toBe(String(bytes.length));
    expect(bytes).toEqual(whole.subarray(start, end));
  });

  test.each([['bytes=1000-'], ['bytes=-0'], ['bytes=9999-10000, 1000-']])(
    '%s is 416, with the length',
    async (Range) => {
      const { status, headers, json } = await send('GET /api/http/bytes/1000', {
        headers: { Range },
      });
      expect([status, headers['content-range']]).toEqual([416, 'bytes */1000']);
      expect(json.message).toContain('1000 bytes');
    },
  );

  test.each([
    ['items=0-1'],
    ['bytes=5-1'],
    ['bytes=a'],
    ['bytes=0-999,0-0'],
    [`bytes=${Array(21).fill('0-0').join()}`],
  ])('%s gets the whole body', async (Range) => {
    const { status, bytes } = await send('GET /api/http/bytes/1000', { headers: { Range } });
    expect([status, bytes.length]).toEqual([200, 1000]);
  });

  test('with HEAD is ignored', async () => {
    const { status, headers } = await send('HEAD /api/http/bytes/104857600', {
      headers: { Range: 'bytes=0-1' },
    });
    expect([status, headers['content-length']]).toEqual([200, '104857600']);
  });
});

test('several ranges are sent as multipart, each with its position, in the requested order', async () => {
  const { status, headers, bytes } = await send('GET /api/http/bytes/1000', {
    headers: { Range: 'bytes=500-509, 0-4, -3' },
  });
  expect(status).toBe(206);
  expect(headers).not.toHaveProperty('content-range');
  expect(headers['content-length']).toBe(String(bytes.length));
  const [, boundary = ''] =
    /^multipart\/byteranges; boundary=([\w-]+)$/.exec(headers['content-type'] ?? '') ?? [];
  const part = (range: string, start: number, end: number) =>
    `--${boundary}\r\nContent-Type: application/octet-stream\r\nContent-Range: bytes ${range}/1000\r\n\r\n${whole.toString('latin1', start, end)}\r\n`;
  expect(bytes.toString('latin1')).toBe(
    `${part('500-509', 500, 510)}${part('0-4', 0, 5)}${part('997-999', 997, 1000)}--${boundary}--\r\n`,
  );
});

test('If-Range applies a range only while the version is the same', async () => {
  const { etag = '' } = (await send('HEAD /api/http/bytes/1000')).headers;
  const Range = 'bytes=0-9';
  for (const [ifRange, status] of [
    [etag, 206],
    [`W/${etag}`, 200],
    ['"another"', 200],
    ['Wed, 21 Oct 2015 07:28:00 GMT', 200],
  ] as const) {
    const headers = { Range, 'If-Range': ifRange };
    expect((await send('GET /api/http/bytes/1000', { headers })).status, ifRange).toBe(status);
  }
});

test('conditions are evaluated before ranges', async () => {
  const { etag = '' } = (await send('HEAD /api/http/bytes/1000')).headers;
  const ask = (headers: Record<string, string>) =>
    send('GET /api/http/bytes/1000', { headers: { Range: 'bytes=0-9', ...headers } });
  expect((await ask({ 'If-None-Match': etag })).status).toBe(304);
  expect((await ask({ 'If-Match': '"another"' })).status).toBe(412);
  expect((await ask({ 'If-Match': etag })).status).toBe(206);
  expect((await ask({ 'If-Match': etag, 'If-None-Match': etag })).status).toBe(304);
});

describe('digests', () => {
  test('are sent on request only', async () => {
    const { headers } = await send('GET /api/http/bytes/1000');
    expect(headers).not.toHaveProperty('content-digest');
    expect(headers).not.toHaveProperty('repr-digest');
  });

  test('of a range cover the content and the whole', async () => {
    const { headers } = await send('GET /api/http/bytes/1000', {
      headers: {
        Range: 'bytes=0-9',
        'Want-Content-Digest': 'sha-256=10',
        'Want-Repr-Digest': 'sha-512=3, sha-256=10, unixsum=1',
      },
    });
    expect(headers['content-digest']).toBe(sha256(whole.subarray(0, 10)));
    expect(headers['repr-digest']).toBe(sha256(whole));
  });

  test('of several ranges cover the multipart', async () => {
    const { headers, bytes } = await send('GET /api/http/bytes/1000', {
      headers: { Range: 'bytes=0-0,-1', 'Want-Content-Digest': 'sha-256=1' },
    });
    expect(headers['content-digest']).toBe(sha256(bytes));
  });

  test('of HEAD cover empty content, and the whole', async () => {
    const { headers } = await send('HEAD /api/http/bytes/1000', {
      headers: { 'Want-Content-Digest': 'sha-256=1', 'Want-Repr-Digest': 'sha-256=1' },
    });
    expect(headers['content-digest']).toBe(sha256(Buffer.alloc(0)));
    expect(headers['repr-digest']).toBe(sha256(whole));
  });

  test('are headers up to a mebibyte, and trailers beyond', async () => {
    const wants = { 'Want-Content-Digest': 'sha-256=1', 'Want-Repr-Digest': 'sha-256=1' };
    const at = await read(`/api/http/bytes/${mebibyte}`, wants);
    expect(at.response.headers).toMatchObject({
      'content-length': String(mebibyte),
      'content-digest': at.digest,
      'repr-digest': at.digest,
    });
    const beyond = await read(`/api/http/bytes/${mebibyte + 1}`, wants);
    expect(beyond.size).toBe(mebibyte + 1);
    expect(beyond.response.headers).toMatchObject({
      trailer: 'Content-Digest, Repr-Digest',
      'transfer-encoding': 'chunked',
    });
    expect(beyond.response.headers).not.toHaveProperty('content-length');
    expect(beyond.response.trailers).toEqual({
      'content-digest': beyond.digest,
      'repr-digest': beyond.digest,
    });
  });

  test('of a small range of a large body are a header for the range, and a trailer for the whole', async () => {
    const size = 3 * mebibyte;
    const { response, digest } = await read(`/api/http/bytes/${size}`, {
      Range: 'bytes=0-9',
      'Want-Content-Digest': 'sha-256=1',
      'Want-Repr-Digest': 'sha-256=1',
    });
    expect(response.headers['content-digest']).toBe(digest);
    expect(response.trailers).toEqual({ 'repr-digest': sha256(expected('0', size)) });
  });

  test('are omitted for HTTP/1.0, which has no trailers', async () => {
    const connection = openConnection(service.url);
    connection.send(
      'GET /api/http/bytes/1048577 HTTP/1.0\r\nHost: localhost\r\nWant-Repr-Digest: sha-256=1\r\n\r\n',
    );
    await connection.ended;
    const [head = ''] = connection.received().toString('latin1').split('\r\n\r\n', 1);
    expect(head.toLowerCase()).toContain('content-length: 1048577');
    expect(head.toLowerCase()).not.toMatch(/trailer|digest/);
  });
});

test('a file name is sent in both forms', async () => {
  const { headers } = await send('GET /api/http/bytes/1?filename=na%C3%AFve%20plan.bin');
  expect(headers['content-disposition']).toBe(
    `attachment; filename="na_ve plan.bin"; filename*=UTF-8''na%C3%AFve%20plan.bin`,
  );
});

test.each([
  ['bytes/104857601', 'n'],
  ['bytes/-1', 'n'],
  ['bytes/1e3', 'n'],
  ['bytes/x', 'n'],
  ['bytes/1?bytesPerSecond=0', 'bytesPerSecond'],
  ['bytes/1000?bytesPerSecond=1', 'bytesPerSecond'],
  ['bytes/1?filename=a%0D%0Ab', 'filename'],
  ['bytes/1?sed=1', 'sed'],
  [`bytes/1?seed=${'s'.repeat(101)}`, 'seed'],
])('%s is rejected, and the response names %s', async (path, field) => {
  const { status, json } = await send(`GET /api/http/${path}`);
  expect(status).toBe(400);
  expect(json.errors[0].field).toBe(field);
});

test('a hundred mebibytes arrive completely', async () => {
  const { size, digest } = await read('/api/http/bytes/104857600');
  expect(size).toBe(100 * mebibyte);
  expect(digest).toBe(sha256(expected('0', 100 * mebibyte)));
});

test('a paced response is slow, and complete', async () => {
  const started = performance.now();
  const { bytes } = await send('GET /api/http/bytes/1000?bytesPerSecond=5000');
  expect(bytes).toEqual(whole);
  // No sooner than its pace allows: a busy machine may be slower.
  expect(performance.now() - started).toBeGreaterThan(180);
});

test('a paced response that would be too slow is rejected, but a short range of it is sent', async () => {
  const path = '/api/http/bytes/104857600?bytesPerSecond=1000';
  expect((await send(`GET ${path}`)).status).toBe(400);
  expect((await send(`GET ${path}`, { headers: { Range: 'bytes=0-9' } })).status).toBe(206);
  expect((await send(`HEAD ${path}`)).status).toBe(400);
});

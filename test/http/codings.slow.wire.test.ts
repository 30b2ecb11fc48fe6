import { get } from 'node:http';
import {
  brotliCompressSync,
  brotliDecompressSync,
  createGunzip,
  deflateRawSync,
  deflateSync,
  gunzipSync,
  gzipSync,
  inflateRawSync,
  inflateSync,
} from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { isZstdThere } from '../../src/http/codings/encode-body.js';
import { useService } from '../support/service.js';

const service = useService();
const { send } = service;
const mebibyte = 1024 * 1024;

const undo = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
} as const;
const names = Object.keys(undo) as (keyof typeof undo)[];

describe('negotiated', () => {
  test.each([
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['gzip;q=1, br;q=0.5', 'gzip'],
    ['deflate, *;q=0', 'deflate'],
    ['identity, gzip;q=0.5', undefined],
    ['', undefined],
    ['compress', undefined],
  ])('Accept-Encoding: %s', async (accepted, coding) => {
    const { headers, bytes } = await send('GET /api/http/encoding', {
      headers: { 'Accept-Encoding': accepted },
    });
    expect(headers['content-encoding']).toBe(coding);
    expect(headers.vary).toContain('Accept-Encoding');
    expect(headers['content-length']).toBe(String(bytes.length));
    const plain = coding === undefined ? bytes : undo[coding as keyof typeof undo](bytes);
    expect(JSON.parse(plain.toString())).toMatchObject({
      coding: coding ?? 'identity',
      acceptEncoding: accepted,
    });
  });

  test('without the header the response has no coding', async () => {
    const { headers, json } = await send('GET /api/http/encoding');
    expect(headers).not.toHaveProperty('content-encoding');
    expect(json).toMatchObject({ coding: 'identity', acceptEncoding: null });
  });

  test('a client that rejects every coding gets 406 and the supported ones', async () => {
    for (const accepted of ['*;q=0', 'identity;q=0', 'gzip;q=0, br;q=0, deflate;q=0, *;q=0']) {
      const { status, json } = await send('GET /api/http/encoding', {
        headers: { 'Accept-Encoding': accepted },
      });
      expect(status, accepted).toBe(406);
      expect(json.available).toEqual(expect.arrayContaining(['gzip', 'identity']));
    }
  });
});

describe.each(names)('%s', (coding) => {
  const path = `/api/http/encoding/${coding}`;

  test('is sent whatever the client accepts', async () => {
    const { headers, bytes } = await send(`GET ${path}`, {
      headers: { 'Accept-Encoding': 'identity' },
    });
    expect(headers['content-encoding']).toBe(coding);
    expect(JSON.parse(undo[coding](bytes).toString()).coding).toBe(coding);
    const head = await send(`HEAD ${path}`, { headers: { 'Accept-Encoding': 'identity' } });
    expect(head.headers['content-length']).toBe(String(bytes.length));
  });

  test('without its end', async () => {
    const { bytes } = await send(`GET ${path}?fault=truncated`);
    expect(bytes.length).toBeGreaterThan(10);
    expect(() => undo[coding](bytes)).toThrow();
  });

  test('damaged', async () => {
    const { headers, bytes } = await send(`GET ${path}?fault=corrupt`);
    expect(headers['content-encoding']).toBe(coding);
    expect(() => undo[coding](bytes)).toThrow();
  });

  test('twice, and labelled once', async () => {
    const { headers, bytes } = await send(`GET ${path}?fault=double`);
    expect(headers['content-encoding']).toBe(coding);
    expect(JSON.parse(undo[coding](undo[coding](bytes)).toString()).coding).toBe(coding);
  });

  test('under another label', async () => {
    const { headers, bytes } = await send(`GET ${path}?fault=wrong-label`);
    expect(headers['content-encoding']).not.toBe(coding);
    expect(JSON.parse(undo[coding](bytes).toString()).coding).toBe(coding);
  });

  test('of a given size is small, and expands to it', async () => {
    const size = 5 * mebibyte + 7;
    const { bytes } = await send(`GET ${path}?size=${size}`);
    expect(bytes.length).toBeLessThan(size / 100);
    expect(undo[coding](bytes)).toHaveLength(size);
  });
});

test.each(names)('%s with bytes after its end', async (coding) => {
  for (const query of ['', '&size=200000']) {
    const plain = await send(`GET /api/http/encoding/${coding}?${query}`);
    const { bytes } = await send(`GET /api/http/encoding/${coding}?fault=trailing-garbage${query}`);
    expect(bytes.subarray(0, plain.bytes.length)).toEqual(plain.bytes);
    expect(bytes.subarray(plain.bytes.length).toString()).toBe('These bytes follow the end.\n');
  }
});

test.each(names)('%s without a byte, with a length of 0', async (coding) => {
  for (const query of ['', '&size=200000']) {
    for (const method of ['GET', 'HEAD']) {
      const path = `/api/http/encoding/${coding}?fault=empty${query}`;
      const { status, headers, bytes } = await send(`${method} ${path}`);
      expect([status, bytes.length]).toEqual([200, 0]);
      expect([headers['content-encoding'], headers['content-length']]).toEqual([coding, '0']);
    }
  }
});

describe('gzip of two members', () => {
  const path = '/api/http/encoding/gzip?fault=multi-member';

  test('is one body for a client that decodes all members', async () => {
    const { headers, bytes } = await send(`GET ${path}`);
    expect(headers['content-encoding']).toBe('gzip');
    expect(bytes.subarray(1).includes(Buffer.from([0x1f, 0x8b, 8]))).toBe(true);
    expect(JSON.parse(gunzipSync(bytes).toString()).coding).toBe('gzip');
    const viaFetch = await fetch(service.url + path);
    expect(await viaFetch.json()).toMatchObject({ coding: 'gzip' });
  });

  test.each([1, 63, 64, 128, 200_000])('of %i bytes is the same text', async (size) => {
    const { bytes } = await send(`GET ${path}&size=${size}`);
    const plain = await send(`GET /api/http/encoding/identity?size=${size}`);
    expect(gunzipSync(bytes)).toEqual(plain.bytes);
  });

  test.each(['br', 'deflate', 'identity'])('does not exist for %s', async (coding) => {
    const { status, json } = await send(`GET /api/http/encoding/${coding}?fault=multi-member`);
    expect([status, json.errors[0].field]).toEqual([400, 'fault']);
  });
});

test('deflate without its frame is the raw data', async () => {
  const { headers, bytes } = await send('GET /api/http/encoding/deflate?fault=raw-deflate');
  expect(headers['content-encoding']).toBe('deflate');
  expect(() => inflateSync(bytes)).toThrow();
  expect(JSON.parse(inflateRawSync(bytes).toString()).coding).toBe('deflate');
});

test('identity has a length, and plain bytes can be labelled gzip', async () => {
  const { headers, bytes } = await send('GET /api/http/encoding/identity?size=100000');
  expect([headers['content-length'], bytes.length]).toEqual(['100000', 100_000]);
  const wrong = await send('GET /api/http/encoding/identity?fault=wrong-label');
  expect(wrong.headers['content-encoding']).toBe('gzip');
  expect(wrong.json.coding).toBe('identity');
});

test('zstd is supported where Node supports it; elsewhere 406 says why', async () => {
  const { status, headers, json } = await send('GET /api/http/encoding/zstd?size=1000');
  if (isZstdThere) expect([status, headers['content-encoding']]).toEqual([200, 'zstd']);
  else expect([status, json.message]).toEqual([406, expect.stringContaining('Node 2')]);
});

test.each([
  ['encoding/gzip?fault=raw-deflate', 'fault'],
  ['encoding/identity?fault=corrupt', 'fault'],
  ['encoding?fault=truncated', 'fault'],
  ['encoding/gzip?fault=none', 'fault'],
  ['encoding/gzip?size=0', 'size'],
  ['encoding/gzip?size=104857601', 'size'],
  ['encoding/compress', 'coding'],
])('%s is rejected, and the response names %s', async (path, field) => {
  const { status, json } = await send(`GET /api/http/${path}`);
  expect([status, json.errors[0].field]).toEqual([400, field]);
});

test('a hundred mebibytes are less than one on the wire', async () => {
  const sizes = await new Promise<[number, number]>((resolve, reject) => {
    get(`${service.url}/api/http/encoding/gzip?size=${100 * mebibyte}`, (response) => {
      let sent = 0;
      let plain = 0;
      response.on('data', (chunk: Buffer) => {
        sent += chunk.length;
      });
      const decoder = response.pipe(createGunzip());
      decoder.on('data', (chunk: Buffer) => {
        plain += chunk.length;
      });
      decoder.on('end', () => resolve([sent, plain]));
      decoder.on('error', reject);
    }).on('error', reject);
  });
  expect(sizes[1]).toBe(100 * mebibyte);
  expect(sizes[0]).toBeLessThan(mebibyte);
});

describe('a request body', () => {
  const decode = (body: Uint8Array | string, coding?: string) =>
    send('POST /api/http/decode', {
      body,
      ...(coding !== undefined && { headers: { 'Content-Encoding': coding } }),
    });
  const plain = 'Grüße '.repeat(50);

  test.each([
    ['gzip', gzipSync(plain)],
    ['x-gzip', gzipSync(plain)],
    ['deflate', deflateSync(plain)],
    ['br', brotliCompressSync(plain)],
    ['gzip, br', brotliCompressSync(gzipSync(plain))],
    ['identity', Buffer.from(plain)],
    [undefined, Buffer.from(plain)],
    ['gzip, identity, gzip', gzipSync(gzipSync(plain))],
  ])('in %s is decoded', async (coding, body) => {
    const { status, json } = await decode(body, coding);
    expect(status).toBe(200);
    expect(json).toEqual({
      encodings: coding === undefined ? [] : coding.replace('x-', '').split(', '),
      sentBytes: body.length,
      bytes: Buffer.byteLength(plain),
      text: plain,
      textEncoding: 'utf-8',
      textTruncated: false,
    });
  });

  test('that is not text is shown as base64, and an empty one as null', async () => {
    const { json } = await decode(gzipSync(Uint8Array.of(0xff, 0)), 'gzip');
    expect(json).toMatchObject({ bytes: 2, text: '/wA=', textEncoding: 'base64' });
    const empty = await send('POST /api/http/decode');
    expect(empty.json).toMatchObject({ bytes: 0, text: null, textEncoding: 'none' });
  });

  test('is shown up to a mebibyte, and counted beyond', async () => {
    const { json } = await decode(gzipSync('a'.repeat(3 * mebibyte)), 'gzip');
    expect(json).toMatchObject({ bytes: 3 * mebibyte, textTruncated: true });
    expect(json.text).toHaveLength(mebibyte);
  });

  test.each([
    ['gzip', gzipSync(Buffer.alloc(10 * mebibyte + 1))],
    // The expanded size of an intermediate layer counts as well.
    ['gzip, gzip', gzipSync(gzipSync(Buffer.alloc(64 * mebibyte), { level: 0 }))],
    ['br', brotliCompressSync(Buffer.alloc(10 * mebibyte + 1))],
  ])('in %s that grows beyond 10 MiB is 413', async (coding, body) => {
    const { status, json } = await decode(body, coding);
    expect([status, json.message]).toEqual([413, expect.stringContaining('10 MiB')]);
  });

  test('that grows to exactly 10 MiB is accepted', async () => {
    const { json } = await decode(gzipSync(Buffer.alloc(10 * mebibyte)), 'gzip');
    expect(json.bytes).toBe(10 * mebibyte);
  });

  test.each([
    ['compress'],
    ['gzip, lzma'],
    ['gzip, gzip, gzip, gzip, gzip, gzip'],
    [isZstdThere ? 'exi' : 'zstd'],
  ])('in %s is 415, and the response lists the supported codings', async (coding) => {
    const { status, headers } = await decode('x', coding);
    expect(status).toBe(415);
    expect(headers['accept-encoding']).toMatch(/^gzip, deflate, br.*identity$/);
  });

  test.each([
    ['gzip', Buffer.from('plain'), 'not valid gzip'],
    ['gzip', gzipSync(plain).subarray(0, 30), 'not valid gzip'],
    ['br', Buffer.from('plain text'), 'not valid br'],
    ['deflate', deflateRawSync(plain), 'zlib format'],
    ['gzip, br', brotliCompressSync(plain), 'not valid gzip (number 1)'],
  ])('that is not really %s is 400', async (coding, body, message) => {
    const { status, json } = await decode(body, coding);
    expect([status, json.message]).toEqual([400, expect.stringContaining(message)]);
  });
});

test('a bomb ends when its client leaves in the middle', async () => {
  await new Promise<void>((resolve, reject) => {
    const request = get(`${service.url}/api/http/encoding/gzip?size=104857600`, (response) => {
      response.once('data', () => {
        request.destroy();
        resolve();
      });
    });
    request.on('error', reject);
  }).catch(() => {});
  expect((await send('GET /api/http/encoding')).status).toBe(200);
});

test('fetch decodes the codings that it accepts', async () => {
  const response = await fetch(`${service.url}/api/http/encoding`);
  expect(((await response.json()) as { coding: string }).coding).toBe('gzip');
  const broken = await fetch(`${service.url}/api/http/encoding/gzip?fault=corrupt`);
  await expect(broken.text()).rejects.toThrow();
});

describe('the memory of coders counts as request bodies:', () => {
  const small = useService({ bodyBytes: 4 * mebibyte });
  const { send: ask } = small;

  test('a body that may need more memory than available is rejected, and others are not', async () => {
    const body = brotliCompressSync('Hello');
    const rejected = await ask('POST /api/http/decode', {
      headers: { 'Content-Encoding': 'br' },
      body,
    });
    expect([rejected.status, rejected.headers['retry-after']]).toEqual([503, '2']);
    for (let count = 0; count < 20; count++) {
      const { status, json } = await ask('POST /api/http/decode', {
        headers: { 'Content-Encoding': 'gzip' },
        body: gzipSync('Hello'),
      });
      expect([status, json.text]).toEqual([200, 'Hello']);
    }
  });

  test('a client that reads none of a large response keeps its coder until it leaves', async () => {
    const path = '/api/http/encoding/br?size=104857600';
    const reader = get(small.url + path);
    await new Promise((resolve) => reader.once('response', resolve));
    expect((await ask(`GET ${path}`)).status).toBe(503);
    expect((await ask('GET /api/http/encoding/br')).status).toBe(200);
    reader.on('error', () => {}).destroy();
    await expect.poll(async () => (await ask(`HEAD ${path}`)).status).toBe(200);
    await expect
      .poll(async () => (await ask('GET /api/http/encoding/br?size=1000')).status)
      .toBe(200);
  });
});

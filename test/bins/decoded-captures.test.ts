import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import * as zlib from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createService, type Service } from '../../src/index.js';
import { openConnection, requestText } from '../support/raw-connection.js';
import { send } from '../support/service.js';

let service: Service;
let id = '';
const bins = '/api/webhooks/bins';
beforeAll(async () => {
  service = await createService({ h2c: true });
});
afterAll(() => service.close());
beforeEach(async () => {
  id = (await send(service.url, `POST ${bins}`)).json.id;
});

const newest = async () => (await send(service.url, `GET ${bins}/${id}/requests?limit=1`)).json[0];
const capture = async (coding: string, body: Buffer) => {
  const headers = { 'Content-Encoding': coding };
  await send(service.url, `POST /api/webhooks/${id}`, { headers, body });
  return newest();
};

const text = '{"price":"3 €"}';
const { gzipSync, deflateSync, brotliCompressSync } = zlib;

describe('a compressed body', () => {
  test.each([
    ['gzip', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['GZip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['br', brotliCompressSync(text)],
    ['deflate, gzip', gzipSync(deflateSync(text))],
    ['identity, gzip', gzipSync(text)],
  ])('with %s is shown decoded beside its bytes', async (coding, body) => {
    expect(await capture(coding, body)).toMatchObject({
      bodyEncoding: 'base64',
      body: body.toString('base64'),
      decodedBody: text,
      decodedBodyEncoding: 'utf-8',
    });
  });

  test.skipIf(!('zstdCompressSync' in zlib))('with zstd is decoded, too', async () => {
    const body = (zlib as unknown as { zstdCompressSync(body: string): Buffer }).zstdCompressSync(
      text,
    );
    expect(await capture('zstd', body)).toMatchObject({ decodedBody: text });
  });

  test('is base64 if it is binary, and null if empty', async () => {
    expect(await capture('gzip', gzipSync(Buffer.from([0xff])))).toMatchObject({
      decodedBody: '/w==',
      decodedBodyEncoding: 'base64',
    });
    expect(await capture('gzip', gzipSync(''))).toMatchObject({
      decodedBody: null,
      decodedBodyEncoding: 'none',
    });
  });

  test('of more than 10 KiB is complete, also in a list', async () => {
    const long = 'é'.repeat(100_000);
    const { id: requestId, decodedBody } = await capture('gzip', gzipSync(long));
    expect(decodedBody).toBe(long);
    const one = await send(service.url, `GET ${bins}/${id}/requests/${requestId}`);
    expect(one.json.decodedBody).toBe(long);
  });

  test.each([
    ['that is not compressed', 'gzip', Buffer.from('{}'), 'The body is not valid gzip.'],
    ['that is cut', 'br', brotliCompressSync(text).subarray(0, 9), 'The body is not valid br.'],
    [
      'that becomes too large',
      'gzip',
      gzipSync(Buffer.alloc(20_000_000)),
      'The decoded body is larger than 262144 bytes.',
    ],
  ])('%s has an error', async (_name, coding, body, decodeError) => {
    expect(await capture(coding, body)).toMatchObject({ decodedBody: null, decodeError });
  });

  test('has an error if only its beginning is kept', async () => {
    const body = gzipSync(Buffer.from(Array.from({ length: 400_000 }, () => Math.random() * 256)));
    expect(await capture('gzip', body)).toMatchObject({
      bodyTruncated: true,
      decodeError: 'Only the beginning of the body was stored, so it cannot be decoded.',
    });
  });

  test.each(['aws-chunked', 'identity', 'gzip, lzma', 'gzip, gzip, gzip, gzip'])(
    'with %s has no decoded form',
    async (coding) => {
      expect(await capture(coding, gzipSync(text))).not.toHaveProperty('decodedBody');
    },
  );

  test('has a signature over the bytes that were sent', async () => {
    const { signingSecret } = (await send(service.url, 'GET /api/webhooks/samples')).json;
    const body = gzipSync(text);
    const signature = createHmac('sha256', signingSecret).update(body).digest('hex');
    await send(service.url, `POST /api/webhooks/${id}`, {
      headers: { 'Content-Encoding': 'gzip', 'X-Hub-Signature-256': `sha256=${signature}` },
      body,
    });
    expect(await newest()).toMatchObject({ signature: { verified: true }, decodedBody: text });
  });
});

describe('trailers', () => {
  test('of a chunked body are captured as they were sent', async () => {
    const connection = openConnection(service.url);
    const headers = { 'Transfer-Encoding': 'chunked', Trailer: 'X-Sum' };
    connection.send(requestText(`POST /s/trailers/api/webhooks/${id}`, headers));
    connection.send('1\r\na\r\n0\r\nX-Sum: 1\r\nx-sum: 2\r\nX-Other: \r\n\r\n');
    await connection.until('"received":true');
    connection.socket.destroy();
    expect(await newest()).toMatchObject({
      body: 'a',
      trailers: [
        { name: 'X-Sum', value: '1' },
        { name: 'x-sum', value: '2' },
        { name: 'X-Other', value: '' },
      ],
    });
  });

  test('of HTTP/2 are captured, too', async () => {
    const session = connectHttp2(service.url);
    const stream = session.request({ ':method': 'POST', ':path': `/api/webhooks/${id}` }, {
      waitForTrailers: true,
    } as object);
    stream.on('wantTrailers', () => stream.sendTrailers({ 'x-sum': '3' }));
    stream.end('abc');
    stream.resume();
    await once(stream, 'end');
    session.close();
    expect(await newest()).toMatchObject({ trailers: [{ name: 'x-sum', value: '3' }] });
  });

  test('are omitted if there are none', async () => {
    await send(service.url, `POST /api/webhooks/${id}`, { body: 'a' });
    expect(await newest()).not.toHaveProperty('trailers');
  });
});

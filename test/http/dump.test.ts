import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { useDirectService } from '../support/direct-service.js';
import { openConnection, requestText, splitResponse } from '../support/raw-connection.js';

// The bytes on the wire: a proxy between would show its own requests.
const service = useDirectService();

/**
 * Sends pieces one after another, each once the previous one has been read, and returns the body of
 * the last response.
 */
async function exchange(pieces: readonly (string | Buffer)[]): Promise<Buffer> {
  const connection = openConnection(service.url);
  connection.socket.setNoDelay(true);
  for (const piece of pieces) {
    await new Promise((resolve) => connection.socket.write(piece, resolve));
    // The service reads all sent bytes before it responds to another request.
    await service.send('GET /api/http');
  }
  await connection.ended;
  const { status, rest } = splitResponse(connection.received());
  expect(status).toBe(200);
  return rest;
}

const close = 'Connection: close\r\n';

test.each([
  ['a plain request', `GET /api/http/dump HTTP/1.1\r\nHost: a\r\n${close}\r\n`],
  [
    'odd letters, spaces and repeated headers',
    `GET /API/http/Dump?a=%20&b HTTP/1.1\r\nhOsT:a\r\nX-B:   1  \r\nx-a: 2\r\nX-B:\t3\r\n${close}\r\n`,
  ],
  ['HTTP/1.0', 'GET /api/http/dump HTTP/1.0\r\n\r\n'],
  [
    'a target in absolute form',
    `GET http://x.test/api/http/dump HTTP/1.1\r\nHost: a\r\n${close}\r\n`,
  ],
  [
    'bytes beyond ASCII',
    `GET /api/http/dump HTTP/1.1\r\nHost: a\r\nX-A: Z\u00fcrich\r\n${close}\r\n`,
  ],
  ['a sandbox in the URL', `GET /s/mine/api/http/dump HTTP/1.1\r\nHost: a\r\n${close}\r\n`],
  ['a body', `POST /api/http/dump HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n${close}\r\nhello`],
  [
    'chunks with extensions and trailers',
    `PUT /api/http/dump HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n${close}\r\n5;x=y\r\nhello\r\n0006\r\n world\r\n0\r\nX-T: 1\r\n\r\n`,
  ],
  [
    'a body with GET',
    `GET /api/http/dump HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n${close}\r\nhi`,
  ],
  ['another method', `PROPFIND /api/http/dump HTTP/1.1\r\nHost: a\r\n${close}\r\n`],
])('%s is echoed byte for byte', async (_name, text) => {
  const bytes = Buffer.from(text, 'latin1');
  expect((await exchange([bytes])).toString('latin1')).toBe(text);
  // Split anywhere, also in the middle of a blank line.
  const blank = bytes.indexOf('\r\n\r\n') + 2;
  const cuts = [5, Math.floor(blank / 2), blank, blank + 1];
  const pieces = [0, ...cuts].map((start, index) => bytes.subarray(start, cuts[index]));
  expect((await exchange(pieces)).toString('latin1')).toBe(text);
});

test('each pipelined request gets its own bytes', async () => {
  const connection = openConnection(service.url);
  const first = requestText('POST /api/http/dump?1', {}, 'one');
  const second = requestText('GET /api/http/dump?2', { Connection: 'close' });
  connection.send(first + second);
  await connection.ended;
  const text = connection.received().toString();
  expect(text.indexOf(first)).toBeGreaterThan(0);
  expect(text.endsWith(`\r\n\r\n${second}`)).toBe(true);
  expect(text.split('POST /api').length).toBe(2);
  const { headers } = splitResponse(connection.received());
  expect(headers['content-length']).toBe(String(first.length));
});

test('a large body is echoed unchanged', async () => {
  const body = 'x'.repeat(900_000);
  const { status, headers, text } = await service.send('POST /api/http/dump', { body });
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('message/http');
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(text.endsWith(`\r\n\r\n${body}`)).toBe(true);
});

test('a request beyond the limit is rejected, whatever fills it', async () => {
  const large = await service.send('POST /api/http/dump', { body: 'x'.repeat(1024 * 1024 + 1) });
  expect(large.status).toBe(413);
  const connection = openConnection(service.url);
  const head = `POST /api/http/dump HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n${close}\r\n`;
  connection.send(`${head}${'1\r\nx\r\n'.repeat(200_000)}0\r\n\r\n`);
  await connection.until('\r\n\r\n{');
  expect(splitResponse(connection.received()).status).toBe(413);
  connection.socket.destroy();
});

test('as JSON the request is parsed, with order and letter case kept', async () => {
  const connection = openConnection(service.url);
  connection.send(
    `POST /api/http/dump?as=json HTTP/1.1\r\nhost: a\r\nB: 2\r\nA: 1\r\nb: 3\r\nTransfer-Encoding: chunked\r\n${close}\r\n2\r\nhi\r\n0\r\nX-T: 1\r\n\r\n`,
  );
  await connection.ended;
  const parts = JSON.parse(splitResponse(connection.received()).rest.toString());
  expect(parts).toMatchObject({
    method: 'POST',
    target: '/api/http/dump?as=json',
    httpVersion: '1.1',
    body: 'hi',
    trailers: [{ name: 'X-T', value: '1' }],
  });
  expect(parts.headers.map(({ name }: { name: string }) => name)).toEqual([
    'host',
    'B',
    'A',
    'b',
    'Transfer-Encoding',
    'Connection',
  ]);
  const bytes = gzipSync('x');
  const { json } = await service.send('PUT /api/http/dump?as=json', { body: bytes });
  expect(json).toMatchObject({ body: bytes.toString('base64'), bodyEncoding: 'base64' });
});

test('HEAD has the length that GET has', async () => {
  const { headers, text } = await service.send('HEAD /api/http/dump');
  expect(text).toBe('');
  expect(Number(headers['content-length'])).toBeGreaterThan(40);
});

test('an escaped path and another form are rejected', async () => {
  expect((await service.send('GET /api/http/%64ump')).status).toBe(400);
  expect((await service.send('GET /api/http/dump?as=xml')).status).toBe(400);
});

test('a client that leaves in the middle of a body leaves nothing behind', async () => {
  const connection = openConnection(service.url);
  connection.send('POST /api/http/dump HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\nhello');
  await service.send('GET /api/http');
  connection.socket.destroy();
  await expect
    .poll(async () => (await service.send('POST /api/http/dump', { body: 'x' })).status)
    .toBe(200);
});

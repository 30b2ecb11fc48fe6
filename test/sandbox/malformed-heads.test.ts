import { randomUUID } from 'node:crypto';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Fault, HeadFault } from '../../src/faults/plan/fault-plan.js';
import { createService, type Service } from '../../src/index.js';
import { openConnection, requestText } from '../support/raw-connection.js';
import { send } from '../support/service.js';

let service: Service;
let book: string;
beforeAll(async () => {
  service = await createService({ tls: true });
  book = (await send(service.url, 'GET /api/Books/1')).text;
});
afterAll(() => service.close());

async function plan(...sequence: Fault[]) {
  const headers = { 'X-Sandbox': `heads-${randomUUID()}` };
  const { status, text } = await send(service.url, 'PUT /api/sandbox/faults', {
    headers,
    json: { rules: [{ name: 'wire', sequence }] },
  });
  expect(status, text).toBe(200);
  return headers;
}

async function logOf(headers: Record<string, string>) {
  return (await send(service.url, 'GET /api/sandbox/faults/log', { headers })).json;
}

/** All bytes of the response to a request, once the connection is closed. */
async function ask(head: HeadFault, target = 'GET /api/Books/1', body = '') {
  const headers = await plan({ head });
  const connection = openConnection(service.url);
  connection.send(requestText(target, headers, body));
  expect(await connection.ended).toBe('closed');
  connection.socket.destroy();
  return { text: connection.received().toString('latin1'), headers };
}

const extra = 'These bytes are beyond the Content-Length.\r\n';

describe('the head of a response', () => {
  test('lf has line ends without CR', async () => {
    const { text } = await ask('lf');
    expect(text).not.toContain('\r');
    const [head = '', body] = text.split('\n\n');
    expect(head).toMatch(/^HTTP\/1\.1 200 OK\n/);
    expect(head.split('\n')).toEqual(
      expect.arrayContaining(['x-fault: wire#1', `content-length: ${book.length}`]),
    );
    expect(body).toBe(book);
  });

  test('http10 says HTTP/1.0', async () => {
    const { text } = await ask('http10');
    expect(text).toMatch(/^HTTP\/1\.0 200 OK\r\n/);
    expect(text.endsWith(`\r\n\r\n${book}`)).toBe(true);
    expect(text).not.toMatch(/^(?:connection|transfer-encoding):/im);
  });

  test('until-close has no length', async () => {
    const { text } = await ask('until-close');
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(text).not.toMatch(/^(?:content-length|connection|transfer-encoding):/im);
    expect(text.endsWith(`\r\n\r\n${book}`)).toBe(true);
  });

  test('extra-bytes sends more than Content-Length says', async () => {
    const { text } = await ask('extra-bytes');
    expect(text).toContain(`\r\ncontent-length: ${book.length}\r\n`);
    expect(text.endsWith(`\r\n\r\n${book}${extra}`)).toBe(true);
  });

  test('two-lengths has two different lengths', async () => {
    const { text, headers } = await ask('two-lengths');
    const lengths = [...text.matchAll(/^content-length: (\d+)\r$/gim)].map(([, size]) =>
      Number(size),
    );
    expect(lengths).toEqual([book.length, book.length + 10]);
    expect(text.endsWith(`\r\n\r\n${book}`)).toBe(true);
    expect((await logOf(headers)).series[0].verdict.succeeded).toBe(false);
  });

  test('a head that clients may accept gets a 2xx status', async () => {
    const { headers } = await ask('until-close');
    expect((await logOf(headers)).series[0].verdict.succeeded).toBe(true);
  });
});

describe('other responses', () => {
  test('a stream without a length gets one if the fault is about lengths', async () => {
    const { text } = await ask('extra-bytes', 'GET /api/http/stream/3');
    const [head = '', body = ''] = text.split('\r\n\r\n');
    expect(head).not.toContain('transfer-encoding');
    const length = Number(/^content-length: (\d+)$/m.exec(head.replaceAll('\r', ''))?.[1]);
    expect(body.slice(length)).toBe(extra);
    expect(body.slice(0, length).trim().split('\n')).toHaveLength(3);
  });

  test('HEAD and 204 have no body', async () => {
    const head = await ask('two-lengths', 'HEAD /api/Books/1');
    expect(head.text.endsWith('\r\n\r\n')).toBe(true);
    expect(head.text.match(/content-length/g)).toHaveLength(2);
    const empty = await ask('lf', 'POST /api/http/status/204');
    expect(empty.text).toMatch(/^HTTP\/1\.1 204 No Content\n[^\r]+\n\n$/);
  });

  test('a body of megabytes is complete', async () => {
    const { text } = await ask('until-close', 'GET /api/http/bytes/20000000');
    expect(text.length - text.indexOf('\r\n\r\n') - 4).toBe(20_000_000);
  });

  test('the request is executed, and errors of the endpoint are sent', async () => {
    const { text } = await ask('lf', 'GET /api/Books/999999');
    expect(text).toMatch(/^HTTP\/1\.1 404 Not Found\n/);
  });

  test('later requests on the connection are lost, and others are not', async () => {
    const headers = await plan({ head: 'extra-bytes' });
    const connection = openConnection(service.url);
    const other = openConnection(service.url);
    other.send(requestText('GET /api/Books/1'));
    await other.until('"id":1');
    connection.send(requestText('GET /api/Books/1', headers).repeat(2));
    await connection.ended;
    expect(connection.responses()).toBe(1);
    other.send(requestText('GET /api/Books/1', headers));
    await expect.poll(() => other.responses()).toBe(2);
    expect(other.received().toString()).not.toContain(extra);
    connection.socket.destroy();
    other.socket.destroy();
  });

  test('a client that does not read does not delay others', async () => {
    const headers = await plan({ head: 'lf' });
    const connection = openConnection(service.url);
    connection.socket.pause();
    connection.send(requestText('GET /api/http/bytes/50000000', headers));
    await expect.poll(() => logOf(headers).then(({ attempts }) => attempts.length)).toBe(1);
    connection.socket.destroy();
    expect((await send(service.url, 'GET /health')).status).toBe(200);
  });
});

test('over TLS', async () => {
  const headers = await plan({ head: 'http10' });
  const { hostname, port } = new URL(service.tlsUrl ?? '');
  const socket = connectTls({ host: hostname, port: Number(port), rejectUnauthorized: false });
  let text = '';
  socket.setEncoding('latin1').on('data', (piece) => {
    text += piece;
  });
  socket.write(requestText('GET /api/Books/1', headers));
  await new Promise((resolve) => socket.once('end', resolve));
  expect(text).toMatch(/^HTTP\/1\.0 200 OK\r\n/);
  expect(text.endsWith(book)).toBe(true);
});

test('goaway and refuse on HTTP/1.1', async () => {
  const headers = await plan({ goaway: true }, { refuse: true });
  const [first, second] = [openConnection(service.url), openConnection(service.url)];
  first.send(requestText('GET /api/Books/1', headers));
  expect(await first.ended).toBe('closed');
  expect(first.received().toString()).toMatch(/^connection: close\r$/im);
  expect(first.received().toString()).toContain(book);
  second.send(requestText('GET /api/Books/1', headers));
  expect(await second.ended).toBe('closed');
  expect(second.received()).toHaveLength(0);
  first.socket.destroy();
  second.socket.destroy();
});

test.each([
  [{ head: 'crlf' }, 'head must be one of lf, http10, until-close, extra-bytes, two-lengths'],
  [{ head: 'lf', slow: 5 }, 'head must not be beside slow'],
  [{ refuse: false }, 'refuse must be true'],
  [
    { refuse: true, after: true },
    'after must not be combined with refuse, which means that no work was done',
  ],
  [{ goaway: true, after: true }, 'after needs one of status, hang, empty, reset'],
  [
    { status: 503, retryAfter: 'date' },
    'retryAfter must be an integer from -86400 to 86400 or an object such as {"seconds": 5, "as": "date"}; got "date".',
  ],
  [
    { status: 503, retryAfter: { as: 'date' } },
    'retryAfter.seconds is missing; it must be an integer',
  ],
  [{ delayMs: 'x' }, 'or an object such as {"min": 100, "max": 900}'],
])('%j is 400', async (fault, message) => {
  const { status, json } = await send(service.url, 'PUT /api/sandbox/faults', {
    headers: { 'X-Sandbox': 'heads-bad' },
    json: { rules: [{ sequence: [fault] }] },
  });
  expect(status).toBe(400);
  expect(json.message).toContain(message);
});

import { once } from 'node:events';
import { connect as connectHttp2, type IncomingHttpHeaders } from 'node:http2';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createService, type Service } from '../../src/index.js';
import { openConnection, requestText, splitResponse } from '../support/raw-connection.js';
import { send } from '../support/service.js';

let service: Service;
beforeAll(async () => {
  service = await createService({ tls: true });
});
afterAll(() => service.close());

const path = '/api/http/expect';
const waiting = { 'Content-Length': '6', Expect: '100-continue' };
const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function begin(target: string, headers: Record<string, string> = waiting, body = '') {
  const connection = openConnection(service.url);
  connection.send(`${requestText(target, headers)}${body}`);
  return connection;
}

const lastOf = (sandbox: string) => send(service.url, `GET /s/${sandbox}${path}/last`);

/** The last JSON in the received text. */
const reportIn = (bytes: Buffer) => {
  const text = bytes.toString();
  return JSON.parse(text.slice(text.indexOf('{')));
};

describe('continue', () => {
  test('sends 100 and reports that the client waited', async () => {
    const connection = begin(`POST ${path}/continue?status=201`);
    await connection.until('HTTP/1.1 100 Continue\r\n\r\n');
    connection.send('abcdef');
    await connection.until('"bodyBytes":6}');
    expect(connection.responses(201)).toBe(1);
    const report = reportIn(connection.received());
    expect(report).toMatchObject({ behaviour: 'continue', status: 201, client: 'waited' });
    expect(report.bodyAfterMs).toBeGreaterThanOrEqual(report.continueAfterMs);
    connection.socket.destroy();
  });

  test('notices a client that sends at once', async () => {
    const connection = begin(`POST ${path}/continue?delay=1`, waiting, 'abcdef');
    await connection.until('"bodyBytes":6}');
    expect(connection.responses(100)).toBe(1);
    expect(reportIn(connection.received()).client).toBe('sent-at-once');
    connection.socket.destroy();
  });

  test('sends no 100 to a client that expects none', async () => {
    const connection = begin(`POST ${path}/continue`, { 'Content-Length': '1' }, 'a');
    await connection.until('"bodyBytes":1}');
    expect(connection.responses(100)).toBe(0);
    expect(reportIn(connection.received())).toMatchObject({
      client: 'did-not-expect',
      continueAfterMs: null,
    });
    connection.socket.destroy();
  });
});

describe('final', () => {
  test('sends only a final status, and closes the connection', async () => {
    const connection = begin(`POST /s/final-waited${path}/final`);
    await connection.ended;
    const { status, headers } = splitResponse(connection.received());
    expect([status, headers.connection]).toEqual([417, 'close']);
    expect(reportIn(connection.received())).toMatchObject({ client: 'waited', bodyBytes: 0 });
    connection.socket.end();
    expect((await lastOf('final-waited')).json.client).toBe('waited');
  });

  test('notices a body that was sent at once, and a body that follows the status', async () => {
    const atOnce = begin(`PUT /s/final-once${path}/final?status=401`, waiting, 'abcdef');
    await atOnce.ended;
    expect(splitResponse(atOnce.received()).status).toBe(401);
    expect(reportIn(atOnce.received()).client).toBe('sent-at-once');
    atOnce.socket.end();
    const after = begin(`POST /s/final-after${path}/final?status=204`);
    await after.until('HTTP/1.1 204');
    after.send('abcdef');
    await later(50);
    after.socket.end();
    const client = async () => (await lastOf('final-after')).json.client;
    await expect.poll(client, { timeout: 5000 }).toBe('sent-after-final');
  });
});

test('silent sends no 100, and waits for the body of a client whose timeout ends', async () => {
  const connection = begin(`POST ${path}/silent`);
  await later(400);
  connection.send('abcdef');
  await connection.until('"bodyBytes":6}');
  expect(connection.responses(100)).toBe(0);
  expect(reportIn(connection.received()).client).toBe('sent-after-timeout');
  connection.socket.destroy();
});

test('silent gives up on a client that waits forever', async () => {
  const connection = begin(`POST ${path}/silent?delay=0.3`);
  await connection.ended;
  expect(splitResponse(connection.received()).status).toBe(408);
  expect(reportIn(connection.received()).client).toBe('waited');
  connection.socket.destroy();
});

test('late sends 100 after the whole body, before the final status', async () => {
  const connection = begin(`POST ${path}/late?delay=1`);
  await later(400);
  connection.send('abcdef');
  await connection.until('"bodyBytes":6}');
  const text = connection.received().toString();
  expect(text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
  expect(reportIn(connection.received()).client).toBe('sent-after-timeout');
  connection.socket.destroy();
});

test('over HTTP/2', async () => {
  const session = connectHttp2(service.tlsUrl ?? '', { rejectUnauthorized: false });
  for (const [behaviour, status, interim] of [
    ['continue', 200, [100]],
    ['final', 417, []],
  ] as const) {
    const seen: unknown[] = [];
    const stream = session.request({
      ':method': 'POST',
      ':path': `${path}/${behaviour}`,
      expect: '100-continue',
      'content-length': 6,
    });
    const note = (headers: IncomingHttpHeaders) => seen.push(headers[':status']);
    stream.on('headers', note).on('continue', () => stream.end('abcdef'));
    const [head] = await once(stream, 'response');
    expect(head[':status']).toBe(status);
    expect(seen).toEqual(interim);
    let text = '';
    for await (const piece of stream.setEncoding('utf8')) text += piece;
    expect(JSON.parse(text).client).toBe('waited');
  }
  session.destroy();
});

test('clients that leave, and bodies that never end, leave nothing behind', async () => {
  for (const behaviour of ['continue', 'final', 'silent', 'late']) {
    const connection = begin(`POST ${path}/${behaviour}`, waiting, 'abc');
    await later(20);
    connection.socket.destroy();
  }
  expect((await send(service.url, 'GET /health')).status).toBe(200);
});

test.each([
  ['an unknown behaviour', `POST ${path}/maybe`, 400],
  ['an impossible status', `POST ${path}/final?status=100`, 400],
  ['too long a delay', `POST ${path}/late?delay=11`, 400],
  ['a repeated delay', `POST ${path}/late?delay=1&delay=2`, 400],
  ['the last result of the shared sandbox', `GET ${path}/last`, 403],
  ['the last result before any request', `GET /s/none-yet${path}/last`, 404],
])('%s: %s is %i', async (_what, target, status) => {
  expect((await send(service.url, target)).status).toBe(status);
});

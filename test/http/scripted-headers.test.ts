/**
 * Headers as callers write them, on the wire: letter case in HTTP/1.1, bytes and trailers in
 * HTTP/2.
 */

import { randomUUID } from 'node:crypto';
import { connect, type IncomingHttpHeaders } from 'node:http2';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createService, type Service } from '../../src/index.js';
import { openConnection, requestText } from '../support/raw-connection.js';
import { send } from '../support/service.js';

let service: Service;
beforeAll(async () => {
  service = await createService({ h2c: true });
});
afterAll(() => service.close());

const mixed = { 'x-LOWER-Upper': '1', ETag: '"a"', 'content-TYPE': 'text/x-own' };
const script = JSON.stringify({ headers: mixed, body: 'hello' });
const json = { 'Content-Type': 'application/json' };

/** All bytes of the response to a request, as Latin-1. */
async function ask(target: string, headers: Record<string, string> = {}, body = '') {
  const connection = openConnection(service.url);
  connection.send(requestText(target, { ...headers, Connection: 'close' }, body));
  await connection.ended;
  connection.socket.destroy();
  return connection.received().toString('latin1');
}

function expectMixed(text: string, lineEnd = '\r\n') {
  const [head = ''] = text.split(lineEnd + lineEnd);
  const lines = head.split(lineEnd);
  expect(lines).toEqual(
    expect.arrayContaining(['x-LOWER-Upper: 1', 'ETag: "a"', 'content-TYPE: text/x-own']),
  );
  const names = lines.slice(1).map((line) => line.slice(0, line.indexOf(':')).toLowerCase());
  expect(
    names.filter((name) => name in { 'x-lower-upper': 1, etag: 1, 'content-type': 1 }),
  ).toEqual(expect.toSatisfy((found: string[]) => found.length === 3));
}

async function plan(...sequence: object[]) {
  const headers = { 'X-Sandbox': `case-${randomUUID()}` };
  const { status, text } = await send(service.url, 'PUT /api/sandbox/faults', {
    headers,
    json: { rules: [{ sequence }] },
  });
  expect(status, text).toBe(200);
  return headers;
}

describe('the letter case of headers is kept', () => {
  test.each([['GET'], ['POST'], ['HEAD'], ['PATCH']])(
    'in a scripted response to %s',
    async (method) => {
      expectMixed(await ask(`${method} /api/http/respond`, json, script));
    },
  );

  test('in chunks, and in interim responses and trailers', async () => {
    const pairs = Object.entries(mixed);
    const text = await ask(
      'POST /api/http/respond',
      json,
      JSON.stringify({
        headers: pairs,
        chunks: [{ data: 'hello' }],
        trailers: { 'x-LAST-One': '1' },
        informational: [{ status: 103, headers: { LINK: '</a>' } }],
      }),
    );
    const [interim, ...final] = text.split('\r\n\r\n');
    expect(interim).toContain('\r\nLINK: </a>');
    expectMixed(final.join('\r\n\r\n'));
    expect(text).toContain('trailer: x-LAST-One\r\n');
    expect(text).toMatch(/\r\n0\r\nx-LAST-One: 1\r\n\r\n$/);
  });

  test('in a stored response, and below /s/{sandbox}', async () => {
    const path = '/s/letter-case/api/http/responses/mixed';
    await send(service.url, `PUT ${path}`, { json: JSON.parse(script) });
    expectMixed(await ask(`GET ${path}`));
    expectMixed(await ask(`OPTIONS ${path}`));
  });

  test('in the response of a bin', async () => {
    const response = { headers: mixed, body: 'hello' };
    const { json: bin } = await send(service.url, 'POST /api/webhooks/bins', {
      json: { response },
    });
    expectMixed(await ask(`POST /api/webhooks/${bin.id}`, {}, 'x'));
    expect(await ask(`GET /api/webhooks/${bin.id}?status=204`)).toContain(
      '\r\nx-LOWER-Upper: 1\r\n',
    );
  });

  test('in planned failures, before and after the work', async () => {
    const fault = { status: 503, headers: mixed, body: 'Later' };
    const headers = await plan(fault, { ...fault, after: true });
    expectMixed(await ask('GET /api/Books/1', headers));
    expectMixed(await ask('GET /api/Books/1', headers));
  });

  test('with a wire fault', async () => {
    const headers = await plan({ head: 'lf' }, { truncate: 2 }, { badChunk: true }, { slow: 1000 });
    const all = { ...headers, ...json };
    expectMixed(await ask('POST /api/http/respond', all, script), '\n');
    for (let left = 3; left > 0; left--) {
      expectMixed(await ask('POST /api/http/respond', all, script));
    }
  });

  test('from ?header=, and from the query of httpbin', async () => {
    const asked = new URLSearchParams();
    for (const [name, value] of Object.entries(mixed)) asked.append('header', `${name}:${value}`);
    expectMixed(await ask(`GET /api/http/status/200?${asked}`));
    expectMixed(await ask(`GET /api/http/status/503?${asked}`));
    expectMixed(await ask(`GET /httpbin/response-headers?${new URLSearchParams(mixed)}`));
  });

  test('of a repeated header is the case of its first', async () => {
    const headers = [
      ['X-Again', '1'],
      ['x-again', '2'],
    ];
    const text = await ask('POST /api/http/respond', json, JSON.stringify({ headers }));
    expect(text).toContain('\r\nX-Again: 1\r\nX-Again: 2\r\n');
  });

  test("and the next request of the connection gets the service's own", async () => {
    const connection = openConnection(service.url);
    connection.send(requestText('POST /api/http/respond', json, script));
    connection.send(requestText('GET /api/http/status/200'));
    await connection.until('"meaning"');
    connection.socket.destroy();
    expect(connection.received().toString('latin1').split('HTTP/1.1 ')[2]).toContain(
      '\r\ncontent-type: application/json',
    );
  });
});

/**
 * The headers, the trailers and the text of a response over HTTP/2; bytes of headers are
 * characters.
 */
async function askOverHttp2(path: string, given: object) {
  const session = connect(service.url);
  try {
    const stream = session.request({
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/json',
    });
    let headers: IncomingHttpHeaders = {};
    let trailers: IncomingHttpHeaders = {};
    const interim: IncomingHttpHeaders[] = [];
    stream.on('headers', (fields) => interim.push(fields));
    stream.on('response', (fields) => {
      headers = fields;
    });
    stream.on('trailers', (fields) => {
      trailers = fields;
    });
    stream.end(JSON.stringify(given));
    let text = '';
    for await (const chunk of stream.setEncoding('utf8')) text += chunk;
    return { headers, trailers, interim, text };
  } finally {
    session.close();
  }
}

const bytesOf = (text: string) => Buffer.from(text).toString('latin1');

describe('over HTTP/2', () => {
  test('names are in lower case, and trailers follow the body', async () => {
    const { headers, trailers, interim, text } = await askOverHttp2('/api/http/respond', {
      headers: mixed,
      chunks: [{ data: 'hel' }, { data: 'lo' }],
      trailers: [
        ['X-Checksum', '1'],
        ['X-Again', 'a'],
        ['X-Again', 'b'],
        ['ETag', '"t"'],
      ],
      informational: [{ status: 103, headers: { LINK: '</a>' } }],
    });
    expect(headers).toMatchObject({
      'x-lower-upper': '1',
      etag: '"a"',
      'content-type': 'text/x-own',
    });
    expect(interim).toMatchObject([{ ':status': 103, link: '</a>' }]);
    expect(trailers).toMatchObject({ 'x-checksum': '1', 'x-again': 'a, b', etag: '"t"' });
    expect(text).toBe('hello');
  });

  test('trailers follow a body that is sent whole, or empty', async () => {
    for (const body of ['hello', '']) {
      const given = { body, trailers: { 'X-Last': '1', __proto__x: '2' } };
      const { trailers, text } = await askOverHttp2('/api/http/respond', given);
      expect(trailers).toMatchObject({ 'x-last': '1', __proto__x: '2' });
      expect(text).toBe(body);
    }
  });

  test('UTF-8 is sent in headers, interim responses and trailers', async () => {
    const value = 'é 안녕';
    const { headers, trailers, interim } = await askOverHttp2('/api/http/respond', {
      headerEncoding: 'utf-8',
      headers: { 'X-Name': value },
      body: 'x',
      trailers: { 'X-Last': value },
      informational: [{ status: 103, headers: { 'X-Name': value } }],
    });
    for (const sent of [headers['x-name'], trailers['x-last'], interim[0]?.['x-name']]) {
      expect(sent).toBe(bytesOf(value));
    }
  });

  test('a stored response and a bin send the same bytes', async () => {
    const given = { headerEncoding: 'utf-8', headers: { 'X-Name': '안녕' } };
    await send(service.url, 'PUT /s/http2-utf8/api/http/responses/own', { json: given });
    const stored = await askOverHttp2('/s/http2-utf8/api/http/responses/own', {});
    const bin = await send(service.url, 'POST /api/webhooks/bins', { json: { response: given } });
    const captured = await askOverHttp2(`/api/webhooks/${bin.json.id}`, {});
    expect([stored.headers['x-name'], captured.headers['x-name']]).toEqual(
      Array(2).fill(bytesOf('안녕')),
    );
  });
});

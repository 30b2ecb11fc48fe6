import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { exchange, openConnection, writeRequest } from '../../lab/harness/raw-http.js';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A server that sends these bytes to each request, and then ends the connection or keeps it. */
async function serverOf(bytes: string, isEnded: boolean): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', () => {
      socket.write(bytes, 'latin1');
      if (isEnded) socket.end();
    });
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const head = (...lines: string[]) => ['HTTP/1.1 200 OK', ...lines, '', ''].join('\r\n');
const chunks = '2\r\nab\r\n1\r\nc\r\n0\r\nX: y\r\n\r\n';

describe('splits what a connection receives into responses:', () => {
  test.each<[what: string, bytes: string, methods: string[], bodies: string[], rest: string]>([
    ['a body with a length', `${head('Content-Length: 2')}ab`, ['GET'], ['ab'], ''],
    [
      'a body in chunks, with a trailer',
      head('Transfer-Encoding: chunked') + chunks,
      [],
      ['abc'],
      '',
    ],
    ['a body that ends with the connection', `${head()}abc`, ['GET'], ['abc'], ''],
    ['no body after HEAD', head('Content-Length: 2'), ['HEAD'], [''], ''],
    [
      'no body with 304',
      'HTTP/1.1 304 Not Modified\r\nContent-Length: 2\r\n\r\n',
      ['GET'],
      [''],
      '',
    ],
    [
      'an interim response before the final one',
      `HTTP/1.1 100 Continue\r\n\r\n${head('Content-Length: 1')}a`,
      ['POST'],
      ['a'],
      '',
    ],
    [
      'several responses',
      `${head('Content-Length: 1')}a${head('Content-Length: 1')}b`,
      ['GET', 'GET'],
      ['a', 'b'],
      '',
    ],
    [
      'a stream of events, which does not end by itself',
      `${head('Content-Type: text/event-stream')}data: a\n\n`,
      ['GET'],
      [''],
      '',
    ],
    ['half a head', 'HTTP/1.1 200 OK\r\nX', ['GET'], [], 'HTTP/1.1 200 OK\r\nX'],
    [
      'half a body',
      `${head('Content-Length: 3')}ab`,
      ['GET'],
      [],
      `${head('Content-Length: 3')}ab`,
    ],
  ])('%s', async (_what, bytes, methods, bodies, rest) => {
    const url = await serverOf(bytes, true);
    const result = await exchange(url, ['x'], { patienceMs: 10_000, methods });
    expect(result.responses.map(({ body }) => body)).toEqual(bodies);
    expect(result.rest).toBe(rest);
    expect(result.isEnded).toBe(true);
  });
});

test('an exchange reports that the server kept the connection', async () => {
  const url = await serverOf(`${head('Content-Length: 1')}a`, false);
  const { responses, isEnded } = await exchange(url, ['x'], { patienceMs: 200 });
  expect([responses.length, isEnded]).toEqual([1, false]);
});

describe('a connection that is used for many requests', () => {
  test('returns the responses to each batch', async () => {
    const url = await serverOf(`${head('Content-Length: 1')}a`, false);
    const connection = await openConnection(url, 10_000);
    for (let sent = 0; sent < 2; sent++) {
      const [response] = await connection.sendAll('x', ['GET']);
      expect(response?.headers.get('content-length')).toBe('1');
    }
    expect(connection.isUsable()).toBe(true);
    connection.close();
    expect(connection.isUsable()).toBe(false);
  });

  test('is not usable after a response with Connection: close', async () => {
    const url = await serverOf(`${head('Connection: close', 'Content-Length: 1')}a`, false);
    const connection = await openConnection(url, 10_000);
    await connection.sendAll('x', ['GET']);
    expect(connection.isUsable()).toBe(false);
  });

  test('rejects when the connection ends before all responses have arrived', async () => {
    const url = await serverOf(`${head('Content-Length: 1')}a`, true);
    const connection = await openConnection(url, 10_000);
    await expect(connection.sendAll('x', ['GET', 'GET'])).rejects.toThrow(/without a response/);
  });
});

describe('writes a request', () => {
  test.each<[what: string, request: string, expected: string]>([
    ['without a body', writeRequest('GET', '/a'), 'GET /a HTTP/1.1|Host: localhost||'],
    ['with another Host', writeRequest('GET', '/a', [['Host', 'b']]), 'GET /a HTTP/1.1|Host: b||'],
    [
      'with the length of its body',
      writeRequest('POST', '/a', [['X', 'y']], 'abc'),
      'POST /a HTTP/1.1|Host: localhost|X: y|Content-Length: 3||abc',
    ],
    [
      'with a body that is framed by the caller',
      writeRequest('POST', '/a', [['Transfer-Encoding', 'chunked']], '0|'),
      'POST /a HTTP/1.1|Host: localhost|Transfer-Encoding: chunked||0|',
    ],
  ])('%s', (_what, request, expected) => {
    expect(request.replaceAll('\r\n', '|')).toBe(expected);
  });
});

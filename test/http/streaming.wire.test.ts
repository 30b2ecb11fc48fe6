import { get, request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { createService } from '../support/create-service.js';
import { openConnection, requestText, splitResponse } from '../support/raw-connection.js';
import { send as sendTo, useService } from '../support/service.js';

const service = useService();
const { send } = service;

/** Reads all bytes of one response on a separate connection. */
async function rawResponse(target: string, version = '1.1'): Promise<string> {
  const connection = openConnection(service.url);
  connection.send(`GET ${target} HTTP/${version}\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  await connection.ended;
  return connection.received().toString('latin1');
}

describe('lines', () => {
  test('are JSON, one after the other', async () => {
    const { headers, text } = await send('GET /api/http/stream/3');
    expect(headers['content-type']).toBe('application/x-ndjson');
    const lines = text.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).line)).toEqual([1, 2, 3]);
    expect(text.endsWith('\n')).toBe(true);
  });

  test('a thousand are a thousand', async () => {
    expect((await send('GET /api/http/stream/1000')).text.trimEnd().split('\n')).toHaveLength(1000);
  });

  test('with an interval arrive one by one', async () => {
    const pieces: string[] = [];
    await new Promise((resolve, reject) => {
      get(`${service.url}/api/http/stream/3?interval=0.05`, (response) => {
        response.setEncoding('utf8').on('data', (piece: string) => pieces.push(piece));
        response.on('end', resolve);
      }).on('error', reject);
    });
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.join('').trimEnd().split('\n')).toHaveLength(3);
  });
});

describe('a drip', () => {
  test('announces its length, and arrives completely', async () => {
    const { status, headers, text } = await send('GET /api/http/drip?bytes=50&duration=0.1');
    expect([status, headers['content-length'], text]).toEqual([200, '50', '*'.repeat(50)]);
  });

  test('begins at once', async () => {
    const connection = openConnection(service.url);
    // The next byte is due ten minutes later.
    connection.send(requestText('GET /api/http/drip?bytes=2&duration=600'));
    await connection.until('\r\n\r\n*');
    connection.socket.destroy();
  });

  test('does not end before its duration', async () => {
    const connection = openConnection(service.url);
    const startedAt = performance.now();
    connection.send(requestText('GET /api/http/drip?bytes=3&duration=0.2'));
    await connection.until('\r\n\r\n***');
    expect(performance.now() - startedAt).toBeGreaterThan(190);
    connection.socket.destroy();
  });

  test('with no duration arrives at once', async () => {
    const { text } = await send('GET /api/http/drip?bytes=100000&duration=0');
    expect(text).toBe('*'.repeat(100_000));
  });

  test.each([
    [201, 10],
    [204, 0],
    [205, 0],
    [304, 0],
    [404, 10],
  ])('has the status %i', async (status, bytes) => {
    const path = `/api/http/drip?bytes=10&duration=0&status=${status}`;
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(service.url + path, resolve).on('error', reject);
    });
    expect(response.statusCode).toBe(status);
    expect(await text(response)).toHaveLength(bytes);
  });

  test('with 401 says how to authenticate', async () => {
    const response = await rawResponse('/api/http/drip?bytes=1&duration=0&status=401');
    expect(response.toLowerCase()).toContain('www-authenticate: ');
  });

  test('with HEAD has headers only, without a wait', async () => {
    const { headers } = await send('HEAD /api/http/drip?bytes=10&duration=600');
    expect(headers['content-length']).toBe('10');
  });

  test('ends when its client leaves', async () => {
    const connection = openConnection(service.url);
    connection.send(requestText('GET /api/http/drip?bytes=10&duration=600'));
    await connection.until('\r\n\r\n*');
    connection.socket.resetAndDestroy();
    expect((await send('GET /api/http/drip?bytes=1&duration=0')).status).toBe(200);
  });
});

describe('chunks', () => {
  test('have the requested sizes', async () => {
    const { rest } = splitResponse(Buffer.from(await rawResponse('/api/http/chunks?sizes=1,20,3')));
    expect(rest.toString()).toBe(`1\r\na\r\n14\r\n${'b'.repeat(20)}\r\n3\r\nccc\r\n0\r\n\r\n`);
  });

  test('have extensions of every form', async () => {
    const target = '/api/http/chunks?sizes=1,1,1,1&extensions=true';
    const { rest, headers } = splitResponse(Buffer.from(await rawResponse(target)));
    expect(headers['transfer-encoding']).toBe('chunked');
    expect(rest.toString()).toBe(
      '1;last\r\na\r\n1;name=value\r\nb\r\n1;text="a;b,\\"c\\" 0"\r\nc\r\n1;a=1;b="2"\r\nd\r\n0\r\n\r\n',
    );
  });

  test('are parsed by a client that ignores extensions, and the connection stays usable', async () => {
    const { text } = await send('GET /api/http/chunks?sizes=5,65536,1&extensions=true');
    expect(text).toBe(`aaaaa${'b'.repeat(65_536)}c`);
    const connection = openConnection(service.url);
    const both = requestText('GET /api/http/chunks') + requestText('GET /health');
    connection.send(both);
    await connection.until('"ok"');
    connection.socket.destroy();
  });

  test('are not sent to HTTP/1.0', async () => {
    const response = await rawResponse('/api/http/chunks?extensions=true', '1.0');
    expect(response.toLowerCase()).not.toContain('transfer-encoding');
    expect(response).toMatch(/\r\n\r\nabbccc$/);
  });
});

describe('trailers', () => {
  function readTrailers(path: string) {
    return new Promise<IncomingMessage>((resolve, reject) => {
      httpRequest(service.url + path, { headers: { TE: 'trailers' } }, (response) => {
        response.resume().on('end', () => resolve(response));
      })
        .on('error', reject)
        .end();
    });
  }

  test.each([
    ['', 'Content-Digest, Server-Timing, X-Trailer'],
    ['?announce=false', undefined],
  ])('follow the body%s', async (query, announced) => {
    const { headers, trailers } = await readTrailers(`/api/http/trailers${query}`);
    expect(headers.trailer).toBe(announced);
    expect(trailers).toEqual({
      'content-digest': expect.stringMatching(/^sha-256=:.{44}:$/),
      'server-timing': 'body;dur=1',
      'x-trailer': 'the last word',
    });
  });

  test('are not sent to HTTP/1.0', async () => {
    const response = await rawResponse('/api/http/trailers', '1.0');
    expect(response).not.toMatch(/x-trailer/i);
    expect(JSON.parse(response.split('\r\n\r\n')[1] ?? '')).toMatchObject({ te: null });
  });
});

describe('informational responses', () => {
  test('precede the final response, in their order', async () => {
    const target = '/api/http/informational?status=100&status=102&status=103&status=103';
    const [first, second, third, fourth, last, body] = (await rawResponse(target)).split(
      '\r\n\r\n',
    );
    expect(first).toBe('HTTP/1.1 100 Continue');
    expect(second).toBe('HTTP/1.1 102 Processing');
    expect(third).toMatch(
      /^HTTP\/1.1 103 Early Hints\r\nLink: <\/api\/http\/bytes\/64>; rel=preload; as=fetch\r\nLink: /,
    );
    expect(fourth).toBe(third);
    expect(last).toMatch(/^HTTP\/1.1 200 OK\r\n/);
    expect(JSON.parse(body ?? '')).toEqual({ sent: [100, 102, 103, 103] });
  });

  test('reach a client that listens for them', async () => {
    const seen: number[] = [];
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(`${service.url}/api/http/informational?wait=0.05`, resolve)
        .on('information', ({ statusCode }) => seen.push(statusCode))
        .on('error', reject);
    });
    expect(seen).toEqual([103]);
    expect(JSON.parse(await text(response))).toEqual({ sent: [103] });
    expect(response.headers.link).toContain('rel=preload');
  });

  test('are not sent to HTTP/1.0', async () => {
    const response = await rawResponse('/api/http/informational', '1.0');
    expect(response).toMatch(/^HTTP\/1.1 200 OK/);
    expect(response).toContain('{"sent":[]}');
  });
});

test.each([
  ['stream/0', 'n'],
  ['stream/1001', 'n'],
  ['stream/1000?interval=60', 'interval'],
  ['stream/3?interval=-1', 'interval'],
  ['drip?bytes=0', 'bytes'],
  ['drip?bytes=10485761', 'bytes'],
  ['drip?duration=601', 'duration'],
  ['drip?status=199', 'status'],
  ['drip?bites=5', 'bites'],
  ['chunks?sizes=0', 'sizes'],
  ['chunks?sizes=', 'sizes'],
  ['chunks?extensions=yes', 'extensions'],
  ['trailers?announce=1', 'announce'],
  ['informational?status=101', 'status.0'],
  ['informational?wait=11', 'wait'],
])('%s is rejected, and the response names %s', async (path, field) => {
  const { status, json } = await send(`GET /api/http/${path}`);
  expect([status, json.errors[0].field]).toEqual([400, field]);
});

test('a stop ends pending streams at once, visibly truncated', async () => {
  const own = await createService();
  const connection = openConnection(own.url);
  connection.send(requestText('GET /api/http/drip?bytes=10&duration=600'));
  await connection.until('\r\n\r\n*');
  await own.close();
  await connection.ended;
  const { headers, rest } = splitResponse(connection.received());
  expect(rest.length).toBeLessThan(Number(headers['content-length']));
});

test('pending responses have a limit; each that ends makes room', async () => {
  const own = await createService({ heldRequests: 6 });
  try {
    const open = [openConnection(own.url), openConnection(own.url)];
    for (const connection of open) {
      connection.send(requestText('GET /api/http/stream/2?interval=60'));
      await connection.until('"line":1');
    }
    const ask = (path: string) => sendTo(own.url, `GET /api/http/${path}`);
    for (const path of ['drip', 'stream/2?interval=1', 'informational?wait=1']) {
      const { status, headers } = await ask(path);
      expect([status, headers['retry-after']], path).toEqual([503, '5']);
      expect(headers).not.toHaveProperty('x-accel-buffering');
    }
    expect((await ask('bytes/1000?bytesPerSecond=10000')).status).toBe(503);
    expect((await ask('drip?duration=0')).status).toBe(200);
    open[0]?.socket.resetAndDestroy();
    // The service notices this with a delay.
    while ((await ask('drip?bytes=2&duration=0.02')).status === 503);
    open[1]?.socket.destroy();
  } finally {
    await own.close();
  }
});

test('every stream has a response to HEAD', async () => {
  for (const path of ['stream/3', 'chunks', 'trailers', 'informational', 'drip', 'bytes/2000000']) {
    const headers = { 'Want-Repr-Digest': 'sha-256=1' };
    const response = await send(`HEAD /api/http/${path}`, { headers });
    expect(response.status, path).toBe(200);
    expect(response.headers, path).not.toHaveProperty('trailer');
  }
});

test.each([
  [{ truncate: 5 }],
  [{ cutChunk: 5 }],
  [{ badChunk: true }],
  [{ slow: 1_000_000 }],
  [{ corruptEncoding: 'gzip' }],
  [{ invalidJson: true }],
  [{ contentType: 'text/x' }],
  [{ closeAfter: true }],
  [{ delayMs: 1 }],
])('a planned fault affects streams like other responses: %j', async (fault) => {
  const sandbox = `faults-${Object.keys(fault)}`;
  const planned = await send('PUT /api/sandbox/faults', {
    headers: { 'X-Sandbox': sandbox },
    json: { rules: [{ sequence: [fault], then: 'repeat' }] },
  });
  expect(planned.status, planned.text).toBeLessThan(300);
  for (const path of ['trailers', 'chunks?extensions=true', 'bytes/1048577', 'drip?duration=0']) {
    const connection = openConnection(service.url);
    connection.send(
      `GET /s/${sandbox}/api/http/${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nWant-Repr-Digest: sha-256=1\r\n\r\n`,
    );
    await connection.ended;
    expect(connection.received().toString('latin1', 0, 15), path).toBe('HTTP/1.1 200 OK');
  }
});

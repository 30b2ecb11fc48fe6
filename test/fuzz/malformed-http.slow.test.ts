/** Every shape of malformed or ambiguous HTTP by name; see fuzz/sources/malformed-http.js. */

import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { randomSource } from '../../lab/fuzz/random-source.js';
import { exchangeOf, shapes } from '../../lab/fuzz/sources/malformed-http.js';
import { exchange } from '../../lab/harness/raw-http.js';
import { useService } from '../support/service.js';

const service = useService();

/** Enough to use each way of sending: by itself, behind another request, whole, in pieces. */
const seeds = [1, 2, 3, 4, 5, 6];

describe.each([...new Set(shapes.map(({ outcome }) => outcome))])('%s:', (outcome) => {
  test.each(shapes.filter((shape) => shape.outcome === outcome))('$name', async (shape) => {
    for (const seed of seeds) {
      const { pieces, methods, judge, endsAfter } = exchangeOf(randomSource(seed), shape);
      const result = await exchange(service.url, pieces, {
        patienceMs: 10_000,
        methods,
        ...(endsAfter && { endsAfter }),
      });
      expect(judge(result), JSON.stringify({ seed, pieces, result })).toBeUndefined();
    }
  });
});

describe('an earlier request gets its response first, followed by', () => {
  const slow = (query: string) =>
    `GET /api/methods/get?${query}&delay=0.05 HTTP/1.1\r\nHost: a\r\n\r\n`;
  const send = (bytes: string) => exchange(service.url, [bytes], { patienceMs: 10_000 });

  test('garbage', async () => {
    const { responses } = await send(`${slow('a=1')}${slow('a=2')}GARBAGE\r\n\r\n`);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 400]);
    expect(responses.map(({ body }) => JSON.parse(body).query?.a)).toEqual(['1', '2', undefined]);
  });

  test('a request with a broken body', async () => {
    const broken =
      'POST /api/methods/any HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n';
    const { responses } = await send(slow('a=1') + broken);
    expect(responses.map(({ status }) => status)).toEqual([200, 400]);
  });

  test('a tunnel, which once crashed the process', async () => {
    const connect = 'CONNECT /api/methods/any HTTP/1.1\r\nHost: a\r\n\r\n';
    const { responses } = await send(slow('a=1') + connect);
    expect(responses.map(({ body }) => JSON.parse(body).method)).toEqual(['GET', 'CONNECT']);
  });

  test('bytes after Connection: close, which the service discards', async () => {
    const closing = slow('a=1').replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
    const { responses } = await send(`${closing}GARBAGE\r\n\r\n`);
    expect(responses.map(({ status }) => status)).toEqual([200]);
  });
});

test('garbage after garbage is dropped, and gets no second response', async () => {
  const { responses } = await exchange(service.url, ['GARBAGE\r\n\r\n', 'GARBAGE\r\n\r\n'], {
    patienceMs: 10_000,
  });
  expect(responses).toHaveLength(1);
});

test('a caller who left before the response still has an IP address in the log', async () => {
  const { json: bin } = await service.send('POST /api/webhooks/bins');
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname, () => {
    const request = `POST ${new URL(bin.url).pathname}?delay=0.05 HTTP/1.1\r\nHost: a\r\n\r\n`;
    socket.write(request, () => socket.destroy());
  });
  const captured = await service.send(`GET /api/webhooks/bins/${bin.id}/requests?wait=10`);
  expect(captured.json[0].ip).toBe('127.0.0.1');
});

test('links begin with the host of an absolute target', async () => {
  const target = 'GET http://named.test:81/ HTTP/1.1\r\nHost: other\r\nConnection: close\r\n\r\n';
  const { responses } = await exchange(service.url, [target], { patienceMs: 10_000 });
  expect(JSON.parse(responses[0]?.body ?? '').areas[0].start).toMatch(/^http:\/\/named\.test:81\//);
});

/** Connections that are closed while idle, and bodies that end early. */

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:http2';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Fault } from '../../src/faults/plan/fault-plan.js';
import { createService, type Service } from '../../src/index.js';
import {
  codeOf,
  flags,
  headers as framesOf,
  frameTypes,
  isOf,
  openFrames,
  requestFields,
} from '../support/http2-frames.js';
import { openConnection, requestText } from '../support/raw-connection.js';
import { send } from '../support/service.js';

let service: Service;
beforeAll(async () => {
  service = await createService({ tls: true, h2c: true });
});
afterAll(() => service.close());

async function plan(...sequence: Fault[]): Promise<string> {
  const sandbox = `idle-${randomUUID()}`;
  const { status, text } = await send(service.url, 'PUT /api/sandbox/faults', {
    headers: { 'X-Sandbox': sandbox },
    json: { rules: [{ sequence }] },
  });
  expect(status, text).toBe(200);
  return sandbox;
}

describe('idle closes a connection without a further request', () => {
  test.each([
    ['a hint that is too long', { idle: 0.2, hint: 60 }, /\r\nKeep-Alive: timeout=60\r\n/i],
    ['a true hint', { idle: 1, hint: 1 }, /\r\nKeep-Alive: timeout=1\r\n/i],
    ['no hint', { idle: 0 }, /^(?!.*keep-alive: )/is],
  ])('with %s', async (_name, fault, head) => {
    const sandbox = await plan(fault);
    const connection = openConnection(service.url);
    const sentAtMs = performance.now();
    connection.send(requestText('GET /api/Books/1', { 'X-Sandbox': sandbox }));
    expect(await connection.ended).toBe('closed');
    expect(performance.now() - sentAtMs).toBeGreaterThanOrEqual(fault.idle * 1000 - 5);
    expect(connection.responses()).toBe(1);
    expect(connection.received().toString()).toMatch(head);
    expect(connection.received().toString()).toMatch(/\r\nConnection: keep-alive\r\n/i);
  });

  test('but not if a request follows in time', async () => {
    const sandbox = await plan({ idle: 0.3, hint: 60 });
    const connection = openConnection(service.url);
    connection.send(requestText('GET /api/Books/1', { 'X-Sandbox': sandbox }));
    await expect.poll(() => connection.responses()).toBe(1);
    connection.send(requestText('GET /api/delay/1'));
    connection.send(requestText('GET /health', { Connection: 'close' }));
    await connection.ended;
    expect(connection.responses()).toBe(3);
  });

  test('on HTTP/2 with GOAWAY', async () => {
    const sandbox = await plan({ idle: 0.1 });
    const made = openFrames(service.tlsUrl ?? '');
    made.send(framesOf(1, requestFields('/api/Books/1', 'GET', [['x-sandbox', sandbox]])));
    const away = await made.until(isOf(frameTypes.goaway));
    expect(away && [codeOf(away), away.payload.readUInt32BE(0)]).toEqual([0, 1]);
    await made.ended;
  });

  test('undici opens another connection for the next request', async () => {
    const sandbox = await plan({ idle: 0.1, hint: 60 });
    const dispatcher = new Agent({ connections: 1 });
    const ask = () => request(`${service.url}/s/${sandbox}/api/Books/1`, { dispatcher });
    await (await ask()).body.dump();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect((await ask()).statusCode).toBe(200);
    const { json } = await send(service.url, `GET /s/${sandbox}/api/sandbox/faults/log`);
    expect(json.attempts).toMatchObject([{ connectionReused: false }, { connectionReused: false }]);
    await dispatcher.destroy();
  });
});

test.each([
  [{ hint: 5 }, 'hint needs idle'],
  [{ idle: 1, goaway: true }, 'must not be beside'],
  [{ idle: 121 }, 'idle must be'],
  [{ idle: 1, hint: 0 }, 'hint must be'],
])('the plan %j is rejected', async (fault, message) => {
  const { status, json } = await send(service.url, 'PUT /api/sandbox/faults', {
    headers: { 'X-Sandbox': 'idle-wrong' },
    json: { rules: [{ sequence: [fault] }] },
  });
  expect([status, JSON.stringify(json)]).toEqual([400, expect.stringContaining(message)]);
});

describe('shortBody announces more than it sends', () => {
  test.each(['TLS', 'h2c'])('and ends the stream cleanly over %s', async (way) => {
    const sandbox = await plan({ shortBody: true });
    const made = openFrames((way === 'TLS' ? service.tlsUrl : service.url) ?? '');
    made.send(framesOf(1, requestFields('/api/Books/1', 'GET', [['x-sandbox', sandbox]])));
    await made.until(({ flags: bits, type }) => type <= 1 && (bits & flags.endStream) !== 0);
    const whole = await send(service.url, 'GET /api/Books/1');
    const sent = Buffer.concat(made.frames.filter(isOf(0, 1)).map(({ payload }) => payload));
    expect(sent.length).toBe(whole.bytes.length >> 1);
    expect(made.frames.some(isOf(frameTypes.rstStream, 1))).toBe(false);
    made.socket.destroy();
  });

  test('which a client of HTTP/2 must reject', async () => {
    const sandbox = await plan({ shortBody: true });
    const session = connect(service.tlsUrl ?? '', { rejectUnauthorized: false });
    const stream = session.request({ ':path': '/api/Books/1', 'x-sandbox': sandbox });
    const [error] = await once(stream.resume(), 'error');
    expect(error.message).toContain('PROTOCOL_ERROR');
    session.destroy();
  });

  test('and closes the connection on HTTP/1.1', async () => {
    const sandbox = await plan({ shortBody: true });
    const connection = openConnection(service.url);
    connection.send(requestText('GET /api/Books/1', { 'X-Sandbox': sandbox }));
    expect(await connection.ended).toBe('closed');
    const [head = '', body = ''] = connection.received().toString().split('\r\n\r\n');
    const announced = Number(/content-length: (\d+)/i.exec(head)?.[1]);
    expect(Buffer.byteLength(body)).toBe(announced >> 1);
  });
});

describe('cutAt cuts a chunk of a scripted response', () => {
  const chunksOf = async (chunks: readonly object[]) => {
    const connection = openConnection(service.url);
    const body = JSON.stringify({ chunks });
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(body)),
      Connection: 'close',
    };
    connection.send(`${requestText('POST /api/http/respond', headers)}${body}`);
    await connection.ended;
    const received = connection.received().toString('latin1');
    return received.slice(received.indexOf('\r\n\r\n') + 4);
  };

  test.each([
    ['a line', { data: '{"a":1}\n{"b":2}\n', cutAt: 10 }, ['{"a":1}\n{"', 'b":2}\n']],
    ['a character', { data: 'café', cutAt: 4 }, ['caf\xc3', '\xa9']],
    ['an emoji', { data: '😀', cutAt: 3 }, ['\xf0\x9f\x98', '\x80']],
  ])('inside %s', async (_name, chunk, parts) => {
    const written = parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('');
    expect(await chunksOf([chunk])).toBe(`${written}0\r\n\r\n`);
  });

  test.each([
    [{ data: 'abc', cutAt: 3 }, 'cutAt must be less than 3, the bytes of data; got 3.'],
    [{ data: 'abc', cutAt: 0 }, 'cutAt'],
    [{ data: 'abc', cutAt: 1, delayMs: 20_000 }, 'The sum of all delays'],
  ])('%j is 400', async (chunk, message) => {
    const { status, text } = await send(service.url, 'POST /api/http/respond', {
      json: { chunks: [chunk] },
    });
    expect([status, text]).toEqual([400, expect.stringContaining(message)]);
  });
});

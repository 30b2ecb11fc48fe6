/** Wire faults on HTTP/2 streams, frame by frame. */

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Fault } from '../../src/faults/plan/fault-plan.js';
import { createService, type Service } from '../../src/index.js';
import {
  codeOf,
  data,
  type FrameConnection,
  flags,
  frameTypes,
  headers,
  isOf,
  openFrames,
  requestFields,
} from '../support/http2-frames.js';
import { send } from '../support/service.js';

let service: Service;
beforeAll(async () => {
  service = await createService({ tls: true, h2c: true });
});
afterAll(() => service.close());

const open: FrameConnection[] = [];
afterEach(() => {
  for (const { socket } of open.splice(0)) socket.destroy();
});

async function plan(...sequence: Fault[]): Promise<string> {
  const sandbox = `h2-${randomUUID()}`;
  const { status, text } = await send(service.url, 'PUT /api/sandbox/faults', {
    headers: { 'X-Sandbox': sandbox },
    json: { rules: [{ name: 'wire', sequence }] },
  });
  expect(status, text).toBe(200);
  return sandbox;
}

async function logOf(sandbox: string) {
  const { json } = await send(service.url, `GET /s/${sandbox}/api/sandbox/faults/log`);
  return json;
}

function connection(url = service.tlsUrl ?? ''): FrameConnection {
  const made = openFrames(url);
  open.push(made);
  return made;
}

const path = '/api/Books/1';
const fields = (sandbox: string, method = 'GET') =>
  requestFields(path, method, [['x-sandbox', sandbox]]);

const { goaway, rstStream, data: dataType } = frameTypes;
const endsStream = (stream: number) => (frame: FrameConnection['frames'][number]) =>
  frame.stream === stream && frame.type <= 1 && (frame.flags & flags.endStream) !== 0;

const bodyOf = ({ frames }: FrameConnection, stream: number) =>
  Buffer.concat(frames.filter(isOf(dataType, stream)).map(({ payload }) => payload)).toString();

describe.each(['TLS', 'h2c'])('over %s', (way) => {
  const url = () => (way === 'TLS' ? service.tlsUrl : service.url) ?? '';

  test('closeAfter sends the response, GOAWAY and the end of the connection', async () => {
    const sandbox = await plan({ closeAfter: true });
    const made = connection(url());
    made.send(headers(1, fields(sandbox)));
    await made.ended;
    expect(JSON.parse(bodyOf(made, 1)).id).toBe(1);
    const last = made.frames.findLast(isOf(goaway));
    expect(last && codeOf(last)).toBe(0);
    expect(last?.payload.readUInt32BE(0)).toBe(1);
  });

  test('closeAfter loses other streams of the connection', async () => {
    const sandbox = await plan({}, { closeAfter: true });
    const made = connection(url());
    made.send(headers(1, requestFields('/api/http/drip?bytes=100&duration=60')));
    await made.until(isOf(dataType, 1));
    made.send(headers(3, fields(sandbox)), headers(5, fields(sandbox)));
    await made.ended;
    expect(bodyOf(made, 5)).toContain('"id":1');
    expect(made.frames.some(endsStream(1))).toBe(false);
  });

  test('refuse resets the stream with REFUSED_STREAM, and the connection stays', async () => {
    const sandbox = await plan({ refuse: true });
    const made = connection(url());
    made.send(headers(1, fields(sandbox)));
    const reset = await made.until(isOf(rstStream, 1));
    expect(reset && codeOf(reset)).toBe(7);
    made.send(headers(3, fields(sandbox)));
    await made.until(endsStream(3));
    expect(bodyOf(made, 3)).toContain('"id":1');
    expect((await logOf(sandbox)).attempts).toMatchObject([
      { fault: { refuse: true }, attempt: 1 },
      { fault: null, attempt: 2, connectionReused: true },
    ]);
  });

  test('goaway ends the response, then ignores later streams of the connection', async () => {
    const sandbox = await plan({ goaway: true });
    const made = connection(url());
    made.send(headers(1, fields(sandbox)));
    const away = await made.until(isOf(goaway));
    expect(away && [codeOf(away), away.payload.readUInt32BE(0)]).toEqual([0, 1]);
    await made.until(endsStream(1));
    expect(bodyOf(made, 1)).toContain('"id":1');
    made.send(headers(3, fields(sandbox)));
    expect((await logOf(sandbox)).attempts).toHaveLength(1);
    expect(made.frames.filter(isOf(frameTypes.headers, 3))).toEqual([]);
    expect(made.socket.destroyed).toBe(false);
    const other = connection(url());
    other.send(headers(1, fields(sandbox)));
    await other.until(endsStream(1));
    expect((await logOf(sandbox)).attempts).toHaveLength(2);
  });

  test.each(['lf', 'http10', 'until-close', 'two-lengths'] as const)(
    'head %s, which HTTP/2 lacks, resets the stream',
    async (head) => {
      const sandbox = await plan({ head });
      const made = connection(url());
      made.send(headers(1, fields(sandbox)));
      expect(await made.until(isOf(rstStream, 1))).toBeDefined();
    },
  );
});

test('head extra-bytes sends a body that is longer than its Content-Length', async () => {
  const sandbox = await plan({ head: 'extra-bytes' });
  const made = connection();
  made.send(headers(1, fields(sandbox)));
  await made.until(endsStream(1));
  expect(bodyOf(made, 1)).toMatch(/^\{"id":1,.*\}$/);
  const session = connect(service.tlsUrl ?? '', { rejectUnauthorized: false });
  const other = await plan({ head: 'extra-bytes' });
  const stream = session.request({ ':path': path, 'x-sandbox': other });
  const [error] = await once(stream.resume(), 'error');
  expect(error.message).toContain('PROTOCOL_ERROR');
  session.destroy();
});

test('a request body that arrives early does not prevent the response', async () => {
  const sandbox = await plan({ refuse: true });
  const made = connection();
  for (const stream of [1, 3, 5]) {
    const posted = requestFields('/api/methods/post', 'POST', [['x-sandbox', sandbox]]);
    made.send(headers(stream, posted, flags.endHeaders), data(stream, [97], flags.endStream));
    await made.until((frame) => endsStream(stream)(frame) || isOf(rstStream, stream)(frame));
  }
  expect(made.frames.filter(isOf(rstStream)).map(({ stream }) => stream)).toEqual([1]);
  expect(bodyOf(made, 5)).toContain('"bodyLength":1');
});

test('a POST with REFUSED_STREAM may be repeated, and a POST with another reset may not', async () => {
  for (const [fault, isUnsafe] of [
    [{ refuse: true }, false],
    [{ reset: true }, true],
  ] as const) {
    const sandbox = await plan(fault);
    const made = connection();
    for (const stream of [1, 3]) {
      const posted = requestFields('/api/methods/post', 'POST', [['x-sandbox', sandbox]]);
      made.send(headers(stream, posted, flags.endHeaders), data(stream, [1], flags.endStream));
      await made.until((frame) => endsStream(stream)(frame) || isOf(rstStream, stream)(frame));
      // Streams that follow each other at once may have crossed.
      await sleep(60);
    }
    const { series } = await logOf(sandbox);
    expect(series).toMatchObject([{ verdict: { retried: true, repeatedUnsafely: isUnsafe } }]);
  }
});

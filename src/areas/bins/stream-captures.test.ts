import { expect, test } from 'vitest';
import { redact } from '#base/text/redact.js';
import { sliceBytes } from '#http/sending/stream-of.js';
import { createMemoryState } from '#state/memory/memory-state.js';
import { binsSpace } from './bins.js';
import type { CapturedItem } from './captures.js';
import { streamCaptures } from './stream-captures.js';

const item: CapturedItem = {
  receivedAtMs: 0,
  method: 'GET',
  url: redact('/'),
  rawHeaders: [],
  ip: '::1',
  bodySize: 0,
};

function setUp(heartbeatMs: number) {
  const sandbox = createMemoryState({ clock: () => 0 }).sandbox('');
  const bin = { id: 'b', name: null, createdAtMs: 0, response: null };
  sandbox.update(binsSpace, 'b', () => ({ value: bin, result: undefined }));
  const log = sandbox.log(binsSpace, 'b');
  const controller = new AbortController();
  return { log, controller, stream: streamCaptures(log, 0, controller.signal, heartbeatMs) };
}

test('a quiet stream sends comments, so that no proxy closes it as idle', async () => {
  const { log, controller, stream } = setUp(5);
  expect((await stream.next()).value).toMatch(/^retry: \d+\n\n$/);
  for (let beat = 0; beat < 3; beat++) expect((await stream.next()).value).toMatch(/^: .*\n\n$/);
  await log.append(item, Buffer.alloc(0));
  let event = String((await stream.next()).value);
  if (event.startsWith(':')) event = String((await stream.next()).value);
  expect(event).toMatch(/^id: 1\ndata: \{.*\}\n\n$/);
  controller.abort();
  expect(await stream.next()).toEqual({ done: true, value: undefined });
});

test('an aborted stream ends, whatever it is waiting for', async () => {
  const { controller, stream } = setUp(60_000);
  await stream.next();
  const next = stream.next();
  controller.abort();
  expect(await next).toEqual({ done: true, value: undefined });
});

test('a long capture arrives in slices of one event', async () => {
  const { log, controller, stream } = setUp(60_000);
  await stream.next();
  await log.append({ ...item, bodySize: 256 * 1024 }, Buffer.alloc(256 * 1024));
  let event = '';
  while (!event.endsWith('\n\n')) {
    const { value = '' } = await stream.next();
    expect(value.length).toBeLessThanOrEqual(sliceBytes);
    event += value;
  }
  expect(event).toMatch(/^id: 1\ndata: \{.*\}\n\n$/);
  expect(JSON.parse(event.slice(12)).body).toBe('\0'.repeat(256 * 1024));
  controller.abort();
});

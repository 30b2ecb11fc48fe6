/** Listeners of deliveries: streams, reconnections, and what happens when one leaves. */

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openStream, type TestStream } from '../support/event-source.js';
import { useService } from '../support/service.js';
import { hooksOf, path } from './hooks.js';

const service = useService();
let names = 0;

const todo = {
  userId: 1,
  title: 'Write',
  completed: false,
  priority: 'low',
  dueDate: '2026-01-01',
};

async function begin() {
  const name = `streams-${names++}`;
  const hooks = hooksOf(service, name);
  const { id } = await hooks.subscribe();
  const listen = (listener: string, lastEventId?: string): Promise<TestStream> =>
    openStream(service.url, `/s/${name}${path}/${id}/deliveries/stream?listener=${listener}`, {
      method: 'GET',
      headers: lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId },
    });
  /** Waits until the service knows that a listener has left. */
  const listenOnceFree = async (listener: string): Promise<TestStream> => {
    for (;;) {
      const stream = await listen(listener);
      if (stream.status === 200) return stream;
      await sleep(20);
    }
  };
  const create = async () => (await hooks.call('POST /api/Todos', todo)).json;
  return { hooks, id, listen, listenOnceFree, create };
}

test('a listener gets what waits and what follows, and each report frees the next of an object', async () => {
  const { hooks, id, listen, create } = await begin();
  const first = await create();
  await hooks.call(`PATCH /api/Todos/${first.id}`, { title: 'Again' });
  const stream = await listen('one');
  const created = await stream.next();
  expect(created?.data).toMatchObject({ event: { type: 'todos.created' }, attempt: 1 });
  await hooks.report(id, created?.data, 200);
  const updated = await stream.next();
  expect(updated?.data.event.type).toBe('todos.updated');
  await create();
  expect((await stream.next())?.data.event.type).toBe('todos.created');
  stream.close();
});

test('reconnected with Last-Event-ID, it gets only what it has not received', async () => {
  const { hooks, id, listen, create } = await begin();
  for (let count = 0; count < 3; count++) await create();
  const stream = await listen('one');
  const events = [await stream.next(), await stream.next(), await stream.next()];
  stream.close();
  const again = await listen('one', events[0]?.id);
  const rest = [await again.next(), await again.next()];
  expect(rest.map((each) => each?.data.id)).toEqual([events[1]?.data.id, events[2]?.data.id]);
  expect(rest.every((each) => each?.data.repeated === undefined)).toBe(true);
  expect(Number(rest[0]?.id)).toBeGreaterThan(Number(events[2]?.id));
  // It still has the first, and reports it.
  expect((await hooks.report(id, events[0]?.data, 200)).json.state).toBe('delivered');
  again.close();
});

test('a new listener gets what the one before did not report, marked', async () => {
  const { hooks, id, listen, listenOnceFree, create } = await begin();
  await create();
  await create();
  const stream = await listen('one');
  const first = await stream.next();
  await stream.next();
  await hooks.report(id, first?.data, 200);
  stream.close();
  const other = await listenOnceFree('two');
  await create();
  const got = [await other.next(), await other.next()];
  expect(got.map((each) => each?.data.repeated)).toEqual(['unreported', undefined]);
  other.close();
});

test('one listener has the deliveries at a time; its newer connection replaces the older', async () => {
  const { listen, create } = await begin();
  const stream = await listen('one');
  expect((await listen('two')).status).toBe(409);
  const newer = await listen('one');
  await create();
  expect((await newer.next())?.event).toBe('delivery');
  expect((await stream.next())?.event).toBe('replaced');
  newer.close();
});

test('ends when the subscription is deleted', async () => {
  const { hooks, id, listen } = await begin();
  const stream = await listen('one');
  await hooks.call(`DELETE ${path}/${id}`);
  expect((await stream.next())?.event).toBe('deleted');
  expect(await stream.next()).toBeUndefined();
});

test('a retry is streamed when the clock of the sandbox reaches it', async () => {
  const { hooks, id, listen, create } = await begin();
  const stream = await listen('one');
  await create();
  const first = await stream.next();
  await hooks.report(id, first?.data, 503);
  await hooks.advance(10);
  const second = await stream.next();
  expect(second?.data).toMatchObject({ id: first?.data.id, attempt: 2 });
  stream.close();
});

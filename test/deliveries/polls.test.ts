/** Programs that poll for deliveries: each delivery is lent to one of them, and comes again, marked, without a report. */

import { expect, test } from 'vitest';
import { openStream } from '../support/event-source.js';
import { useService } from '../support/service.js';
import { hooksOf, path } from './hooks.js';

const service = useService();
let names = 0;

async function begin() {
  const name = `polls-${names++}`;
  const hooks = hooksOf(service, name);
  const { id } = await hooks.subscribe({ retrySchedule: [0] });
  const publish = (order = 1) =>
    hooks.call(`POST ${path}/${id}/test`, { type: 'order.paid', data: { id: order } });
  const poll = async (query = 'wait=0') =>
    (await hooks.call(`GET ${path}/${id}/deliveries?${query}`)).json.deliveries;
  return { name, hooks, id, publish, poll };
}

test('of two polls at once, each delivery goes to one', async () => {
  const { hooks, id, publish, poll } = await begin();
  for (let order = 0; order < 8; order++) await publish(order);
  const polls = await Promise.all(['', '', '', ''].map(() => poll('wait=0&limit=4')));
  const got = polls.flat();
  expect(got).toHaveLength(8);
  expect(new Set(got.map((each) => each.id)).size).toBe(8);
  expect(got.filter((each) => each.repeated !== undefined)).toEqual([]);
  for (const each of got) expect((await hooks.report(id, each, 204)).json.state).toBe('delivered');
  expect(await poll()).toEqual([]);
});

test('after the lease, a waiting poll gets it again, marked, and one report counts', async () => {
  const { hooks, id, publish, poll } = await begin();
  await publish();
  const [first] = await poll('wait=0&lease=1');
  const [second] = await poll('wait=30');
  expect(second).toMatchObject({ id: first.id, attemptId: first.attemptId, attempt: 1 });
  expect([first.repeated, second.repeated]).toEqual([undefined, 'unreported']);
  expect((await hooks.report(id, first, 200)).json.state).toBe('delivered');
  expect((await hooks.report(id, second, 500)).json).toMatchObject({ state: 'delivered' });
  const { json } = await hooks.call(`GET ${path}/${id}/deliveries/${first.id}`);
  expect(json.requests).toHaveLength(1);
});

test('the next attempt is no repetition, and goes to any poll', async () => {
  const { hooks, id, publish, poll } = await begin();
  await publish();
  const [first] = await poll();
  await hooks.report(id, first, 503);
  const [again] = await poll();
  expect(again).toMatchObject({ id: first.id, attempt: 2 });
  expect(again.repeated).toBeUndefined();
});

test('a lease of 0 and a HEAD request only look', async () => {
  const { hooks, id, publish, poll } = await begin();
  await publish();
  const [seen] = await poll('wait=0&lease=0');
  expect((await hooks.call(`HEAD ${path}/${id}/deliveries?wait=0`)).status).toBe(200);
  const [got] = await poll('wait=0&lease=3600');
  expect(got).toMatchObject({ id: seen.id });
  expect(got.repeated).toBeUndefined();
  expect(await poll('wait=0&lease=0')).toEqual([]);
});

test('a poll gets what a listener had, marked, once that has left', async () => {
  const { name, id, publish, poll } = await begin();
  await publish();
  const stream = await openStream(service.url, `/s/${name}${path}/${id}/deliveries/stream`, {
    method: 'GET',
  });
  const received = await stream.next();
  expect(await poll()).toEqual([]);
  stream.close();
  await expect
    .poll(() => poll(), { timeout: 20_000 })
    .toMatchObject([{ id: received?.data.id, repeated: 'unreported' }]);
});

test('a listener gets what a poll had after its lease, marked', async () => {
  const { name, id, publish, poll } = await begin();
  await publish();
  const [lent] = await poll('wait=0&lease=1');
  const stream = await openStream(service.url, `/s/${name}${path}/${id}/deliveries/stream`, {
    method: 'GET',
  });
  expect((await stream.next())?.data).toMatchObject({ id: lent.id, repeated: 'unreported' });
  stream.close();
});

test.each(['-1', '3601', '1.5', 'x'])('a lease of %s is rejected', async (lease) => {
  const { hooks, id } = await begin();
  const { status } = await hooks.call(`GET ${path}/${id}/deliveries?wait=0&lease=${lease}`);
  expect(status).toBe(400);
});

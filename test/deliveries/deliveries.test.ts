/** Subscriptions, their deliveries, and their retries, over HTTP. */

import { verify as verifyGithub } from '@octokit/webhooks-methods';
import { LogSeverity, shopifyApi } from '@shopify/shopify-api';
import '@shopify/shopify-api/adapters/node';
import { createHmac } from 'node:crypto';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { Webhook as SvixWebhook } from 'svix';
import { describe, expect, test } from 'vitest';
import { deliverySchemes } from '../../src/kit/deliveries/schemes.js';
import { useService } from '../support/service.js';
import { hooksOf, path } from './hooks.js';

const service = useService();
let names = 0;
const newHooks = () => hooksOf(service, `hooks-${names++}`);

const todo = {
  userId: 1,
  title: 'Write',
  completed: false,
  priority: 'low',
  dueDate: '2026-01-01',
};
const createTodo = (hooks: ReturnType<typeof newHooks>) => hooks.call('POST /api/Todos', todo);

describe('each scheme is verified by the library of its provider', () => {
  async function deliveryBy(scheme: string) {
    const hooks = newHooks();
    const { id, secret } = await hooks.subscribe({ events: ['todos.created'], scheme });
    const created = (await createTodo(hooks)).json;
    const [delivery] = await hooks.due(id);
    const { headers, body } = delivery.request;
    return { secret, headers, body, delivery, created };
  }

  test('standard-webhooks, also by Svix', async () => {
    const { secret, headers, body, created } = await deliveryBy('standard-webhooks');
    const event = new StandardWebhook(secret).verify(body, headers);
    expect(event).toMatchObject({ type: 'todos.created', data: created });
    expect(new SvixWebhook(secret).verify(body, headers)).toEqual(event);
  });

  test('stripe', async () => {
    const { secret, headers, body, created, delivery } = await deliveryBy('stripe');
    const event = new Stripe('sk_test_1').webhooks.constructEvent(
      body,
      headers['Stripe-Signature'],
      secret,
    );
    expect(event).toMatchObject({
      object: 'event',
      type: 'todos.created',
      data: { object: created },
    });
    expect(event.id).toBe(delivery.event.id);
  });

  test('github', async () => {
    const { secret, headers, body, created } = await deliveryBy('github');
    expect(await verifyGithub(secret, body, headers['X-Hub-Signature-256'])).toBe(true);
    expect(headers['X-GitHub-Event']).toBe('todos');
    expect(JSON.parse(body)).toMatchObject({ action: 'created', todo: created });
  });

  test('shopify', async () => {
    const { secret, headers, body, created } = await deliveryBy('shopify');
    const api = shopifyApi({
      ...{ apiKey: 'key', apiSecretKey: secret, hostName: 'localhost', isEmbeddedApp: false },
      ...{ apiVersion: '2024-07' as never, logger: { level: LogSeverity.Error } },
    });
    const rawRequest = { method: 'POST', url: '/hook', headers };
    const result = await api.webhooks.validate({ rawBody: body, rawRequest });
    expect(result).toMatchObject({ valid: true, topic: 'TODOS_CREATE' });
    expect(JSON.parse(body)).toEqual(created);
  });

  test('slack, by the computation of its documentation', async () => {
    const { secret, headers, body } = await deliveryBy('slack');
    const signed = `v0:${headers['X-Slack-Request-Timestamp']}:${body}`;
    const signature = createHmac('sha256', secret).update(signed).digest('hex');
    expect(headers['X-Slack-Signature']).toBe(`v0=${signature}`);
    expect(JSON.parse(body)).toMatchObject({
      ...{ type: 'event_callback', event: { type: 'todos.created', title: 'Write' } },
    });
  });

  test('with two secrets while one is rotated, and for a day', async () => {
    const hooks = newHooks();
    const { id, secret } = await hooks.subscribe();
    const next = (await hooks.call(`POST ${path}/${id}/secret`, {})).json.secret;
    await createTodo(hooks);
    const [{ request }] = await hooks.due(id);
    for (const each of [secret, next])
      new StandardWebhook(each).verify(request.body, request.headers);
    await hooks.advance(24 * 3600 + 1);
    const [later] = await hooks.due(id);
    new StandardWebhook(next).verify(later.request.body, later.request.headers);
    expect(() =>
      new StandardWebhook(secret).verify(later.request.body, later.request.headers),
    ).toThrow();
  });
});

describe('events', () => {
  test('select types, prefixes and everything', async () => {
    const hooks = newHooks();
    const ids = [];
    for (const events of [['todos.updated'], ['todos.*'], ['*'], ['posts.*']]) {
      ids.push((await hooks.subscribe({ events })).id);
    }
    const { id: todoId } = (await createTodo(hooks)).json;
    await hooks.call(`PATCH /api/Todos/${todoId}`, { title: 'Read' });
    await hooks.call(`DELETE /api/Todos/${todoId}`);
    const types = [];
    for (const id of ids) {
      const { deliveries } = (await hooks.call(`GET ${path}/${id}/deliveries`)).json;
      types.push(deliveries.map(({ event }: { event: { type: string } }) => event.type).reverse());
    }
    const all = ['todos.created', 'todos.updated', 'todos.deleted'];
    expect(types).toEqual([['todos.updated'], all, all, []]);
  });

  test('are of own collections, of GraphQL and of the test endpoint', async () => {
    const hooks = newHooks();
    const { id } = await hooks.subscribe();
    await hooks.call('PUT /api/sandbox/data', { notes: [] });
    await hooks.call('POST /my/notes', { text: 'one' });
    await hooks.call('POST /graphql', { query: 'mutation { deleteTodo(id: 1) }' });
    await hooks.call(`POST ${path}/${id}/test`, { type: 'order.paid', data: { id: 'order_1' } });
    const { deliveries } = (await hooks.call(`GET ${path}/${id}/deliveries`)).json;
    expect(deliveries.map((each: { event: { type: string } }) => each.event.type)).toEqual([
      'order.paid',
      'todos.deleted',
      'notes.created',
    ]);
  });

  test.each(deliverySchemes)(
    'of a collection with any name have headers that can be sent: %s',
    async (scheme) => {
      const hooks = newHooks();
      const { id } = await hooks.subscribe({ scheme });
      const name = 'bücher "日本"';
      await hooks.call('PUT /api/sandbox/data', { [name]: [] });
      await hooks.call(`POST /my/${encodeURIComponent(name)}`, { title: 'one' });
      const [delivery] = await hooks.due(id);
      const { headers } = delivery.request;
      for (const value of Object.values(headers)) expect(value).toMatch(/^[ -~]+$/);
    },
  );

  test.each([[['todos created']], [['todos..created']], [['*.created']], [[]]])(
    'malformed types are rejected: %j',
    async (events) => {
      const { status } = await newHooks().call(`POST ${path}`, { events, scheme: 'stripe' });
      expect(status).toBe(400);
    },
  );
});

describe('retries', () => {
  test('follow the schedule by the clock of the sandbox, and end', async () => {
    const hooks = newHooks();
    const { id } = await hooks.subscribe({ retrySchedule: [5, 300] });
    await createTodo(hooks);
    const [first] = await hooks.due(id);
    const after = (await hooks.report(id, first, 500)).json;
    expect(after).toMatchObject({ state: 'waiting', attempt: 2 });
    expect(await hooks.due(id)).toEqual([]);
    await hooks.advance(4);
    expect(await hooks.due(id)).toEqual([]);
    await hooks.advance(6);
    const [second] = await hooks.due(id);
    expect(second).toMatchObject({ id: first.id, attempt: 2, event: first.event });
    await hooks.report(id, second, null, { error: 'timeout' });
    await hooks.advance(299);
    expect(await hooks.due(id)).toEqual([]);
    await hooks.advance(310);
    const [third] = await hooks.due(id);
    const settled = (await hooks.report(id, third, 404)).json;
    expect(settled).toMatchObject({ state: 'failed', attempt: 3, nextAttemptAt: null });
    expect(settled.requests.map((each: { status: number }) => each.status)).toEqual([
      500,
      null,
      404,
    ]);
    expect(await hooks.due(id)).toEqual([]);
  });

  test('are signed with real time, whatever the clock of the sandbox', async () => {
    const hooks = newHooks();
    const { id, secret } = await hooks.subscribe();
    await hooks.advance(30 * 24 * 3600);
    await createTodo(hooks);
    const [{ request, event }] = await hooks.due(id);
    new StandardWebhook(secret).verify(request.body, request.headers);
    expect(Date.parse(event.at) - Date.now()).toBeGreaterThan(29 * 24 * 3600 * 1000);
  });

  test.each([
    ['seconds', () => '60'],
    ['a date', () => new Date(Date.now() + 60_000).toUTCString()],
  ])('wait as long as Retry-After says: %s', async (_form, value) => {
    const hooks = newHooks();
    const { id } = await hooks.subscribe({ retrySchedule: [5] });
    await createTodo(hooks);
    const [first] = await hooks.due(id);
    await hooks.report(id, first, 503, { headers: { 'retry-after': value() } });
    await hooks.advance(30);
    expect(await hooks.due(id)).toEqual([]);
    await hooks.advance(62);
    expect(await hooks.due(id)).toHaveLength(1);
  });

  test.each(['yesterday', '-1', '', new Date(0).toUTCString()])(
    'follow the schedule after a Retry-After of %j',
    async (value) => {
      const hooks = newHooks();
      const { id } = await hooks.subscribe({ retrySchedule: [5] });
      await createTodo(hooks);
      const [first] = await hooks.due(id);
      await hooks.report(id, first, 503, { headers: { 'retry-after': value } });
      await hooks.advance(7);
      expect(await hooks.due(id)).toHaveLength(1);
    },
  );

  test('410 disables the subscription; enabled again, it gets what waited', async () => {
    const hooks = newHooks();
    const { id } = await hooks.subscribe();
    await createTodo(hooks);
    const [first] = await hooks.due(id);
    expect((await hooks.report(id, first, 410)).json.state).toBe('failed');
    await createTodo(hooks);
    expect(await hooks.due(id)).toEqual([]);
    const disabled = (await hooks.call(`GET ${path}/${id}`)).json;
    expect(disabled).toMatchObject({ state: 'disabled' });
    expect(disabled.disabledBecause).toContain('410');
    const { deliveries } = (await hooks.call(`GET ${path}/${id}/deliveries?state=disabled`)).json;
    expect(deliveries).toHaveLength(1);
    await hooks.call(`PATCH ${path}/${id}`, { state: 'enabled' });
    expect(await hooks.due(id)).toHaveLength(1);
  });

  test('deliveries in a row that fail in all attempts disable it; a success resets the count', async () => {
    const hooks = newHooks();
    const { id } = await hooks.subscribe({ retrySchedule: [], disableAfterFailures: 2 });
    for (const status of [500, 200, 500]) {
      await createTodo(hooks);
      const [delivery] = await hooks.due(id);
      await hooks.report(id, delivery, status);
    }
    expect((await hooks.call(`GET ${path}/${id}`)).json.state).toBe('enabled');
    await createTodo(hooks);
    await hooks.report(id, (await hooks.due(id))[0], 500);
    expect((await hooks.call(`GET ${path}/${id}`)).json.state).toBe('disabled');
  });
});

describe('order', () => {
  test('a failing delivery blocks only its own object', async () => {
    const hooks = newHooks();
    const { id } = await hooks.subscribe();
    const first = (await createTodo(hooks)).json;
    await hooks.call(`PATCH /api/Todos/${first.id}`, { title: 'Again' });
    await createTodo(hooks);
    const due = await hooks.due(id);
    expect(due.map((each) => each.event.type)).toEqual(['todos.created', 'todos.created']);
    await hooks.report(id, due[0], 500);
    await hooks.report(id, due[1], 200);
    expect(await hooks.due(id)).toEqual([]);
    await hooks.advance(6);
    await hooks.report(id, (await hooks.due(id))[0], 200);
    const [update] = await hooks.due(id);
    expect(update.event.type).toBe('todos.updated');
  });
});

describe('repetition', () => {
  test('a report with the same attempt changes nothing; one without an attempt is 409', async () => {
    const hooks = newHooks();
    const { id } = await hooks.subscribe();
    await createTodo(hooks);
    const [delivery] = await hooks.due(id);
    const once = await hooks.report(id, delivery, 200);
    const twice = await hooks.report(id, delivery, 500);
    expect([twice.status, twice.json.state]).toEqual([200, 'delivered']);
    expect(twice.json.requests).toHaveLength(1);
    expect(once.json.requests[0]).toMatchObject({ status: 200, ms: 5 });
    const again = await hooks.report(id, { id: delivery.id }, 200);
    expect(again.status).toBe(409);
  });

  test('a delivery is sent again on request, with its id', async () => {
    const hooks = newHooks();
    const { id } = await hooks.subscribe();
    await createTodo(hooks);
    const [delivery] = await hooks.due(id);
    await hooks.report(id, delivery, 200);
    await hooks.call(`POST ${path}/${id}/deliveries/${delivery.id}/redeliver`);
    const [again] = await hooks.due(id);
    expect(again).toMatchObject({ id: delivery.id, event: delivery.event, repeated: 'redelivery' });
    expect(again.attemptId).not.toBe(delivery.attemptId);
    expect((await hooks.report(id, again, 200)).json.requests).toHaveLength(2);
  });

  test('a delivery that was never polled is reported, or redelivered once', async () => {
    const hooks = newHooks();
    const { id } = await hooks.subscribe({ retrySchedule: [60] });
    const ids: string[] = [];
    for (let n = 0; n < 40; n++) {
      const event = { type: 'order.paid', data: { id: n } };
      ids.push((await hooks.call(`POST ${path}/${id}/test`, event)).json.id);
    }
    const [first = '', , third = ''] = ids;
    const reported = await hooks.report(id, { id: first }, 204);
    expect([reported.status, reported.json.state]).toEqual([200, 'delivered']);
    await hooks.call(`POST ${path}/${id}/deliveries/${ids[30]}/redeliver`);
    await hooks.report(id, { id: third }, 500);
    const seen: string[] = [];
    for (let due = await hooks.due(id); due.length > 0; due = await hooks.due(id)) {
      for (const each of due) {
        seen.push(each.id);
        await hooks.report(id, each, 200);
      }
    }
    expect(seen.toSorted()).toEqual(
      ids.filter((each) => each !== first && each !== third).toSorted(),
    );
  });

  test('all since a time are replayed in order', async () => {
    const hooks = newHooks();
    const { id } = await hooks.subscribe();
    const ids: string[] = [];
    for (let count = 0; count < 20; count++) {
      await createTodo(hooks);
      const [delivery] = await hooks.due(id);
      ids.push(delivery.id);
      await hooks.report(id, delivery, 200);
    }
    const replayed = await hooks.call(`POST ${path}/${id}/replay?since=${ids[15]}`);
    expect(replayed.json).toEqual({ deliveries: 5 });
    const due = await hooks.due(id);
    expect(due.map((each) => each.id)).toEqual(ids.slice(15));
    expect(due.every((each) => each.repeated === 'replay')).toBe(true);
    const all = await hooks.call(`POST ${path}/${id}/replay?since=2020-01-01T00:00:00Z`);
    expect(all.json).toEqual({ deliveries: 20 });
  });
});

test('strangers neither list nor read them, and the shared sandbox has none', async () => {
  const hooks = newHooks();
  const { id } = await hooks.subscribe();
  await createTodo(hooks);
  const [delivery] = await hooks.due(id);
  const stranger = newHooks();
  expect((await stranger.call(`GET ${path}`)).json).toEqual([]);
  for (const target of [
    `GET ${path}/${id}`,
    `GET ${path}/${id}/deliveries`,
    `GET ${path}/${id}/deliveries/stream`,
    `GET ${path}/${id}/deliveries/${delivery.id}`,
    `POST ${path}/${id}/deliveries/${delivery.id}/redeliver`,
    `DELETE ${path}/${id}`,
  ]) {
    expect([target, (await stranger.call(target)).status]).toEqual([target, 404]);
  }
  for (const target of [`GET ${path}`, `GET ${path}/${id}`, `GET ${path}/${id}/deliveries`]) {
    expect((await service.send(target)).status).toBe(403);
  }
});

test('a deleted subscription leaves nothing, and the secret is shown once', async () => {
  const hooks = newHooks();
  const { id, secret } = await hooks.subscribe();
  await createTodo(hooks);
  await hooks.report(id, (await hooks.due(id))[0], 200);
  for (const target of [`GET ${path}`, `GET ${path}/${id}`, `GET ${path}/${id}/deliveries`]) {
    expect((await hooks.call(target)).text).not.toContain(secret);
  }
  expect((await hooks.call(`DELETE ${path}/${id}`)).status).toBe(204);
  expect((await hooks.call(`GET ${path}/${id}/deliveries`)).status).toBe(404);
});

test('a long poll ends with the next delivery', async () => {
  const hooks = newHooks();
  const { id } = await hooks.subscribe();
  const waiting = hooks.due(id, 30);
  await createTodo(hooks);
  expect(await waiting).toHaveLength(1);
});

test('limits: subscriptions, details, large objects, lists, and times of reports', async () => {
  const hooks = newHooks();
  const { id } = await hooks.subscribe();
  await hooks.call('PUT /api/sandbox/data', { notes: [] });
  const { json } = await hooks.call('POST /my/notes', { text: 'x'.repeat(256 * 1024) });
  const [delivery] = await hooks.due(id);
  expect(JSON.parse(delivery.request.body).data).toEqual({ id: String(json.id), isTooLarge: true });
  for (const [ms, status] of [
    [3_600_001, 400],
    [3_600_000, 200],
  ] as const) {
    expect((await hooks.report(id, delivery, 200, { ms })).status).toBe(status);
  }
  expect((await hooks.call(`GET ${path}/${id}/deliveries?limit=100`)).status).toBe(200);
  expect((await hooks.call(`GET ${path}/${id}/deliveries?limit=101`)).status).toBe(400);
  for (let count = 1; count < 20; count++) await hooks.subscribe();
  expect((await hooks.call(`POST ${path}`, { events: ['*'], scheme: 'slack' })).status).toBe(409);
});

test('a subscription has no URL, so the service calls nothing', async () => {
  const { status, json } = await service.send('POST /api/webhooks/subscriptions', {
    headers: { 'x-sandbox': 'no-url' },
    json: { events: ['*'], url: 'http://127.0.0.1:9/hook' },
  });
  expect(status).toBe(400);
  expect(json.message).toContain('url');
});

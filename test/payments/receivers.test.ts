/** Findings about receivers of events, which write records in the sandbox. */

import { expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { clientOf } from '../support/stripe-client.js';

const service = useService();
const { send } = service;

const own = (sandbox: string) => ({ headers: { 'x-sandbox': sandbox } });

/** Creates a payment of which a webhook endpoint learns, and returns the id of its event. */
async function eventOf(sandbox: string): Promise<string> {
  const stripe = clientOf(service, sandbox);
  await stripe.webhookEndpoints.create({
    url: 'https://shop.example/hook',
    enabled_events: ['payment_intent.succeeded'],
  });
  await stripe.paymentIntents.create({
    ...{ amount: 2000, currency: 'usd', payment_method_types: ['card'] },
    ...{ payment_method: 'pm_card_visa', confirm: true },
  });
  const [event] = (await stripe.events.list({ type: 'payment_intent.succeeded' })).data;
  return event?.id ?? '';
}

const todo = (title: string, userId = 1) => ({ userId, title, completed: true });

const write = (sandbox: string, json: object) => send('POST /api/todos', { ...own(sandbox), json });

async function outcomes(sandbox: string): Promise<Record<string, string>> {
  const { json } = await send('GET /api/sandbox/payments/findings', own(sandbox));
  return Object.fromEntries(
    json.rules.map(({ rule, outcome }: Record<string, string>) => [rule, outcome]),
  );
}

test('the same record twice for one event is against advice', async () => {
  const event = await eventOf('twice');
  await write('twice', todo(event));
  expect(await outcomes('twice')).toMatchObject({
    'verified-events': 'kept',
    'events-handled-once': 'not-reached',
  });
  await write('twice', todo(event));
  expect(await outcomes('twice')).toMatchObject({ 'events-handled-once': 'against-advice' });
});

test('different records for one event may be different work', async () => {
  const event = await eventOf('lines');
  await write('lines', todo(event, 1));
  await write('lines', todo(event, 2));
  expect(await outcomes('lines')).toMatchObject({ 'events-handled-once': 'unclear' });
});

test('an event that changes its record is handled once', async () => {
  const event = await eventOf('upsert');
  const { json } = await write('upsert', todo(event));
  const again = await send(`PUT /api/todos/${json.id}`, { ...own('upsert'), json: todo(event) });
  expect(again.status).toBe(200);
  expect(await outcomes('upsert')).toMatchObject({ 'events-handled-once': 'kept' });
});

test('a record that is repeated with its key is one record', async () => {
  const event = await eventOf('keyed');
  const headers = { 'x-sandbox': 'keyed', 'idempotency-key': 'a' };
  const first = await send('POST /api/todos', { headers, json: todo(event) });
  const second = await send('POST /api/todos', { headers, json: todo(event) });
  expect(second.json.id).toBe(first.json.id);
  expect(await outcomes('keyed')).toMatchObject({ 'events-handled-once': 'kept' });
});

test('records of other collections, without events, and in other sandboxes are nothing', async () => {
  const event = await eventOf('others');
  await write('others', todo(event));
  await send('POST /api/posts', {
    ...own('others'),
    json: { userId: 1, title: event, body: event },
  });
  await write('others', todo('evt_of_nothing_at_all_123456'));
  await write('others', { title: [event], nested: { deep: [event] } });
  await write('elsewhere', todo(event));
  const found = await outcomes('others');
  expect(Object.values(found)).not.toContain('broken');
  expect(Object.values(found)).not.toContain('against-advice');
});

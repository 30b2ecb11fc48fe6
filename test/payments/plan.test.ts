/** The test plan for clients of payments: each case, met by a right client and by a careless one. */

import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { clientOf } from '../support/stripe-client.js';
import { authenticate } from './support/journey.js';

const service = useService();
const { send } = service;

interface Step {
  readonly case: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly paymentMethod?: string;
  readonly outcome: string;
  readonly evidence: string;
}

const own = (sandbox: string) => ({ headers: { 'x-sandbox': sandbox } });

async function begin(sandbox: string, name: string) {
  const { status, headers, json } = await send('POST /payments/test-plan/runs', {
    ...own(sandbox),
    json: { cases: [name] },
  });
  expect(status).toBe(201);
  const run = String(headers.location).slice(service.url.length);
  const [step] = json as [Step];
  return { run, step, outcome: async () => (await read(sandbox, run)).outcome };
}

async function read(sandbox: string, run: string): Promise<Step> {
  const { json } = await send(`GET ${run}`, own(sandbox));
  return json[0];
}

const basis = { amount: 2000, currency: 'usd', payment_method_types: ['card'] };

const payment = (
  { metadata }: Step,
  method = 'pm_card_visa',
): Stripe.PaymentIntentCreateParams => ({
  ...{ ...basis, metadata, payment_method: method, confirm: true },
});

const post = (sandbox: string, { metadata }: Step, key?: string) =>
  send('POST /v1/payment_intents', {
    headers: {
      authorization: `Bearer sk_test_${sandbox}`,
      'content-type': 'application/x-www-form-urlencoded',
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    body: `amount=2000&currency=usd&payment_method_types[]=card&payment_method=pm_card_visa&confirm=true&metadata[test_run]=${metadata.test_run}`,
  }).catch(() => undefined);

const failures = ['lost-response', 'unavailable', 'proxy-error', 'rate-limited', 'key-in-use'];

test('the plan lists its cases, and a run begins with none reached', async () => {
  const { json } = await send('GET /payments/test-plan');
  expect(json.map((each: Step) => each.case)).toEqual(expect.arrayContaining(failures));
  const { json: steps } = await send('POST /payments/test-plan/runs', own('new'));
  expect(steps).toHaveLength(json.length);
  expect(new Set(steps.map(({ outcome }: Step) => outcome))).toEqual(new Set(['not-reached']));
  const unknown = await send('GET /payments/test-plan/runs/run_none', own('new'));
  expect(unknown.status).toBe(404);
});

describe.each(failures)('%s', (name) => {
  test('the SDK repeats with its key, and charges once', async () => {
    const sandbox = `sdk-${name}`;
    const { step, outcome } = await begin(sandbox, name);
    const stripe = clientOf(service, sandbox, { maxNetworkRetries: 2 });
    const call = () => stripe.paymentIntents.create(payment(step), { idempotencyKey: 'one' });
    // The SDK leaves the response 429 to its caller.
    const intent = await call().catch(call);
    expect(intent.status).toBe('succeeded');
    expect((await stripe.charges.list()).data).toHaveLength(1);
    expect(await outcome()).toBe('handled');
  });

  test('nothing more is unclear, and a new key is mishandled where the work may be done', async () => {
    const sandbox = `raw-${name}`;
    const { step, outcome } = await begin(sandbox, name);
    await post(sandbox, step, 'one');
    expect(await outcome()).toBe('unclear');
    const expected = name === 'rate-limited' ? 'handled' : 'mishandled';
    // A busy service cannot tell whether a request was sent after its last response.
    const repeated = () => post(sandbox, step, 'two').then(outcome);
    await expect.poll(repeated, { timeout: 10_000 }).toBe(expected);
  });
});

test('a repetition without a key after a lost response is found by both judges', async () => {
  const { step, outcome } = await begin('both', 'lost-response');
  await post('both', step);
  await post('both', step);
  expect(await outcome()).toBe('mishandled');
  const { json } = await send('GET /api/sandbox/payments/findings', own('both'));
  const found = json.rules.find(({ rule }: { rule: string }) => rule === 'one-key-per-payment');
  expect(found.outcome).toBe('broken');
});

test('requests at the same time are no repetitions', async () => {
  const { step, outcome } = await begin('parallel', 'unavailable');
  await Promise.all(['a', 'b', 'c'].map((key) => post('parallel', step, key)));
  expect(['unclear', 'mishandled']).toContain(await outcome());
});

test('a report of the test decides what requests leave open', async () => {
  const { run, step, outcome } = await begin('reported', 'unavailable');
  await post('reported', step, 'one');
  const json = { outcome: 'handled' };
  const { status } = await send(`PUT ${run}/unavailable`, { ...own('reported'), json });
  expect([status, await outcome()]).toEqual([200, 'handled']);
  const wrong = await send(`PUT ${run}/declined`, { ...own('reported'), json });
  expect(wrong.status).toBe(404);
});

const ignored = (promise: Promise<unknown>) => promise.catch(() => undefined);

test('a declined card is replaced, or sent again', async () => {
  const right = await begin('declined-right', 'declined');
  const stripe = clientOf(service, 'declined-right');
  await ignored(stripe.paymentIntents.create(payment(right.step, right.step.paymentMethod)));
  expect(await right.outcome()).toBe('unclear');
  const [intent] = (await stripe.paymentIntents.list()).data;
  await stripe.paymentIntents.confirm(intent?.id ?? '', { payment_method: 'pm_card_mastercard' });
  expect(await right.outcome()).toBe('handled');

  const wrong = await begin('declined-wrong', 'declined');
  const careless = clientOf(service, 'declined-wrong');
  for (let time = 0; time < 2; time++) {
    await ignored(careless.paymentIntents.create(payment(wrong.step, wrong.step.paymentMethod)));
  }
  expect(await wrong.outcome()).toBe('mishandled');
});

test('a payment that waits for its customer is completed, or confirmed again', async () => {
  const right = await begin('action-right', 'requires-action');
  const stripe = clientOf(service, 'action-right');
  const intent = await stripe.paymentIntents.create(payment(right.step, right.step.paymentMethod));
  expect(await right.outcome()).toBe('unclear');
  await authenticate(service, intent.next_action, 'complete');
  expect(await right.outcome()).toBe('handled');

  const wrong = await begin('action-wrong', 'requires-action');
  const careless = clientOf(service, 'action-wrong');
  const waiting = await careless.paymentIntents.create(
    payment(wrong.step, wrong.step.paymentMethod),
  );
  await careless.paymentIntents.confirm(waiting.id);
  expect(await wrong.outcome()).toBe('mishandled');
});

/** Creates a webhook endpoint, and returns a function that lists its deliveries with their requests. */
async function endpointOf(sandbox: string) {
  const stripe = clientOf(service, sandbox);
  const endpoint = await stripe.webhookEndpoints.create({
    url: 'https://shop.example/hook',
    enabled_events: ['payment_intent.succeeded', 'checkout.session.completed'],
  });
  const deliveries = async () => {
    const path = `/api/webhooks/subscriptions/${endpoint.id}/deliveries`;
    const { json } = await send(`GET ${path}?wait=0`, own(sandbox));
    return json.deliveries as { request: { headers: Record<string, string>; body: string } }[];
  };
  return { stripe, secret: endpoint.secret ?? '', deliveries };
}

const write = (sandbox: string, text: string) =>
  send('POST /api/todos', { ...own(sandbox), json: { userId: 1, title: text, completed: true } });

test('a forged event has a wrong signature, and a record of it is mishandled', async () => {
  const { stripe, secret, deliveries } = await endpointOf('forged');
  const { step, run, outcome } = await begin('forged', 'forged-event');
  await stripe.paymentIntents.create({ ...basis, metadata: { ...step.metadata } });
  const [delivery] = await deliveries();
  const { headers = {}, body = '' } = delivery?.request ?? {};
  const signature = headers['Stripe-Signature'] ?? headers['stripe-signature'] ?? '';
  expect(() => stripe.webhooks.constructEvent(body, signature, secret)).toThrow(/signature/i);
  expect(await outcome()).toBe('unclear');
  const event = JSON.parse(body);
  expect(event.data.object.status).toBe('succeeded');
  expect((await write('forged', event.id)).status).toBe(201);
  expect(await outcome()).toBe('mishandled');
  const put = { ...own('forged'), json: { outcome: 'handled' } };
  await send(`PUT ${run}/forged-event`, put);
  // It may be a list of what was rejected.
  expect(await outcome()).toBe('handled');
  const { json } = await send('GET /api/sandbox/payments/findings', own('forged'));
  const found = json.rules.find(({ rule }: { rule: string }) => rule === 'verified-events');
  expect(found.outcome).toBe('against-advice');
});

test.each([
  ['once', 1, 'handled'],
  ['twice', 2, 'mishandled'],
])('an event that is delivered twice and written %s', async (word, records, expected) => {
  const sandbox = `again-${word}`;
  const { stripe, secret, deliveries } = await endpointOf(sandbox);
  const { step, outcome } = await begin(sandbox, 'duplicate-event');
  await stripe.paymentIntents.create(payment(step));
  const [delivery] = await deliveries();
  const { headers = {}, body = '' } = delivery?.request ?? {};
  const signature = headers['Stripe-Signature'] ?? headers['stripe-signature'] ?? '';
  const event = stripe.webhooks.constructEvent(body, signature, secret);
  const { json } = await send(`GET /v1/webhook_endpoints`, {
    headers: { authorization: `Bearer sk_test_${sandbox}` },
  });
  const listed = await send(
    `GET /api/webhooks/subscriptions/${json.data[0].id}/deliveries`,
    own(sandbox),
  );
  const ids = JSON.stringify(listed.json).match(new RegExp(`"id":"${event.id}"`, 'g'));
  expect(ids).toHaveLength(2);
  for (let time = 0; time < records; time++) await write(sandbox, event.id);
  expect(await outcome()).toBe(expected);
});

test.each([
  [true, 'handled'],
  [false, 'mishandled'],
])('a session whose record is written after its payment: %s', async (isPaid, expected) => {
  const sandbox = `session-${isPaid}`;
  const { step, outcome } = await begin(sandbox, 'unpaid-session');
  const stripe = clientOf(service, sandbox);
  const session = await stripe.checkout.sessions.create({
    ...{
      mode: 'payment',
      success_url: 'https://shop.example/done',
      metadata: { ...step.metadata },
    },
    line_items: [
      {
        quantity: 1,
        price_data: { currency: 'usd', unit_amount: 900, product_data: { name: 'T' } },
      },
    ],
  });
  expect(await outcome()).toBe('unclear');
  if (isPaid) {
    const form = 'email=a@b.co&name=A&number=4242424242424242&expiry=12/34&cvc=123';
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const paid = await send(`POST ${new URL(session.url ?? '').pathname}`, { headers, body: form });
    expect(paid.status).toBe(303);
  }
  await write(sandbox, session.id);
  expect(await outcome()).toBe(expected);
});

test.each(['none', 'run_none/declined', '/', 'run_none/__proto__'])(
  'metadata %s that name no case change nothing',
  async (text) => {
    const stripe = clientOf(service, 'no-case');
    const intent = await stripe.paymentIntents.create({ ...basis, metadata: { test_run: text } });
    expect(intent.status).toBe('requires_payment_method');
  },
);

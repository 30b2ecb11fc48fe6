/** Payments before two replicas over one Redis: 3D Secure, keys, subscriptions by the clock, and card numbers. */

import { connect } from 'node:net';
import { afterAll, beforeAll, expect } from 'vitest';
import { createService, type Service } from '../../src/index.js';
import { authenticate } from '../payments/support/journey.js';
import { testsWith } from '../support/foreign-program.js';
import { type RedisServer, startRedis } from '../support/redis.js';
import { send, type TestService } from '../support/service.js';
import { clientOf } from '../support/stripe-client.js';

const { isInstalled, test } = testsWith('redis');

let redis: RedisServer;
let services: Service[] = [];
beforeAll(async () => {
  if (!isInstalled) return;
  redis = await startRedis();
  const options = { stateUrl: redis.url } as const;
  services = [await createService(options), await createService(options)];
});
afterAll(async () => {
  await Promise.all(services.map((each) => each.close()));
  await redis?.close();
});

const at = (index: number): TestService => {
  const { url = '' } = services[index] ?? {};
  return { url, send: (target, options) => send(url, target, options) };
};

const basis = { amount: 2000, currency: 'usd', payment_method_types: ['card'], confirm: true };

test('3D Secure begins at one replica, and ends at the other', async () => {
  const [one, other] = [clientOf(at(0), 'secure'), clientOf(at(1), 'secure')];
  for (const [outcome, status] of [
    ['complete', 'succeeded'],
    ['fail', 'requires_payment_method'],
  ] as const) {
    const intent = await one.paymentIntents.create({
      ...basis,
      payment_method: 'pm_card_threeDSecure2Required',
    });
    const { status: shown } = await authenticate(at(1), intent.next_action, outcome);
    expect(shown).toBe(200);
    expect((await one.paymentIntents.retrieve(intent.id)).status).toBe(status);
    expect((await other.paymentIntents.retrieve(intent.id)).status).toBe(status);
  }
});

test('one key charges once, at both replicas at the same time', async () => {
  const clients = [clientOf(at(0), 'keys'), clientOf(at(1), 'keys')];
  const all = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      clients[index % 2]?.paymentIntents.create(
        { ...basis, payment_method: 'pm_card_visa' },
        { idempotencyKey: 'order' },
      ),
    ),
  );
  expect(new Set(all.map((each) => each?.id)).size).toBe(1);
  expect((await clients[0]?.charges.list())?.data).toHaveLength(1);
});

test('a subscription renews by a clock that the other replica moves', async () => {
  const [one, other] = [clientOf(at(0), 'clock'), clientOf(at(1), 'clock')];
  const now = Math.floor(Date.now() / 1000);
  const clock = await one.testHelpers.testClocks.create({ frozen_time: now });
  const customer = await one.customers.create({ payment_method: 'pm_card_visa' });
  const [method] = (await other.customers.listPaymentMethods(customer.id)).data;
  const product = await one.products.create({ name: 'Plan' });
  const price = await other.prices.create({
    ...{
      currency: 'usd',
      unit_amount: 1000,
      product: product.id,
      recurring: { interval: 'month' },
    },
  });
  const { id, items } = await one.subscriptions.create({
    ...{ customer: customer.id, default_payment_method: method?.id ?? '' },
    items: [{ price: price.id }],
  });
  await other.testHelpers.testClocks.advance(clock.id, { frozen_time: now + 40 * 86_400 });
  const renewed = [await one.subscriptions.retrieve(id), await other.subscriptions.retrieve(id)];
  const [first, second] = renewed.map((each) => each.items.data[0]?.current_period_start);
  expect(first).toBe(items.data[0]?.current_period_end);
  expect(second).toBe(first);
  const paid = await one.invoices.list({ subscription: id, status: 'paid' });
  expect(paid.data).toHaveLength(2);
});

test('a run that begins at one replica observes requests of the other', async () => {
  const headers = { 'x-sandbox': 'plan' };
  const { json, headers: begun } = await at(0).send('POST /payments/test-plan/runs', {
    ...{ headers, json: { cases: ['unavailable'] } },
  });
  const [{ metadata }] = json;
  const stripe = [clientOf(at(0), 'plan'), clientOf(at(1), 'plan')] as const;
  const params = { ...basis, payment_method: 'pm_card_visa', metadata };
  const options = { idempotencyKey: 'one' };
  await expect(stripe[1].paymentIntents.create(params, options)).rejects.toThrow('Simulated');
  await stripe[0].paymentIntents.create(params, options);
  const path = new URL(String(begun.location)).pathname;
  const { json: steps } = await at(1).send(`GET ${path}`, { headers });
  expect(steps[0].outcome).toBe('handled');
});

/** A number of a real form, whose check digit is right. */
const number = '4539578763621486';

test('no command to Redis has a card number', async () => {
  const monitor = connect(redis.port, '127.0.0.1');
  let seen = '';
  monitor.on('data', (chunk) => {
    seen += chunk;
  });
  monitor.write('MONITOR\r\n');
  await expect.poll(() => seen).toContain('+OK');
  const card = (digits: string) =>
    `card[number]=${digits}&card[exp_month]=12&card[exp_year]=2034&card[cvc]=987`;
  const post = (path: string, body: string) =>
    at(0).send(`POST /v1/${path}`, {
      headers: {
        authorization: 'Bearer sk_test_cards',
        'content-type': 'application/x-www-form-urlencoded',
        'idempotency-key': `${path} ${body.length}`,
      },
      body,
    });
  await at(0).send('PUT /api/sandbox/recording', {
    ...{ headers: { 'x-sandbox': 'cards' }, json: { on: true } },
  });
  for (const digits of [number, '4242424242424242']) {
    await post('payment_methods', `type=card&${card(digits)}`);
    await post('tokens', card(digits));
    const parts = `payment_method_data[type]=card&payment_method_data[card][number]=${digits}`;
    await post('payment_intents', `amount=900&currency=usd&${parts}`);
  }
  const { json } = await post('customers', 'name=The last one');
  await expect.poll(() => seen).toContain(json.id);
  monitor.destroy();
  expect(seen).toContain('4242');
  expect(seen).not.toContain(number);
  expect(seen).not.toContain('4242424242424242');
});

/** API keys, which name the sandbox and the account. */

import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { newClass } from '../classes/school.js';
import { useService } from '../support/service.js';
import { clientOf } from '../support/stripe-client.js';

const service = useService();
const guarded = useService({ accounts: 'required' });

test('each sandbox has its own objects, and sk_test_practice the shared ones', async () => {
  const [one, two] = [clientOf(service, 'one'), clientOf(service, 'two')];
  const { id } = await one.customers.create({ name: 'One' });
  expect((await one.customers.retrieve(id)).id).toBe(id);
  await expect(two.customers.retrieve(id)).rejects.toThrow(`No such customer: '${id}'`);
  const shared = clientOf(service, 'practice');
  const { id: common } = await shared.customers.create({ name: 'Common' });
  const response = await service.send(`GET /v1/customers/${common}`, {
    headers: { authorization: `Basic ${Buffer.from('sk_test_practice:').toString('base64')}` },
  });
  expect(response.json.name).toBe('Common');
});

test('the shared sandbox has no test clock', async () => {
  await expect(
    clientOf(service, 'practice').testHelpers.testClocks.create({ frozen_time: 1_900_000_000 }),
  ).rejects.toThrow('The shared sandbox keeps the real time.');
});

test('a sandbox has one test clock, which is its own clock', async () => {
  const stripe = clientOf(service, 'clock');
  await stripe.testHelpers.testClocks.create({ frozen_time: 2_000_000_000 });
  const { json } = await service.send('GET /api/sandbox/clock', {
    headers: { 'x-sandbox': 'clock' },
  });
  expect(json.now).toMatch(/^2033-05-18/);
  const second = stripe.testHelpers.testClocks.create({ frozen_time: 2_000_000_001 });
  await expect(second).rejects.toThrow('This sandbox has a test clock');
  expect((await stripe.customers.create()).created).toBeGreaterThanOrEqual(2_000_000_000);
});

test('where accounts are required, the key has the account and the sandbox', async () => {
  const { json } = await guarded.send('POST /api/accounts', { json: {} });
  const stripe = clientOf(guarded, `${json.key}_shop`);
  const { id } = await stripe.customers.create({ name: 'Own' });
  expect((await stripe.customers.retrieve(id)).id).toBe(id);
  await expect(clientOf(guarded, `${json.key}_other`).customers.retrieve(id)).rejects.toThrow(
    'No such customer',
  );
  for (const key of ['practice', 'shop', `${json.key.slice(0, -1)}x_shop`]) {
    const error = await clientOf(guarded, key)
      .customers.list()
      .catch((failure) => failure);
    expect(error).toBeInstanceOf(Stripe.errors.StripeAuthenticationError);
    expect(error.message).not.toContain(json.key.slice(0, 60));
  }
});

test('a pupil of a class pays in the own sandbox', async () => {
  const { join } = await newClass(service);
  const { address } = await join('Ann');
  const [, secret = ''] = /\/s\/(~[\w-]{22})/.exec(address) ?? [];
  const stripe = clientOf(service, secret);
  const { id } = await stripe.customers.create({ name: 'Pupil' });
  const below = await service.send(`GET /s/${secret}/v1/customers/${id}`, {
    headers: { authorization: 'Bearer sk_test_practice' },
  });
  expect(below.json.name).toBe('Pupil');
});

test('a publishable key confirms with the secret of the intent, and sees no metadata', async () => {
  const stripe = clientOf(service, 'browser');
  const intent = await stripe.paymentIntents.create({
    ...{ amount: 900, currency: 'usd', payment_method_types: ['card'], metadata: { cost: '1' } },
  });
  const confirm = (secret: string) =>
    service.send(`POST /v1/payment_intents/${intent.id}/confirm`, {
      headers: {
        authorization: 'Bearer pk_test_browser',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: `payment_method=pm_card_visa&client_secret=${secret}`,
    });
  expect((await confirm('wrong')).status).toBe(400);
  const { json } = await confirm(intent.client_secret ?? '');
  expect([json.status, json.metadata]).toEqual(['succeeded', undefined]);
});

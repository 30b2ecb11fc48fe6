/** Findings about clients, right and wrong. */

import { expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { clientOf } from '../support/stripe-client.js';

const service = useService();

const form = { 'content-type': 'application/x-www-form-urlencoded' };

async function post(sandbox: string, path: string, body: string, headers = {}) {
  return service.send(`POST ${path}`, {
    headers: { authorization: `Bearer sk_test_${sandbox}`, ...form, ...headers },
    body,
  });
}

async function outcomes(sandbox: string): Promise<Record<string, string>> {
  const { json } = await service.send('GET /api/sandbox/payments/findings', {
    headers: { 'x-sandbox': sandbox },
  });
  return Object.fromEntries(
    json.rules.map(({ rule, outcome }: Record<string, string>) => [rule, outcome]),
  );
}

const payment =
  'amount=1000&currency=usd&payment_method=pm_card_visa&payment_method_types[]=card&confirm=true';

async function lose(sandbox: string) {
  const { status } = await service.send('PUT /api/sandbox/faults', {
    headers: { 'x-sandbox': sandbox },
    json: {
      rules: [
        {
          match: { method: 'POST', path: '/v1/payment_intents' },
          sequence: [{ reset: true, after: true }],
        },
      ],
    },
  });
  expect(status).toBe(200);
}

test.each([
  ['without a key', undefined, undefined, 'broken'],
  ['with a new key', 'a', 'b', 'broken'],
  ['with its key', 'a', 'a', 'kept'],
])('a payment whose response was lost is repeated %s', async (what, first, second, outcome) => {
  const sandbox = `lost-${what.replaceAll(' ', '-')}`;
  await lose(sandbox);
  const keyed = (key: string | undefined) => (key === undefined ? {} : { 'idempotency-key': key });
  await expect(post(sandbox, '/v1/payment_intents', payment, keyed(first))).rejects.toThrow();
  expect((await post(sandbox, '/v1/payment_intents', payment, keyed(second))).status).toBe(200);
  expect((await outcomes(sandbox))['one-key-per-payment']).toBe(outcome);
});

test('the SDK of Stripe breaks no rule, whose retries have one key', async () => {
  await lose('right');
  const stripe = clientOf(service, 'right', { maxNetworkRetries: 2 });
  const basis = { amount: 1000, currency: 'usd', payment_method_types: ['card'] };
  await stripe.paymentIntents.create({ ...basis, payment_method: 'pm_card_visa', confirm: true });
  await Promise.all(Array.from({ length: 5 }, () => stripe.paymentIntents.create(basis)));
  const found = await outcomes('right');
  expect(found['one-key-per-payment']).toBe('kept');
  expect(Object.values(found)).not.toContain('broken');
  expect(Object.values(found)).not.toContain('against-advice');
});

test('raw requests without keys, whose responses arrive, break no rule', async () => {
  for (let time = 0; time < 3; time++) await post('raw', '/v1/payment_intents', payment);
  const found = await outcomes('raw');
  expect(found['one-key-per-payment']).toBe('not-reached');
  expect(Object.values(found)).not.toContain('broken');
});

test('a card number, a decimal amount, and a secret key in a browser are found', async () => {
  const card = 'card[number]=4242424242424242&card[exp_month]=12&card[exp_year]=2034';
  await post('wrong', '/v1/payment_methods', `type=card&${card}`);
  await post('wrong', '/v1/payment_intents', 'amount=19.99&currency=usd');
  await post('wrong', '/v1/customers', 'name=A', {
    origin: 'https://shop.example',
    'sec-fetch-site': 'cross-site',
  });
  expect(await outcomes('wrong')).toMatchObject({
    'no-card-numbers': 'against-advice',
    'whole-amounts': 'against-advice',
    'secret-key-on-server': 'broken',
  });
});

test('a second confirmation without 3D Secure, and polling, are against advice', async () => {
  const { json } = await post(
    'impatient',
    '/v1/payment_intents',
    payment.replace('pm_card_visa', 'pm_card_threeDSecure2Required'),
  );
  await post('impatient', `/v1/payment_intents/${json.id}/confirm`, '');
  const headers = { authorization: 'Bearer sk_test_impatient' };
  for (let time = 0; time < 11; time++) {
    await service.send(`GET /v1/payment_intents/${json.id}`, { headers });
  }
  expect(await outcomes('impatient')).toMatchObject({
    'waits-for-action': 'against-advice',
    'events-not-polling': 'against-advice',
  });
});

test('findings can be cleared', async () => {
  const headers = { 'x-sandbox': 'wrong' };
  await service.send('DELETE /api/sandbox/payments/findings', { headers });
  expect(new Set(Object.values(await outcomes('wrong')))).toEqual(new Set(['not-reached']));
});

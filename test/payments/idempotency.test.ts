/** Keys for idempotent requests, and the lost response. */

import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { clientOf } from '../support/stripe-client.js';

const service = useService();

const payment = {
  ...{ amount: 1000, currency: 'usd', payment_method: 'pm_card_visa', confirm: true },
  payment_method_types: ['card'],
};

test('the same key and parameters return the same response, other parameters an error', async () => {
  const stripe = clientOf(service, 'keys');
  const options = { idempotencyKey: 'order-1' };
  const first = await stripe.paymentIntents.create(payment, options);
  const second = await stripe.paymentIntents.create(payment, options);
  expect(second).toEqual(first);
  expect(second.lastResponse.headers['idempotent-replayed']).toBe('true');
  expect(second.lastResponse.headers['original-request']).toBe(first.lastResponse.requestId);
  const error = await stripe.paymentIntents
    .create({ ...payment, amount: 2000 }, options)
    .catch((failure) => failure);
  expect(error).toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
  expect(error.message).toContain("The key 'order-1' was first sent with other parameters.");
  expect((await stripe.charges.list()).data).toHaveLength(1);
});

test('a declined payment is replayed too', async () => {
  const stripe = clientOf(service, 'declined');
  const declined = { ...payment, payment_method: 'pm_card_visa_chargeDeclined' };
  const attempt = () =>
    stripe.paymentIntents.create(declined, { idempotencyKey: 'd' }).catch((error) => error);
  const [first, second] = [await attempt(), await attempt()];
  expect(second.charge).toBe(first.charge);
  expect((await stripe.charges.list()).data).toHaveLength(1);
});

test('simultaneous requests with one key charge once', async () => {
  const stripe = clientOf(service, 'simultaneous');
  const all = await Promise.all(
    Array.from({ length: 8 }, () =>
      stripe.paymentIntents.create(payment, { idempotencyKey: 'together' }),
    ),
  );
  expect(new Set(all.map(({ id }) => id)).size).toBe(1);
  expect((await stripe.charges.list()).data).toHaveLength(1);
});

/** The first response is lost after the work is done. */
async function loseFirst(sandbox: string) {
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

test('the SDK repeats a lost response with its own key, and charges once', async () => {
  await loseFirst('lost-one-key');
  const stripe = clientOf(service, 'lost-one-key', { maxNetworkRetries: 2 });
  const intent = await stripe.paymentIntents.create(payment);
  const charges = (await stripe.charges.list()).data;
  expect(charges.map(({ payment_intent: id }) => id)).toEqual([intent.id]);
});

test.each([
  ['with a new key', 'lost-new-keys', ['one', 'two']],
  ['without a key', 'lost-no-keys', [undefined, undefined]],
])('a caller that repeats %s charges twice', async (_how, sandbox, [first, second]) => {
  await loseFirst(sandbox);
  const attempt = (key: string | undefined) =>
    service.send('POST /v1/payment_intents', {
      headers: {
        authorization: `Bearer sk_test_${sandbox}`,
        'content-type': 'application/x-www-form-urlencoded',
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      body: 'amount=1000&currency=usd&payment_method=pm_card_visa&payment_method_types[]=card&confirm=true',
    });
  await expect(attempt(first)).rejects.toThrow();
  expect((await attempt(second)).status).toBe(200);
  const stripe = clientOf(service, sandbox);
  expect((await stripe.charges.list()).data).toHaveLength(2);
});

test('a planned 429 has the form of the provider, and charges nothing', async () => {
  const stripe = clientOf(service, 'limited');
  const { status } = await service.send('PUT /api/sandbox/faults', {
    headers: { 'x-sandbox': 'limited' },
    json: { rules: [{ match: { path: '/v1/payment_intents' }, sequence: [{ status: 429 }] }] },
  });
  expect(status).toBe(200);
  const create = () => stripe.paymentIntents.create(payment, { idempotencyKey: 'limited' });
  const error = await create().catch((failure) => failure);
  expect(error).toBeInstanceOf(Stripe.errors.StripeRateLimitError);
  const { message, type, code, doc_url: guide } = error.raw;
  expect({ message, type, code }).toEqual({
    message: expect.stringMatching(/./),
    ...{ type: 'invalid_request_error', code: 'rate_limit' },
  });
  expect(guide).toMatch(/#rate_limit$/);
  expect((await stripe.charges.list()).data).toEqual([]);
  expect((await create()).status).toBe('succeeded');
});

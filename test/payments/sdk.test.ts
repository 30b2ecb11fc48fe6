/** The published SDK of Stripe, unchanged, through every object. */

import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { clientOf } from '../support/stripe-client.js';

const service = useService();
const stripe = clientOf(service, 'sdk');

test('a card is charged, and refunded in part', async () => {
  const customer = await stripe.customers.create({
    email: 'ann@example.com',
    metadata: { shop: '7' },
  });
  const intent = await stripe.paymentIntents.create({
    amount: 2000,
    currency: 'usd',
    customer: customer.id,
    payment_method: 'pm_card_visa',
    payment_method_types: ['card'],
    confirm: true,
    expand: ['latest_charge.balance_transaction', 'customer'],
  });
  expect(intent.status).toBe('succeeded');
  const charge = intent.latest_charge as Stripe.Charge;
  expect((charge.balance_transaction as Stripe.BalanceTransaction).fee).toBe(88);
  expect((intent.customer as Stripe.Customer).email).toBe('ann@example.com');
  const refund = await stripe.refunds.create({ payment_intent: intent.id, amount: 500 });
  expect(refund.status).toBe('succeeded');
  const after = await stripe.charges.retrieve(charge.id, { expand: ['refunds'] });
  expect(after.amount_refunded).toBe(500);
  expect(after.refunds?.data.map(({ id }) => id)).toEqual([refund.id]);
});

test('a declined card is an error with the intent, and the intent can be paid with another', async () => {
  const intent = await stripe.paymentIntents.create({
    amount: 2000,
    currency: 'usd',
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
  });
  const error = await stripe.paymentIntents
    .confirm(intent.id, { payment_method: 'pm_card_visa_chargeDeclinedInsufficientFunds' })
    .catch((failure) => failure);
  expect(error).toBeInstanceOf(Stripe.errors.StripeCardError);
  expect([error.statusCode, error.code, error.decline_code]).toEqual([
    402,
    'card_declined',
    'insufficient_funds',
  ]);
  expect(error.payment_intent.status).toBe('requires_payment_method');
  const paid = await stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_amex' });
  expect(paid.status).toBe('succeeded');
});

test('lists are paged by the SDK', async () => {
  const paged = clientOf(service, 'paged');
  for (let place = 0; place < 25; place++) {
    await paged.customers.create({ name: `Customer ${place}` });
  }
  const names: (string | null | undefined)[] = [];
  for await (const { name } of paged.customers.list({ limit: 10 })) names.push(name);
  expect(names).toEqual(Array.from({ length: 25 }, (_, place) => `Customer ${24 - place}`));
});

test('a subscription passes its trial, renews, becomes past due, and ends', async () => {
  const own = clientOf(service, 'subscriptions');
  const now = Math.floor(Date.now() / 1000);
  const clock = await own.testHelpers.testClocks.create({ frozen_time: now });
  const price = await own.prices.create({
    currency: 'usd',
    unit_amount: 1500,
    recurring: { interval: 'month' },
    product_data: { name: 'Tea' },
  });
  const customer = await own.customers.create({
    payment_method: 'pm_card_visa',
    email: 'bo@example.com',
  });
  const [method] = (await own.customers.listPaymentMethods(customer.id)).data;
  const subscription = await own.subscriptions.create({
    customer: customer.id,
    items: [{ price: price.id }],
    trial_period_days: 7,
    default_payment_method: method?.id ?? '',
  });
  expect(subscription.status).toBe('trialing');
  await own.testHelpers.testClocks.advance(clock.id, { frozen_time: now + 8 * 86_400 });
  expect((await own.testHelpers.testClocks.retrieve(clock.id)).status).toBe('ready');
  const active = await own.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice'] });
  expect(active.status).toBe('active');
  expect((active.latest_invoice as Stripe.Invoice).status).toBe('paid');
  const bad = await own.paymentMethods.attach('pm_card_chargeCustomerFail', {
    customer: customer.id,
  });
  await own.subscriptions.update(subscription.id, { default_payment_method: bad.id });
  await own.testHelpers.testClocks.advance(clock.id, { frozen_time: now + 40 * 86_400 });
  expect((await own.subscriptions.retrieve(subscription.id)).status).toBe('past_due');
  await own.testHelpers.testClocks.advance(clock.id, { frozen_time: now + 60 * 86_400 });
  expect((await own.subscriptions.retrieve(subscription.id)).status).toBe('canceled');
  const types = (await own.events.list({ limit: 100 })).data.map(({ type }) => type);
  expect(types).toEqual(
    expect.arrayContaining([
      'customer.subscription.trial_will_end',
      'invoice.payment_failed',
      'customer.subscription.deleted',
      'invoice.paid',
    ]),
  );
});

test('the line of the page for Node.js works', async () => {
  const { json } = await service.send('GET /payments');
  const line = json.clients['Node.js'].replace('{sandbox}', 'node-line');
  const client: Stripe = new Function('Stripe', `return ${line}`)(Stripe);
  const { id } = await client.customers.create({ name: 'Dora' });
  const own = clientOf(service, /sk_test_([\w-]+)/.exec(line)?.[1] ?? '');
  expect(await own.customers.retrieve(id)).toMatchObject({ name: 'Dora' });
});

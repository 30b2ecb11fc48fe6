/** Tokens, charges without an intent, promotion codes, items of subscriptions, and paused subscriptions. */

import { describe, expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { clientOf } from '../support/stripe-client.js';
import { payAt } from './support/journey.js';

const service = useService();

const failing = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail('The request was expected to fail.'),
    (error) => error,
  );

describe('charges', () => {
  const stripe = clientOf(service, 'charges');

  test('a charge by token is captured at once, or later in part', async () => {
    const basis = { amount: 2000, currency: 'usd', source: 'tok_visa' };
    const paid = await stripe.charges.create(basis);
    expect(paid).toMatchObject({ captured: true, status: 'succeeded', payment_intent: null });
    const held = await stripe.charges.create({ ...basis, capture: false });
    expect(held).toMatchObject({ captured: false, amount_captured: 0 });
    const captured = await stripe.charges.capture(held.id, { amount: 1500 });
    expect(captured).toMatchObject({ amount_captured: 1500, amount_refunded: 500 });
    const again = await failing(stripe.charges.capture(held.id));
    expect(again).toMatchObject({ statusCode: 400, code: 'charge_already_captured' });
    const refund = await stripe.refunds.create({ charge: captured.id, amount: 100 });
    expect(refund).toMatchObject({ amount: 100, payment_intent: null });
  });

  test('a declined charge has an error with the failed charge', async () => {
    const error = await failing(
      stripe.charges.create({
        amount: 900,
        currency: 'usd',
        source: 'tok_chargeDeclinedExpiredCard',
      }),
    );
    expect(error).toMatchObject({ statusCode: 402, code: 'expired_card', type: 'StripeCardError' });
    expect(await stripe.charges.retrieve(error.charge)).toMatchObject({ status: 'failed' });
  });

  test('a card that always needs 3D Secure has no charge without an intent', async () => {
    const source = 'tok_threeDSecure2Required';
    const error = await failing(stripe.charges.create({ amount: 900, currency: 'usd', source }));
    expect(error.code).toBe('authentication_required');
  });

  test('a charge of an intent is captured by the intent', async () => {
    const intent = await stripe.paymentIntents.create({
      ...{ amount: 900, currency: 'usd', payment_method: 'pm_card_visa', confirm: true },
      ...{ payment_method_types: ['card'], capture_method: 'manual' },
    });
    const error = await failing(stripe.charges.capture(String(intent.latest_charge)));
    expect(error.message).toContain(intent.id);
  });

  test('a charge that is not captured in a week is released', async () => {
    const clocked = clientOf(service, 'held');
    const now = Math.floor(Date.now() / 1000);
    const clock = await clocked.testHelpers.testClocks.create({ frozen_time: now });
    const held = await clocked.charges.create({
      ...{ amount: 900, currency: 'usd', source: 'tok_visa', capture: false },
    });
    await clocked.testHelpers.testClocks.advance(clock.id, { frozen_time: now + 8 * 86_400 });
    expect(await clocked.charges.retrieve(held.id)).toMatchObject({ refunded: true });
    const error = await failing(clocked.charges.capture(held.id));
    expect(error.code).toBe('charge_expired_for_capture');
  });

  test.each([
    [{}, 'source'],
    [{ source: 'card_1' }, 'source'],
    [{ source: 'tok_none' }, 'card[token]'],
    [{ customer: 'cus_none', source: 'tok_visa' }, 'customer'],
  ])('a charge with %j is 400', async (more, param) => {
    const error = await failing(stripe.charges.create({ amount: 900, currency: 'usd', ...more }));
    expect(error).toMatchObject({ statusCode: 400, param });
  });
});

describe('tokens', () => {
  const stripe = clientOf(service, 'tokens');
  const card = { number: '4000056655665556', exp_month: '12', exp_year: '2034', cvc: '123' };

  test('a token stands for a card, once', async () => {
    const token = await stripe.tokens.create({ card });
    expect(token).toMatchObject({ used: false, card: { last4: '5556', funding: 'debit' } });
    const method = await stripe.paymentMethods.create({ type: 'card', card: { token: token.id } });
    expect(method.card?.last4).toBe('5556');
    expect(await stripe.tokens.retrieve(token.id)).toMatchObject({ used: true });
    const error = await failing(
      stripe.charges.create({ amount: 900, currency: 'usd', source: token.id }),
    );
    expect(error.code).toBe('token_already_used');
  });

  test('a publishable key creates tokens, and no charges', async () => {
    const headers = {
      authorization: 'Bearer pk_test_tokens',
      'content-type': 'application/x-www-form-urlencoded',
    };
    const body = 'card[number]=4242424242424242&card[exp_month]=12&card[exp_year]=2034';
    const token = await service.send('POST /v1/tokens', { headers, body });
    expect(token.status).toBe(200);
    const charge = await service.send('POST /v1/charges', {
      headers,
      body: `amount=900&currency=usd&source=${token.json.id}`,
    });
    expect(charge.status).toBe(403);
  });

  test('a number that is no test number has no token', async () => {
    const error = await failing(
      stripe.tokens.create({ card: { ...card, number: '4539578763621486' } }),
    );
    expect(error).toMatchObject({ statusCode: 402, code: 'card_declined' });
    expect(JSON.stringify(error.raw)).not.toContain('4539578763621486');
  });
});

describe('promotion codes', () => {
  const stripe = clientOf(service, 'promotions');

  async function codeOf(more: object = {}) {
    const coupon = await stripe.coupons.create({ percent_off: 50, duration: 'once' });
    return stripe.promotionCodes.create({
      ...{ promotion: { type: 'coupon', coupon: coupon.id }, ...more },
    });
  }

  test('a promotion code reduces a session and a subscription, and counts', async () => {
    const code = await codeOf({ code: 'TEA50', max_redemptions: 2 });
    const price_data = { currency: 'usd', unit_amount: 2000, product_data: { name: 'Tea' } };
    const session = await stripe.checkout.sessions.create({
      ...{ mode: 'payment', success_url: 'https://shop.example' },
      line_items: [{ quantity: 1, price_data }],
      discounts: [{ promotion_code: code.id }],
    });
    expect(session.amount_total).toBe(1000);
    await payAt(service, session.url, '4242424242424242');
    const customer = await stripe.customers.create({ payment_method: 'pm_card_visa' });
    const [method] = (await stripe.customers.listPaymentMethods(customer.id)).data;
    const price = await stripe.prices.create({
      ...{ currency: 'usd', unit_amount: 900, recurring: { interval: 'month' } },
      product_data: { name: 'Tea' },
    });
    const subscription = await stripe.subscriptions.create({
      ...{ customer: customer.id, items: [{ price: price.id }] },
      ...{ default_payment_method: method?.id ?? '', discounts: [{ promotion_code: code.id }] },
      expand: ['latest_invoice'],
    });
    expect(subscription.latest_invoice).toMatchObject({ total: 450 });
    expect(await stripe.promotionCodes.retrieve(code.id)).toMatchObject({ times_redeemed: 2 });
    const used = await failing(
      stripe.subscriptions.create({
        ...{ customer: customer.id, items: [{ price: price.id }] },
        discounts: [{ promotion_code: code.id }],
      }),
    );
    expect(used.code).toBe('promotion_code_expired');
  });

  test('a customer enters a code at Checkout, where the session allows it', async () => {
    const code = await codeOf({ code: 'ENTERED' });
    const session = await stripe.checkout.sessions.create({
      ...{ mode: 'payment', success_url: 'https://shop.example', allow_promotion_codes: true },
      line_items: [
        {
          quantity: 1,
          price_data: { currency: 'usd', unit_amount: 2000, product_data: { name: 'Tea' } },
        },
      ],
    });
    const { pathname } = new URL(session.url ?? '');
    const enter = (promotion: string) =>
      service.send(`POST ${pathname}`, {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `email=a@b.co&name=A&number=4242424242424242&expiry=12/34&cvc=123&promotion=${promotion}`,
      });
    expect((await service.send(`GET ${pathname}`)).text).toContain('name="promotion"');
    expect((await enter('none')).text).toContain('unknown, or used up');
    expect((await enter('entered')).status).toBe(303);
    const done = await stripe.checkout.sessions.retrieve(session.id);
    expect(done).toMatchObject({ amount_total: 1000, payment_status: 'paid' });
    expect(done.discounts).toEqual([{ coupon: null, promotion_code: code.id }]);
  });

  test('codes are listed, deactivated, and unique among active ones', async () => {
    const code = await codeOf({ code: 'SAME' });
    const second = await failing(codeOf({ code: 'same' }));
    expect(second.code).toBe('resource_already_exists');
    await stripe.promotionCodes.update(code.id, { active: false, metadata: { a: '1' } });
    expect((await codeOf({ code: 'same' })).code).toBe('same');
    const { data } = await stripe.promotionCodes.list({ active: false });
    expect(data.map(({ id }) => id)).toEqual([code.id]);
  });

  test.each([
    [{ code: 'with space' }, 'code'],
    [{ expires_at: 1 }, 'expires_at'],
    [{ customer: 'cus_none' }, 'customer'],
  ])('a code with %j is 400', async (more, param) => {
    expect(await failing(codeOf(more))).toMatchObject({ statusCode: 400, param });
  });
});

describe('subscriptions', () => {
  const stripe = clientOf(service, 'items');

  async function subscribed(client: typeof stripe, more: object = {}) {
    const customer = await client.customers.create({ payment_method: 'pm_card_visa' });
    const [method] = (await client.customers.listPaymentMethods(customer.id)).data;
    const product = await client.products.create({ name: 'Tea' });
    const priceOf = (amount: number) =>
      client.prices.create({
        ...{ currency: 'usd', unit_amount: amount, product: product.id },
        recurring: { interval: 'month' },
      });
    const price = await priceOf(900);
    const subscription = await client.subscriptions.create({
      ...{ customer: customer.id, items: [{ price: price.id }] },
      ...more,
    });
    return { subscription, priceOf, customer, method: method?.id ?? '' };
  }

  test('items are added, changed and removed, with prorations', async () => {
    const customer = await stripe.customers.create({ payment_method: 'pm_card_visa' });
    const [method] = (await stripe.customers.listPaymentMethods(customer.id)).data;
    await stripe.customers.update(customer.id, {
      invoice_settings: { default_payment_method: method?.id ?? '' },
    });
    const product = await stripe.products.create({ name: 'Tea' });
    const recurring = { interval: 'month' } as const;
    const price = await stripe.prices.create({
      ...{ currency: 'usd', unit_amount: 900, product: product.id, recurring },
    });
    const { id } = await stripe.subscriptions.create({
      ...{ customer: customer.id, items: [{ price: price.id }] },
    });
    const item = await stripe.subscriptionItems.create({
      ...{ subscription: id, quantity: 2 },
      price_data: { currency: 'usd', unit_amount: 300, product: product.id, recurring },
    });
    expect(item).toMatchObject({ object: 'subscription_item', quantity: 2, subscription: id });
    const changed = await stripe.subscriptionItems.update(item.id, { quantity: 3 });
    expect(changed).toMatchObject({ id: item.id, quantity: 3 });
    const pending = await stripe.invoiceItems.list({ customer: customer.id, pending: true });
    expect(pending.data.length).toBeGreaterThan(0);
    const removed = await stripe.subscriptionItems.del(item.id, { proration_behavior: 'none' });
    expect(removed).toEqual({ id: item.id, object: 'subscription_item', deleted: true });
    const { data } = await stripe.subscriptionItems.list({ subscription: id });
    expect(data).toHaveLength(1);
    const last = await failing(stripe.subscriptionItems.del(data[0]?.id ?? ''));
    expect(last).toMatchObject({ statusCode: 400, param: 'items' });
    expect(await failing(stripe.subscriptionItems.retrieve('si_none'))).toMatchObject({
      ...{ statusCode: 404, code: 'resource_missing' },
    });
  });

  test.each([
    ['pause', 'paused'],
    ['cancel', 'canceled'],
    ['create_invoice', 'active'],
  ] as const)('a trial without a payment method ends by %s as %s', async (rule, status) => {
    const client = clientOf(service, `trial-${rule.replace('_', '-')}`);
    const now = Math.floor(Date.now() / 1000);
    const clock = await client.testHelpers.testClocks.create({ frozen_time: now });
    const { subscription, customer, method } = await subscribed(client, {
      trial_period_days: 2,
      trial_settings: { end_behavior: { missing_payment_method: rule } },
    });
    const early = await failing(client.subscriptions.resume(subscription.id));
    expect(early.message).toContain('trialing');
    const time = now + 2 * 86_400 + 60;
    await client.testHelpers.testClocks.advance(clock.id, { frozen_time: time });
    const ended = await client.subscriptions.retrieve(subscription.id);
    expect(ended.status).toBe(status);
    if (rule !== 'pause') return;
    const unpaid = await failing(client.subscriptions.resume(subscription.id));
    expect(unpaid.statusCode).toBe(400);
    await client.customers.update(customer.id, {
      invoice_settings: { default_payment_method: method },
    });
    const resumed = await client.subscriptions.resume(subscription.id, {
      billing_cycle_anchor: 'now',
    });
    expect(resumed.status).toBe('active');
    expect(resumed.billing_cycle_anchor).toBeGreaterThanOrEqual(time);
    const types = (await client.events.list({ limit: 100 })).data.map((event) => event.type);
    expect(types).toEqual(
      expect.arrayContaining(['customer.subscription.paused', 'customer.subscription.resumed']),
    );
  });
});

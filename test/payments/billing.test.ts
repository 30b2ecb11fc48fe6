/** Amounts of subscriptions, refunds and disputes, as the provider documents them. */

import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { clientOf } from '../support/stripe-client.js';
import { payAt } from './support/journey.js';

const service = useService();
const day = 86_400;
/** The clock runs on while a test is at work. */
const near = (time: number): number => expect.closeTo(time, -2);
/** The beginning of a month of 31 days. */
const start = Date.UTC(2031, 0, 1) / 1000;

interface Shop {
  readonly stripe: Stripe;
  readonly customer: string;
  readonly method: string;
  readonly price: (amount: number) => Promise<string>;
  /** Moves the clock to this many days after the start. */
  readonly moveTo: (days: number) => Promise<void>;
  readonly types: () => Promise<readonly string[]>;
  readonly invoices: () => Promise<readonly Stripe.Invoice[]>;
}

async function open(sandbox: string): Promise<Shop> {
  const stripe = clientOf(service, sandbox);
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: start });
  const product = await stripe.products.create({ name: 'Tea' });
  const { id: customer } = await stripe.customers.create({ email: 'ida@example.com' });
  const { id: method } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
  await stripe.customers.update(customer, { invoice_settings: { default_payment_method: method } });
  return {
    ...{ stripe, customer, method },
    async price(amount) {
      const recurring = { interval: 'month' } as const;
      const made = { currency: 'usd', unit_amount: amount, product: product.id, recurring };
      return (await stripe.prices.create(made)).id;
    },
    async moveTo(days) {
      await stripe.testHelpers.testClocks.advance(clock.id, {
        frozen_time: Math.round(start + days * day),
      });
    },
    async types() {
      const { data } = await stripe.events.list({ limit: 100 });
      return data.map(({ type }) => type).reverse();
    },
    async invoices() {
      return (await stripe.invoices.list({ customer })).data.toReversed();
    },
  };
}

const itemOf = ({ items }: Stripe.Subscription): Stripe.SubscriptionItem => {
  const [item] = items.data;
  if (item === undefined) throw new Error('The subscription has no item.');
  return item;
};

describe('subscriptions', () => {
  test('cancel_at_period_end ends with the period, and can be taken back before', async () => {
    const { stripe, customer, price, moveTo, types, invoices } = await open('period-end');
    const { id } = await stripe.subscriptions.create({
      ...{ customer, items: [{ price: await price(3000) }] },
    });
    const marked = await stripe.subscriptions.update(id, { cancel_at_period_end: true });
    expect([marked.status, marked.cancel_at_period_end]).toEqual(['active', true]);
    expect(marked.cancel_at).toEqual(near(start + 31 * day));
    expect(marked.canceled_at).toEqual(near(start));
    const back = await stripe.subscriptions.update(id, { cancel_at_period_end: false });
    expect([back.cancel_at, back.canceled_at, back.cancel_at_period_end]).toEqual([
      null,
      null,
      false,
    ]);
    await moveTo(32);
    const renewed = await stripe.subscriptions.update(id, { cancel_at_period_end: true });
    expect(renewed.status).toBe('active');
    await moveTo(58);
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('active');
    await moveTo(60);
    const ended = await stripe.subscriptions.retrieve(id);
    expect([ended.status, ended.ended_at]).toEqual(['canceled', near(start + 59 * day)]);
    expect((await invoices()).map(({ total, status }) => [total, status])).toEqual([
      [3000, 'paid'],
      [3000, 'paid'],
    ]);
    expect((await types()).filter((type) => type.endsWith('subscription.deleted'))).toHaveLength(1);
  });

  test('a change in the middle of a period is prorated, shown in advance, and billed', async () => {
    const { stripe, customer, price, moveTo, invoices } = await open('proration');
    const [small, large] = [await price(3000), await price(6000)];
    const created = await stripe.subscriptions.create({ customer, items: [{ price: small }] });
    await moveTo(15.5);
    const items = [{ id: itemOf(created).id, price: large }];
    const preview = await stripe.invoices.createPreview({
      subscription: created.id,
      subscription_details: { items, proration_date: start + 15.5 * day },
    });
    expect(preview.lines.data.map(({ amount }) => amount)).toEqual([-1500, 3000, 6000]);
    expect(preview.total).toBe(7500);
    await stripe.subscriptions.update(created.id, { items });
    const { data: pending } = await stripe.invoiceItems.list({ customer, pending: true });
    expect(pending.map(({ amount }) => amount).sort((a, b) => a - b)).toEqual([-1500, 3000]);
    for (const { period } of pending) {
      expect(period).toEqual({ start: near(start + 15.5 * day), end: near(start + 31 * day) });
    }
    await moveTo(32);
    const [, second] = await invoices();
    expect([second?.total, second?.amount_paid, second?.status]).toEqual([7500, 7500, 'paid']);
    expect((await stripe.invoiceItems.list({ customer, pending: true })).data).toEqual([]);
  });

  test('without proration a change costs nothing before the next period', async () => {
    const { stripe, customer, price, moveTo, invoices } = await open('no-proration');
    const created = await stripe.subscriptions.create({
      ...{ customer, items: [{ price: await price(3000) }] },
    });
    await moveTo(10);
    await stripe.subscriptions.update(created.id, {
      items: [{ id: itemOf(created).id, quantity: 3 }],
      proration_behavior: 'none',
    });
    expect((await stripe.invoiceItems.list({ customer })).data).toEqual([]);
    await moveTo(32);
    expect((await invoices()).map(({ total }) => total)).toEqual([3000, 9000]);
  });

  test('always_invoice bills a change at once, and credit stays with the customer', async () => {
    const { stripe, customer, price, moveTo, invoices } = await open('at-once');
    const [small, large] = [await price(1000), await price(5000)];
    const created = await stripe.subscriptions.create({ customer, items: [{ price: small }] });
    const { id } = itemOf(created);
    const proration_behavior = 'always_invoice' as const;
    await moveTo(15.5);
    await stripe.subscriptions.update(created.id, {
      ...{ items: [{ id, price: large }], proration_behavior },
    });
    await stripe.subscriptions.update(created.id, {
      ...{ items: [{ id, price: small }], proration_behavior },
    });
    const all = await invoices();
    expect(all.map(({ total, amount_due: due }) => [total, due])).toEqual([
      [1000, 1000],
      [2000, 2000],
      [-2000, 0],
    ]);
    expect(await stripe.customers.retrieve(customer)).toMatchObject({ balance: -2000 });
    await moveTo(32);
    const last = (await invoices()).at(-1);
    expect([last?.total, last?.amount_due, last?.ending_balance]).toEqual([1000, 0, -1000]);
  });

  test('a first payment that is declined leaves an incomplete subscription, which expires', async () => {
    const { stripe, customer, price, moveTo, invoices, types } = await open('incomplete');
    const bad = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer });
    const created = await stripe.subscriptions.create({
      ...{ customer, items: [{ price: await price(3000) }], default_payment_method: bad.id },
    });
    expect(created.status).toBe('incomplete');
    await moveTo(22 / 24);
    expect((await stripe.subscriptions.retrieve(created.id)).status).toBe('incomplete');
    await moveTo(24 / 24);
    expect((await stripe.subscriptions.retrieve(created.id)).status).toBe('incomplete_expired');
    expect((await invoices()).map(({ status }) => status)).toEqual(['void']);
    expect(await types()).toContain('invoice.voided');
  });

  test('a trial costs nothing, is announced three days before its end, and then costs the price', async () => {
    const { stripe, customer, price, moveTo, invoices, types } = await open('trial');
    const created = await stripe.subscriptions.create({
      ...{ customer, items: [{ price: await price(3000) }], trial_period_days: 14 },
    });
    expect([created.status, created.trial_end]).toEqual(['trialing', near(start + 14 * day)]);
    await moveTo(10.9);
    expect(await types()).not.toContain('customer.subscription.trial_will_end');
    await moveTo(11.1);
    expect(await types()).toContain('customer.subscription.trial_will_end');
    await moveTo(15);
    const all = await invoices();
    expect(all.map(({ total, status }) => [total, status])).toEqual([
      [0, 'paid'],
      [3000, 'paid'],
    ]);
    const active = await stripe.subscriptions.retrieve(created.id);
    const { current_period_start: from, current_period_end: to } = itemOf(active);
    expect([active.status, from, to]).toEqual([
      'active',
      near(start + 14 * day),
      near(Date.UTC(2031, 1, 15) / 1000),
    ]);
  });

  test.each([
    ['once', { duration: 'once', percent_off: 50 }, [1500, 3000, 3000]],
    [
      'repeating',
      { duration: 'repeating', duration_in_months: 2, percent_off: 50 },
      [1500, 1500, 3000],
    ],
    ['forever', { duration: 'forever', amount_off: 1000, currency: 'usd' }, [2000, 2000, 2000]],
    [
      'more than the price',
      { duration: 'once', amount_off: 9000, currency: 'usd' },
      [0, 3000, 3000],
    ],
  ] as const)('a coupon, %s', async (name, coupon, totals) => {
    const shop = await open(`coupon-${name.replaceAll(' ', '-')}`);
    const { stripe, customer, price, moveTo, invoices } = shop;
    const made = await stripe.coupons.create(coupon as Stripe.CouponCreateParams);
    await stripe.subscriptions.create({
      ...{ customer, items: [{ price: await price(3000) }], discounts: [{ coupon: made.id }] },
    });
    await moveTo(61);
    expect((await invoices()).map(({ total }) => total)).toEqual(totals);
  });

  test('a month without the day of the anchor ends on its last day', async () => {
    const { stripe, customer, price, moveTo } = await open('anchor');
    await moveTo(30);
    const created = await stripe.subscriptions.create({
      ...{ customer, items: [{ price: await price(3000) }] },
    });
    const ends = [itemOf(created).current_period_end];
    for (const days of [60, 91]) {
      await moveTo(days);
      ends.push(itemOf(await stripe.subscriptions.retrieve(created.id)).current_period_end);
    }
    const dates = ends.map((end) => new Date(end * 1000).toISOString().slice(0, 10));
    expect(dates).toEqual(['2031-02-28', '2031-03-31', '2031-04-30']);
  });
});

test.each(['subscription', 'payment'] as const)(
  'a coupon of a session of the mode %s counts once, when it is paid',
  async (mode) => {
    const { stripe, customer, price } = await open(`session-${mode}`);
    const coupon = await stripe.coupons.create({ percent_off: 50, duration: 'once' });
    const once = { currency: 'usd', unit_amount: 3000, product_data: { name: 'Mug' } };
    const session = await stripe.checkout.sessions.create({
      ...{ mode, customer, discounts: [{ coupon: coupon.id }] },
      line_items: [
        {
          quantity: 1,
          ...(mode === 'payment' ? { price_data: once } : { price: await price(3000) }),
        },
      ],
      success_url: 'https://shop.example/done',
    });
    expect(session.amount_total).toBe(1500);
    expect((await stripe.coupons.retrieve(coupon.id)).times_redeemed).toBe(0);
    await payAt(service, session.url, '4242424242424242');
    expect((await stripe.checkout.sessions.retrieve(session.id)).payment_status).toBe('paid');
    expect((await stripe.coupons.retrieve(coupon.id)).times_redeemed).toBe(1);
  },
);

const charge = (stripe: Stripe, card: string) =>
  stripe.paymentIntents.create({
    ...{ amount: 5000, currency: 'usd', payment_method_types: ['card'], confirm: true },
    payment_method: `pm_card_${card}`,
  });

async function balanceOf(stripe: Stripe): Promise<number> {
  let sum = 0;
  for await (const { net } of stripe.balanceTransactions.list({ limit: 100 })) sum += net;
  return sum;
}

describe('refunds', () => {
  test('a refund that fails later returns to the balance, and can be made again', async () => {
    const { stripe, moveTo, types } = await open('refund-fails');
    const intent = await charge(stripe, 'refundFail');
    const before = await balanceOf(stripe);
    const refund = await stripe.refunds.create({ payment_intent: intent.id });
    expect(refund.status).toBe('succeeded');
    expect(await balanceOf(stripe)).toBe(before - 5000);
    await moveTo(1);
    const failed = await stripe.refunds.retrieve(refund.id);
    expect([failed.status, failed.failure_reason]).toEqual(['failed', 'expired_or_canceled_card']);
    expect(await balanceOf(stripe)).toBe(before);
    const { amount_refunded: refunded } = await stripe.charges.retrieve(
      String(intent.latest_charge),
    );
    expect(refunded).toBe(0);
    expect(await types()).toContain('refund.failed');
    expect((await stripe.refunds.create({ payment_intent: intent.id })).amount).toBe(5000);
  });

  test('a refund that is pending succeeds later', async () => {
    const { stripe, moveTo } = await open('refund-pending');
    const intent = await charge(stripe, 'pendingRefund');
    const refund = await stripe.refunds.create({ payment_intent: intent.id, amount: 1200 });
    expect(refund.status).toBe('pending');
    await moveTo(1);
    expect((await stripe.refunds.retrieve(refund.id)).status).toBe('succeeded');
    const rest = await stripe.refunds.create({ payment_intent: intent.id });
    expect(rest.amount).toBe(3800);
    await expect(stripe.refunds.create({ payment_intent: intent.id })).rejects.toMatchObject({
      code: 'charge_already_refunded',
    });
  });
});

describe('disputes', () => {
  async function dispute(sandbox: string, card: string) {
    const shop = await open(sandbox);
    const before = await balanceOf(shop.stripe);
    const intent = await charge(shop.stripe, card);
    const [found] = (await shop.stripe.disputes.list({ payment_intent: intent.id })).data;
    if (found === undefined) throw new Error('There is no dispute.');
    return { ...shop, before, id: found.id, found, chargeId: String(intent.latest_charge) };
  }

  const evidence = (text: string) => ({ evidence: { uncategorized_text: text } });

  test('is won with winning evidence, and the money returns', async () => {
    const { stripe, id, found, chargeId, moveTo, types } = await dispute('won', 'createDispute');
    expect([found.status, found.reason, found.amount]).toEqual([
      'needs_response',
      'fraudulent',
      5000,
    ]);
    expect((await stripe.charges.retrieve(chargeId)).disputed).toBe(true);
    const lower = await balanceOf(stripe);
    const sent = await stripe.disputes.update(id, evidence('winning_evidence'));
    expect([sent.status, sent.evidence_details.submission_count]).toEqual(['under_review', 1]);
    await moveTo(1);
    const won = await stripe.disputes.retrieve(id);
    expect([won.status, won.balance_transactions.map(({ net }) => net)]).toEqual([
      'won',
      [-6500, 6500],
    ]);
    expect(await balanceOf(stripe)).toBe(lower + 6500);
    expect(await types()).toEqual(
      expect.arrayContaining(['charge.dispute.funds_reinstated', 'charge.dispute.closed']),
    );
  });

  test.each([
    ['with losing evidence', 'losing_evidence', 1],
    ['without evidence in time', undefined, 10],
  ])('is lost %s', async (name, text, days) => {
    const sandbox = `lost-${name.replaceAll(' ', '-')}`;
    const { stripe, id, before, moveTo } = await dispute(sandbox, 'createDispute');
    if (text !== undefined) await stripe.disputes.update(id, evidence(text));
    await moveTo(days);
    expect((await stripe.disputes.retrieve(id)).status).toBe('lost');
    const { net } = await stripe.balanceTransactions
      .list({ type: 'charge' })
      .then(({ data }) => data[0] as Stripe.BalanceTransaction);
    expect(await balanceOf(stripe)).toBe(before + net - 6500);
  });

  test('is accepted by closing it', async () => {
    const { stripe, id } = await dispute('accepted', 'createDisputeProductNotReceived');
    expect((await stripe.disputes.close(id)).status).toBe('lost');
    await expect(stripe.disputes.close(id)).rejects.toMatchObject({ statusCode: 400 });
  });

  test('an inquiry moves no money, and its charge can be refunded', async () => {
    const { stripe, id, found, chargeId } = await dispute('inquiry', 'createDisputeInquiry');
    expect([found.status, found.balance_transactions, found.is_charge_refundable]).toEqual([
      'warning_needs_response',
      [],
      true,
    ]);
    expect((await stripe.refunds.create({ charge: chargeId })).status).toBe('succeeded');
    expect((await stripe.disputes.close(id)).status).toBe('warning_closed');
  });

  test('a charge is disputed more than once, by its parts', async () => {
    const { stripe, before, chargeId } = await dispute('twice', 'createMultipleDisputes');
    const { data } = await stripe.disputes.list({ charge: chargeId });
    expect(data.map(({ amount }) => amount)).toEqual([2500, 2500]);
    const { net } = await stripe.balanceTransactions
      .list({ type: 'charge' })
      .then((all) => all.data[0] as Stripe.BalanceTransaction);
    expect(await balanceOf(stripe)).toBe(before + net - 5000 - 2 * 1500);
  });

  test('of compliance accepts evidence once its fee is acknowledged', async () => {
    const { stripe, id, found, moveTo } = await dispute('compliance', 'createComplianceDispute');
    expect([found.reason, found.enhanced_eligibility_types]).toEqual([
      'noncompliant',
      ['visa_compliance'],
    ]);
    await expect(stripe.disputes.update(id, evidence('winning_evidence'))).rejects.toMatchObject({
      param: 'evidence[enhanced_evidence][visa_compliance][fee_acknowledged]',
    });
    const staged = await stripe.disputes.update(id, {
      evidence: { enhanced_evidence: { visa_compliance: { fee_acknowledged: true } } },
      submit: false,
    });
    expect(staged.evidence_details.enhanced_eligibility.visa_compliance?.status).toBe(
      'fee_acknowledged',
    );
    expect((await stripe.disputes.update(id, evidence('winning_evidence'))).status).toBe(
      'under_review',
    );
    await moveTo(1);
    expect((await stripe.disputes.retrieve(id)).status).toBe('won');
  });

  test('that is eligible for compelling evidence says what it needs', async () => {
    const { found } = await dispute('ce3', 'createCe3EligibleDispute');
    expect(found.enhanced_eligibility_types).toEqual(['visa_compelling_evidence_3']);
    const { visa_compelling_evidence_3: ce3 } = found.evidence_details.enhanced_eligibility;
    expect([ce3?.status, ce3?.required_actions.length]).toEqual(['requires_action', 3]);
  });
});

test('an early fraud warning is actionable until the charge is refunded', async () => {
  const { stripe, types } = await open('early-fraud');
  const intent = await charge(stripe, 'createIssuerFraudRecord');
  const { data } = await stripe.radar.earlyFraudWarnings.list({ payment_intent: intent.id });
  const [warning] = data;
  expect(data).toHaveLength(1);
  expect(warning).toMatchObject({ actionable: true, charge: intent.latest_charge });
  const find = () =>
    stripe.radar.earlyFraudWarnings.retrieve(String(warning?.id), { expand: ['charge'] });
  await stripe.refunds.create({ payment_intent: intent.id, amount: 1000 });
  expect((await find()).actionable).toBe(true);
  await stripe.refunds.create({ payment_intent: intent.id });
  const settled = await find();
  expect(settled.actionable).toBe(false);
  expect(settled.charge).toMatchObject({ id: intent.latest_charge, refunded: true });
  expect(await types()).toEqual(
    expect.arrayContaining([
      'radar.early_fraud_warning.created',
      'radar.early_fraud_warning.updated',
    ]),
  );
  await expect(stripe.radar.earlyFraudWarnings.retrieve('issfr_none')).rejects.toMatchObject({
    statusCode: 404,
  });
});

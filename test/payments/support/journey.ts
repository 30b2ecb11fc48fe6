/** Uses every operation of the API through the SDK, and returns all objects that it got. */

import type Stripe from 'stripe';
import type { TestService } from '../../support/service.js';

type Value = Record<string, unknown>;

const day = 86_400;

/** Collects objects, also those inside of lists and of expanded members. */
class Collected {
  readonly values: Value[] = [];

  keep<Object>(object: Object): Object {
    this.values.push(JSON.parse(JSON.stringify(object)));
    return object;
  }

  /** Keeps the body of an error, and the object that it is about. */
  fail({ raw }: Stripe.errors.StripeError): void {
    const { headers: _, statusCode: _status, requestId: _id, ...error } = raw as Value;
    this.keep({ ...error, object: 'error' });
    for (const each of [error.payment_intent, error.setup_intent, error.payment_method]) {
      if (each !== undefined) this.keep(each);
    }
  }

  async list<Item>(page: Promise<{ data: Item[] }>): Promise<Item[]> {
    const { data } = await page;
    for (const item of data) this.keep(item);
    return data;
  }
}

/** Submits the form of a page of 3D Secure. */
export async function authenticate(
  service: TestService,
  action: Stripe.PaymentIntent.NextAction | Stripe.SetupIntent.NextAction | null,
  outcome: 'complete' | 'fail',
) {
  const sdk = action?.use_stripe_sdk as { stripe_js: string } | undefined;
  const url = new URL(action?.redirect_to_url?.url ?? sdk?.stripe_js ?? '');
  return service.send(`POST ${url.pathname}`, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `outcome=${outcome}`,
  });
}

export const checkoutForm = (number: string) =>
  new URLSearchParams({
    ...{ email: 'cleo@example.com', name: 'Cleo', number, expiry: '12 / 34', cvc: '123' },
  }).toString();

export async function payAt(service: TestService, url: string | null, number: string) {
  return service.send(`POST ${new URL(url ?? '').pathname}`, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: checkoutForm(number),
  });
}

const failing = (promise: Promise<unknown>) =>
  promise.then(
    () => {
      throw new Error('The request was expected to fail.');
    },
    (error) => error,
  );

export async function travel(stripe: Stripe, service: TestService): Promise<readonly Value[]> {
  const found = new Collected();
  const now = Math.floor(Date.now() / 1000);
  const clock = found.keep(await stripe.testHelpers.testClocks.create({ frozen_time: now }));
  await catalog(stripe, found);
  await payments(stripe, service, found);
  await setups(stripe, service, found);
  await disputes(stripe, found, (days) =>
    stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: now + days * day }),
  );
  await invoices(stripe, found);
  const trial = await older(stripe, found);
  await subscriptions(stripe, found, (days) =>
    stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: now + days * day }),
  );
  await checkout(stripe, service, found);
  await resume(stripe, found, trial);
  await endpoints(stripe, found);
  await found.list(stripe.testHelpers.testClocks.list());
  found.keep(await stripe.balance.retrieve());
  await found.list(stripe.balanceTransactions.list({ limit: 100 }));
  await found.list(stripe.charges.list({ limit: 100 }));
  for await (const event of stripe.events.list({ limit: 100 })) found.keep(event);
  return found.values;
}

async function endpoints(stripe: Stripe, found: Collected) {
  const url = 'https://example.com/hook';
  const made = found.keep(
    await stripe.webhookEndpoints.create({ url, enabled_events: ['customer.created'] }),
  );
  found.keep(await stripe.webhookEndpoints.update(made.id, { description: 'Mine' }));
  await found.list(stripe.webhookEndpoints.list());
  found.keep(await stripe.webhookEndpoints.del(made.id));
}

async function catalog(stripe: Stripe, found: Collected) {
  const product = found.keep(
    await stripe.products.create({
      name: 'Tea',
      default_price_data: { currency: 'usd', unit_amount: 900 },
      images: ['https://example.com/tea.png'],
      marketing_features: [{ name: 'Green' }],
    }),
  );
  found.keep(await stripe.products.update(product.id, { description: 'Leaves' }));
  found.keep(await stripe.products.retrieve(product.id, { expand: ['default_price'] }));
  await found.list(stripe.products.list({ active: true }));
  const price = found.keep(
    await stripe.prices.create({
      currency: 'eur',
      unit_amount_decimal: '12.5',
      product: product.id,
    }),
  );
  found.keep(await stripe.prices.update(price.id, { nickname: 'Half', metadata: { a: 'b' } }));
  found.keep(await stripe.prices.retrieve(price.id, { expand: ['product'] }));
  await found.list(stripe.prices.list({ product: product.id }));
  await found.list(stripe.products.search({ query: 'name:"Tea"' }));
  const other = await stripe.products.create({ name: 'Mug', id: 'mug' });
  found.keep(await stripe.products.del(other.id));
  const coupon = found.keep(
    await stripe.coupons.create({ percent_off: 25, duration: 'forever', id: 'QUARTER' }),
  );
  found.keep(await stripe.coupons.update(coupon.id, { name: 'A quarter' }));
  found.keep(await stripe.coupons.retrieve(coupon.id));
  const once = await stripe.coupons.create({ amount_off: 100, currency: 'usd' });
  found.keep(await stripe.coupons.del(once.id));
  await found.list(stripe.coupons.list());
  const customer = found.keep(
    await stripe.customers.create({
      ...{ name: 'Dora', email: 'dora@example.com', phone: '+15550100' },
      address: { line1: 'High Street 1', country: 'GB' },
      shipping: { name: 'Dora', address: { line1: 'High Street 1' } },
    }),
  );
  found.keep(await stripe.customers.update(customer.id, { metadata: { tier: 'gold' } }));
  found.keep(await stripe.customers.retrieve(customer.id));
  await found.list(stripe.customers.search({ query: 'metadata["tier"]:"gold"' }));
  found.keep(await stripe.customers.del(customer.id));
  await found.list(stripe.customers.list());
}

async function payments(stripe: Stripe, service: TestService, found: Collected) {
  const customer = await stripe.customers.create({ email: 'eve@example.com' });
  const method = found.keep(
    await stripe.paymentMethods.create({
      type: 'card',
      card: { number: '4242424242424242', exp_month: 12, exp_year: 2034, cvc: '314' },
      billing_details: { name: 'Eve' },
    }),
  );
  found.keep(await stripe.paymentMethods.attach(method.id, { customer: customer.id }));
  found.keep(await stripe.paymentMethods.update(method.id, { metadata: { a: '1' } }));
  found.keep(await stripe.paymentMethods.retrieve(method.id));
  await found.list(stripe.customers.listPaymentMethods(customer.id));
  found.keep(await stripe.customers.retrievePaymentMethod(customer.id, method.id));
  await found.list(stripe.paymentMethods.list({ customer: customer.id, type: 'card' }));
  const basis = { amount: 1099, currency: 'usd', payment_method_types: ['card'] };
  const manual = found.keep(
    await stripe.paymentIntents.create({
      ...{ ...basis, customer: customer.id, payment_method: method.id, confirm: true },
      ...{ capture_method: 'manual', setup_future_usage: 'off_session' },
    }),
  );
  found.keep(await stripe.paymentIntents.capture(manual.id, { amount_to_capture: 1000 }));
  const held = await stripe.paymentIntents.create({
    ...{ ...basis, payment_method: 'pm_card_visa', confirm: true, capture_method: 'manual' },
  });
  found.keep(await stripe.paymentIntents.cancel(held.id, { cancellation_reason: 'duplicate' }));
  const plain = found.keep(await stripe.paymentIntents.create(basis));
  found.keep(
    await stripe.paymentIntents.update(plain.id, {
      amount: 1200,
      shipping: { name: 'E', address: { line1: 'A' } },
    }),
  );
  found.fail(
    await failing(
      stripe.paymentIntents.confirm(plain.id, { payment_method: 'pm_card_visa_chargeDeclined' }),
    ),
  );
  found.fail(await failing(stripe.customers.retrieve('cus_none')));
  found.fail(await failing(stripe.paymentIntents.create({ ...basis, amount: 0.5 })));
  found.keep(await stripe.paymentIntents.retrieve(plain.id, { expand: ['latest_charge'] }));
  const secure = found.keep(
    await stripe.paymentIntents.create({
      ...{ ...basis, payment_method: 'pm_card_threeDSecure2Required', confirm: true },
      return_url: 'https://example.com/back',
    }),
  );
  await authenticate(service, secure.next_action, 'fail');
  found.keep(await stripe.paymentIntents.retrieve(secure.id));
  const again = found.keep(
    await stripe.paymentIntents.confirm(secure.id, {
      payment_method: 'pm_card_threeDSecure2Required',
    }),
  );
  await authenticate(service, again.next_action, 'complete');
  const paid = found.keep(
    await stripe.paymentIntents.retrieve(secure.id, {
      expand: ['payment_method', 'latest_charge'],
    }),
  );
  await found.list(stripe.paymentIntents.list({ customer: customer.id }));
  await found.list(stripe.paymentIntents.search({ query: 'status:"succeeded"' }));
  const refund = found.keep(
    await stripe.refunds.create({ payment_intent: paid.id, amount: 200, reason: 'duplicate' }),
  );
  found.keep(await stripe.refunds.update(refund.id, { metadata: { why: 'test' } }));
  found.keep(
    await stripe.refunds.retrieve(refund.id, { expand: ['charge', 'balance_transaction'] }),
  );
  for (const card of ['pm_card_refundFail', 'pm_card_pendingRefund']) {
    const intent = await stripe.paymentIntents.create({
      ...basis,
      payment_method: card,
      confirm: true,
    });
    found.keep(await stripe.refunds.create({ payment_intent: intent.id }));
  }
  const [charge] = await found.list(stripe.charges.list({ payment_intent: paid.id }));
  found.keep(await stripe.charges.update(charge?.id ?? '', { description: 'Changed' }));
  found.keep(await stripe.charges.retrieve(charge?.id ?? '', { expand: ['refunds'] }));
  await found.list(stripe.charges.search({ query: 'amount>1000' }));
  await found.list(stripe.refunds.list());
  found.keep(await stripe.paymentMethods.detach(method.id));
}

/** Uses what older clients use, and begins a trial that ends without a payment method. */
async function older(stripe: Stripe, found: Collected): Promise<Stripe.Subscription> {
  const card = { number: '378282246310005', exp_month: '12', exp_year: '2034', cvc: '3141' };
  const token = found.keep(await stripe.tokens.create({ card }));
  const basis = { amount: 1500, currency: 'usd', capture: false };
  const charge = found.keep(await stripe.charges.create({ ...basis, source: token.id }));
  found.keep(await stripe.tokens.retrieve(token.id));
  found.keep(await stripe.charges.capture(charge.id, { amount: 1000 }));
  found.keep(await stripe.charges.create({ ...basis, source: 'tok_visa' }));
  const coupon = await stripe.coupons.create({ percent_off: 10 });
  const promotion = found.keep(
    await stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon: coupon.id } }),
  );
  found.keep(await stripe.promotionCodes.update(promotion.id, { metadata: { a: 'b' } }));
  await found.list(stripe.promotionCodes.list({ expand: ['data.promotion.coupon'] }));
  const product = await stripe.products.create({ name: 'Milk' });
  const recurring = { interval: 'month' } as const;
  const priceOf = (amount: number) =>
    stripe.prices.create({ currency: 'usd', unit_amount: amount, product: product.id, recurring });
  const customer = await stripe.customers.create();
  const trial = found.keep(
    await stripe.subscriptions.create({
      ...{ customer: customer.id, items: [{ price: (await priceOf(400)).id }] },
      ...{ trial_period_days: 1, discounts: [{ promotion_code: promotion.id }] },
      trial_settings: { end_behavior: { missing_payment_method: 'pause' } },
    }),
  );
  const { id: price } = await priceOf(500);
  const item = found.keep(await stripe.subscriptionItems.create({ subscription: trial.id, price }));
  found.keep(await stripe.subscriptionItems.update(item.id, { quantity: 2 }));
  found.keep(await stripe.subscriptionItems.del(item.id));
  return trial;
}

async function resume(stripe: Stripe, found: Collected, { id, customer }: Stripe.Subscription) {
  found.keep(await stripe.subscriptions.retrieve(id));
  const owner = String(customer);
  const method = await stripe.paymentMethods.attach('pm_card_visa', { customer: owner });
  await stripe.customers.update(owner, {
    invoice_settings: { default_payment_method: method.id },
  });
  found.keep(await stripe.subscriptions.resume(id, { expand: ['latest_invoice'] }));
}

async function setups(stripe: Stripe, service: TestService, found: Collected) {
  const customer = await stripe.customers.create();
  const intent = found.keep(
    await stripe.setupIntents.create({ customer: customer.id, payment_method_types: ['card'] }),
  );
  found.fail(
    await failing(
      stripe.setupIntents.confirm(intent.id, { payment_method: 'pm_card_visa_chargeDeclined' }),
    ),
  );
  found.keep(await stripe.setupIntents.retrieve(intent.id));
  const secure = found.keep(
    await stripe.setupIntents.confirm(intent.id, {
      ...{ payment_method: 'pm_card_authenticationRequiredOnSetup' },
      return_url: 'https://example.com/back',
    }),
  );
  await authenticate(service, secure.next_action, 'complete');
  found.keep(await stripe.setupIntents.retrieve(intent.id));
  const other = await stripe.setupIntents.create({ description: 'later' });
  found.keep(await stripe.setupIntents.update(other.id, { metadata: { a: 'b' } }));
  found.keep(await stripe.setupIntents.cancel(other.id));
  await found.list(stripe.setupIntents.list());
}

type Advance = (days: number) => Promise<unknown>;

async function disputes(stripe: Stripe, found: Collected, advance: Advance) {
  const basis = { amount: 5000, currency: 'usd', payment_method_types: ['card'], confirm: true };
  const cards = ['createDispute', 'createDisputeProductNotReceived', 'createDisputeInquiry'];
  const rare = ['createMultipleDisputes', 'createComplianceDispute', 'createCe3EligibleDispute'];
  for (const card of [...rare, 'createIssuerFraudRecord', ...cards, 'createDispute']) {
    await stripe.paymentIntents.create({ ...basis, payment_method: `pm_card_${card}` });
  }
  const [lost, inquiry, other, won] = await found.list(stripe.disputes.list());
  const [warning] = await found.list(stripe.radar.earlyFraudWarnings.list());
  found.keep(await stripe.refunds.create({ charge: String(warning?.charge) }));
  found.keep(await stripe.radar.earlyFraudWarnings.retrieve(warning?.id ?? ''));
  const evidence = (text: string) => ({ evidence: { uncategorized_text: text } });
  found.keep(await stripe.disputes.update(won?.id ?? '', evidence('winning_evidence')));
  found.keep(await stripe.disputes.update(other?.id ?? '', evidence('losing_evidence')));
  found.keep(await stripe.disputes.close(inquiry?.id ?? ''));
  await advance(1);
  found.keep(await stripe.disputes.retrieve(won?.id ?? '', { expand: ['charge'] }));
  await advance(12);
  found.keep(await stripe.disputes.retrieve(lost?.id ?? ''));
}

async function invoices(stripe: Stripe, found: Collected) {
  const customer = await stripe.customers.create({
    email: 'fay@example.com',
    payment_method: 'pm_card_visa',
  });
  const [method] = (await stripe.customers.listPaymentMethods(customer.id)).data;
  await stripe.customers.update(customer.id, {
    invoice_settings: { default_payment_method: method?.id ?? '' },
  });
  const draft = found.keep(
    await stripe.invoices.create({ customer: customer.id, discounts: [{ coupon: 'QUARTER' }] }),
  );
  const item = found.keep(
    await stripe.invoiceItems.create({
      ...{ customer: customer.id, invoice: draft.id, amount: 4000, currency: 'usd' },
      description: 'Repair',
    }),
  );
  found.keep(await stripe.invoiceItems.update(item.id, { amount: 4400 }));
  found.keep(await stripe.invoiceItems.retrieve(item.id));
  await found.list(stripe.invoiceItems.list({ invoice: draft.id }));
  await found.list(stripe.invoices.listLineItems(draft.id));
  found.keep(await stripe.invoices.update(draft.id, { description: 'For you' }));
  found.keep(await stripe.invoices.finalizeInvoice(draft.id));
  found.keep(await stripe.invoices.pay(draft.id));
  found.keep(await stripe.invoices.retrieve(draft.id, { expand: ['payments', 'discounts'] }));
  const sent = await stripe.invoices.create({
    ...{ customer: customer.id, collection_method: 'send_invoice', days_until_due: 10 },
  });
  await stripe.invoiceItems.create({
    customer: customer.id,
    invoice: sent.id,
    amount: 700,
    currency: 'usd',
  });
  found.keep(await stripe.invoices.sendInvoice(sent.id));
  found.keep(await stripe.invoices.markUncollectible(sent.id));
  found.keep(await stripe.invoices.voidInvoice(sent.id));
  const unused = await stripe.invoices.create({ customer: customer.id });
  found.keep(await stripe.invoices.del(unused.id));
  await found.list(stripe.invoices.list({ customer: customer.id }));
  await found.list(stripe.invoices.search({ query: 'status:"paid"' }));
  await found.list(stripe.invoicePayments.list({ invoice: draft.id }));
  const loose = await stripe.invoiceItems.create({
    customer: customer.id,
    amount: 100,
    currency: 'usd',
  });
  found.keep(await stripe.invoices.createPreview({ customer: customer.id }));
  found.keep(await stripe.invoiceItems.del(loose.id));
}

async function subscriptions(stripe: Stripe, found: Collected, advance: Advance) {
  const monthly = { currency: 'usd', recurring: { interval: 'month' as const } };
  const product = await stripe.products.create({ name: 'Plan' });
  const [small, large] = [
    await stripe.prices.create({ ...monthly, unit_amount: 1000, product: product.id }),
    await stripe.prices.create({ ...monthly, unit_amount: 3000, product: product.id }),
  ];
  const yearly = await stripe.prices.create({
    ...{ currency: 'usd', recurring: { interval: 'year' }, unit_amount: 9000, product: product.id },
  });
  const customer = await stripe.customers.create({ payment_method: 'pm_card_visa' });
  const [method] = (await stripe.customers.listPaymentMethods(customer.id)).data;
  const basis = { customer: customer.id, default_payment_method: method?.id ?? '' };
  const trial = found.keep(
    await stripe.subscriptions.create({
      ...basis,
      items: [{ price: small.id }],
      trial_period_days: 5,
    }),
  );
  const active = found.keep(
    await stripe.subscriptions.create({
      ...{
        ...basis,
        items: [{ price: small.id, quantity: 2 }],
        discounts: [{ coupon: 'QUARTER' }],
      },
      expand: ['latest_invoice.payments'],
    }),
  );
  const [item] = active.items.data;
  const change = { items: [{ id: item?.id ?? '', price: large.id }] };
  found.keep(
    await stripe.invoices.createPreview({ subscription: active.id, subscription_details: change }),
  );
  found.keep(await stripe.subscriptions.update(active.id, change));
  found.keep(
    await stripe.subscriptions.update(active.id, {
      ...{ items: [{ id: item?.id ?? '', quantity: 3 }], proration_behavior: 'always_invoice' },
    }),
  );
  found.keep(
    await stripe.subscriptions.update(active.id, {
      items: [{ id: item?.id ?? '', price: yearly.id }],
    }),
  );
  found.keep(await stripe.subscriptions.update(active.id, { cancel_at_period_end: true }));
  found.keep(await stripe.subscriptions.update(active.id, { cancel_at_period_end: false }));
  const incomplete = found.keep(
    await stripe.subscriptions.create({
      ...{ customer: customer.id, items: [{ price: small.id }] },
      ...{ payment_behavior: 'default_incomplete', expand: ['latest_invoice.confirmation_secret'] },
    }),
  );
  await advance(60);
  found.keep(
    await stripe.subscriptions.retrieve(trial.id, { expand: ['customer', 'latest_invoice'] }),
  );
  found.keep(await stripe.subscriptions.retrieve(incomplete.id));
  await found.list(stripe.subscriptions.list({ status: 'all' }));
  await found.list(stripe.subscriptions.search({ query: 'status:"active"' }));
  const items = await found.list(stripe.subscriptionItems.list({ subscription: trial.id }));
  found.keep(await stripe.subscriptionItems.retrieve(items[0]?.id ?? ''));
  found.keep(await stripe.customers.retrieve(customer.id, { expand: ['subscriptions'] }));
  found.keep(await stripe.subscriptions.cancel(trial.id, { prorate: true, invoice_now: true }));
}

async function checkout(stripe: Stripe, service: TestService, found: Collected) {
  const common = { success_url: 'https://example.com/done?s={CHECKOUT_SESSION_ID}' };
  const shop = found.keep(
    await stripe.checkout.sessions.create({
      ...{ ...common, mode: 'payment', cancel_url: 'https://example.com/cart' },
      line_items: [
        {
          quantity: 2,
          price_data: { currency: 'usd', unit_amount: 800, product_data: { name: 'Cup' } },
        },
      ],
    }),
  );
  await payAt(service, shop.url, '4000 0000 0000 0002');
  await payAt(service, shop.url, '4242 4242 4242 4242');
  found.keep(
    await stripe.checkout.sessions.retrieve(shop.id, { expand: ['line_items', 'payment_intent'] }),
  );
  await found.list(stripe.checkout.sessions.listLineItems(shop.id));
  const saving = await stripe.checkout.sessions.create({
    ...common,
    mode: 'setup',
    currency: 'usd',
  });
  await payAt(service, saving.url, '5555555555554444');
  found.keep(await stripe.checkout.sessions.retrieve(saving.id, { expand: ['setup_intent'] }));
  const [price] = (await stripe.prices.list({ type: 'recurring' })).data;
  const plan = await stripe.checkout.sessions.create({
    ...{ ...common, mode: 'subscription', line_items: [{ price: price?.id ?? '', quantity: 1 }] },
  });
  await payAt(service, plan.url, '378282246310005');
  found.keep(
    await stripe.checkout.sessions.retrieve(plan.id, { expand: ['subscription', 'invoice'] }),
  );
  const unused = await stripe.checkout.sessions.create({
    ...common,
    mode: 'setup',
    currency: 'usd',
  });
  found.keep(await stripe.checkout.sessions.update(unused.id, { metadata: { a: 'b' } }));
  found.keep(await stripe.checkout.sessions.expire(unused.id));
  await found.list(stripe.checkout.sessions.list({ limit: 50 }));
}

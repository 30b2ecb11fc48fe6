/** Checkout sessions, whose page is one of this service. */

import {
  changesFrom,
  checkAmount,
  checkUrl,
  currencyOf,
  nestedList,
  type Operations,
} from '../engine/call.js';
import type { Ledger } from '../engine/ledger.js';
import { list, page } from '../engine/lists.js';
import { type Params, type Stored, type Value, visible } from '../engine/objects.js';
import { createPrice, createProduct } from '../objects/catalog.js';
import { customerOf } from '../objects/customers.js';
import { checkTypes } from '../objects/intent-parts.js';
import { confirmIntent, createIntent } from '../objects/payment-intents.js';
import { attach, createPaymentMethod, wholeBilling } from '../objects/payment-methods.js';
import { confirmSetup, createSetup } from '../objects/setup-intents.js';
import { ApiError, invalidRequest } from '../wire/errors.js';
import { createDiscounts, discountAmounts, redeemAll } from './discounts.js';
import { collect } from './invoices.js';
import { priceOf } from './lines.js';
import { promotionNamed } from './promotion-codes.js';
import { createSubscription } from './subscriptions.js';

const daySeconds = 24 * 60 * 60;
const leastSeconds = 30 * 60;
const maxLines = 100;

const missing = (param: string) =>
  invalidRequest(`Missing required param: ${param}.`, { code: 'parameter_missing', param });

function lineItem(ledger: Ledger, given: Params, mode: string, index: number): Stored {
  const param = `line_items[${index}]`;
  if (given.quantity === undefined) throw missing(`${param}[quantity]`);
  const price = given.price
    ? ledger.get('price', given.price, `${param}[price]`)
    : given.price_data && inlinePrice(ledger, given.price_data);
  if (!price) throw missing(`${param}[price]`);
  if (price.recurring !== null && mode === 'payment') {
    throw invalidRequest('A recurring price needs mode=subscription.', {
      param: `${param}[price]`,
    });
  }
  const amount = priceOf(price, given.quantity);
  const product = ledger.find('product', price.product);
  return ledger.draft('line_item', {
    ...{ id: ledger.newId('li'), amount_subtotal: amount, amount_total: amount },
    ...{ currency: price.currency, description: product?.name ?? null },
    ...{ price: visible(price), quantity: given.quantity },
  });
}

function inlinePrice(ledger: Ledger, given: Params): Stored {
  const { product_data: data, ...own } = given;
  if (data === undefined) return createPrice(ledger, own);
  return createPrice(ledger, { ...own, product: createProduct(ledger, data).id });
}

function checkSession(ledger: Ledger, params: Params): void {
  const { mode = 'payment', success_url: success, line_items: lines, expires_at: expires } = params;
  if (success === undefined) throw missing('success_url');
  checkUrl(success, 'success_url');
  checkUrl(params.cancel_url, 'cancel_url');
  checkTypes(params.payment_method_types);
  if (params.customer && params.customer_email) {
    throw invalidRequest('Send only one of these parameters: customer, customer_email.', {
      code: 'parameters_exclusive',
    });
  }
  if (mode !== 'setup' && (lines === undefined || lines.length === 0)) throw missing('line_items');
  if (mode === 'setup' && lines !== undefined) {
    throw invalidRequest('mode=setup has no line_items.', { param: 'line_items' });
  }
  if (lines?.length > maxLines) {
    throw invalidRequest(`A session has at most ${maxLines} line items.`, { param: 'line_items' });
  }
  const seconds = (expires ?? ledger.now + daySeconds) - ledger.now;
  if (seconds < leastSeconds || seconds > daySeconds) {
    throw invalidRequest('expires_at must be from 30 minutes to 24 hours after now.', {
      param: 'expires_at',
    });
  }
}

function create(ledger: Ledger, params: Params): Stored {
  checkSession(ledger, params);
  const { mode = 'payment' } = params;
  const id = `cs_test_${ledger.random(58)}`;
  const items = (params.line_items ?? []).map((given: Params, index: number) =>
    lineItem(ledger, given, mode, index),
  );
  const hasRecurring = items.some(({ price }: Stored) => price.recurring !== null);
  if (mode === 'subscription' && !hasRecurring) {
    throw invalidRequest('mode=subscription needs a recurring price.', { param: 'line_items' });
  }
  const currency = items[0]?.currency ?? currencyOf(params.currency ?? 'usd');
  const subtotal = items.reduce((sum: number, each: Stored) => sum + each.amount_subtotal, 0);
  const discounts = createDiscounts(ledger, params.discounts, {
    checkout_session: id,
    customer: params.customer ?? null,
  });
  const off = discountAmounts(ledger, discounts, subtotal).reduce(
    (sum, { amount }) => sum + amount,
    0,
  );
  if (mode === 'payment' && subtotal - off > 0) checkAmount(subtotal - off, currency, 'line_items');
  if (params.customer) customerOf(ledger, params.customer);
  const { locale = null, submit_type: submit = null } = params;
  const names = ['cancel_url', 'client_reference_id', 'customer', 'customer_email', 'metadata'];
  const session = ledger.create('checkout.session', {
    ...changesFrom(params, {}, [...names, 'success_url', 'allow_promotion_codes']),
    ...{ id, mode, currency: mode === 'setup' ? (params.currency ?? null) : currency, locale },
    amount_subtotal: mode === 'setup' ? null : subtotal,
    amount_total: mode === 'setup' ? null : subtotal - off,
    billing_address_collection: params.billing_address_collection ?? null,
    customer_creation:
      params.customer || mode !== 'payment' ? null : (params.customer_creation ?? 'if_required'),
    discounts: discounts.map((each) => {
      const { promotion_code, source } = ledger.get('discount', each);
      return { coupon: promotion_code === null ? source.coupon : null, promotion_code };
    }),
    expires_at: params.expires_at ?? ledger.now + daySeconds,
    payment_method_collection: mode === 'subscription' ? 'always' : 'if_required',
    payment_status: mode === 'setup' ? 'no_payment_required' : 'unpaid',
    submit_type: submit,
    total_details: { amount_discount: off, amount_shipping: 0, amount_tax: 0 },
    _items: items,
    _data: { payment: params.payment_intent_data, subscription: params.subscription_data },
    ...{ _discounts: params.discounts, _applied: discounts },
  });
  ledger.schedule(session.expires_at, 'session', id);
  return ledger.save(session, { url: ledger.openPage('checkout', session) });
}

/** Applies the promotion code that a customer enters; `undefined` for an unknown one. */
export function applyPromotion(ledger: Ledger, session: Stored, code: string): Stored | undefined {
  const promotion = promotionNamed(ledger, code);
  const isOther = promotion?.customer !== null && promotion?.customer !== session.customer;
  if (promotion === undefined || isOther) return undefined;
  const given = [{ promotion_code: promotion.id }];
  const owner = { checkout_session: session.id, customer: session.customer };
  const discounts = createDiscounts(ledger, given, owner);
  const [{ amount: off }] = discountAmounts(ledger, discounts, session.amount_subtotal) as [Value];
  return ledger.save(session, {
    amount_total: session.amount_subtotal - off,
    discounts: [{ coupon: null, promotion_code: promotion.id }],
    total_details: { ...session.total_details, amount_discount: off },
    ...{ _discounts: given, _applied: discounts },
  });
}

/** The payment of a session by a customer: a test card, and an email address. */
export interface Checkout {
  readonly card: Params;
  readonly email: string;
  readonly name: string;
}

/** Completes a session; returns the error of a card, or the intent that needs 3D Secure. */
export function completeSession(
  ledger: Ledger,
  session: Stored,
  { card, email, name }: Checkout,
): Stored | ApiError {
  const method = createPaymentMethod(ledger, {
    ...{ type: 'card', card, billing_details: { email, name } },
  });
  const needsCustomer = session.mode !== 'payment' || session.customer_creation === 'always';
  const customer = session.customer ?? (needsCustomer ? newCustomer(ledger, email, name).id : null);
  const details = {
    ...{ address: wholeBilling({}).address, email, name, phone: null, tax_exempt: 'none' },
    ...{ business_name: null, individual_name: null, tax_ids: [] },
  };
  const begun = ledger.save(session, { customer, customer_details: details });
  if (session.mode === 'setup') return setUp(ledger, begun, method);
  if (session.mode === 'subscription') return subscribe(ledger, begun, method);
  return pay(ledger, begun, method);
}

function newCustomer(ledger: Ledger, email: string, name: string): Stored {
  const customer = ledger.create('customer', {
    ...{ email, name, invoice_prefix: ledger.random(8).toUpperCase() },
  });
  ledger.emit('customer.created', customer);
  return customer;
}

const byPage = { _isInternal: true } as const;

function pay(ledger: Ledger, session: Stored, method: Stored): Stored | ApiError {
  if (session.amount_total === 0) return complete(ledger, session, {}, 'no_payment_required');
  const intent = session.payment_intent
    ? ledger.get('payment_intent', session.payment_intent)
    : createIntent(ledger, {
        ...{ ...session._data.payment, amount: session.amount_total, currency: session.currency },
        ...{ payment_method_types: ['card'], _session: session.id },
        ...(session.customer && { customer: session.customer }),
      });
  const begun = ledger.save(session, { payment_intent: intent.id });
  const result = confirmIntent(ledger, intent, { ...byPage, payment_method: method.id });
  if (result instanceof ApiError || result.status === 'requires_action') return result;
  return ledger.find('checkout.session', begun.id) ?? begun;
}

function setUp(ledger: Ledger, session: Stored, method: Stored): Stored | ApiError {
  const intent = createSetup(ledger, {
    customer: session.customer,
    payment_method_types: ['card'],
  });
  const begun = ledger.save(session, { setup_intent: intent.id });
  const result = confirmSetup(ledger, intent, { ...byPage, payment_method: method.id });
  if (result instanceof ApiError) return result;
  if (result.status === 'requires_action') {
    ledger.save(intent, { ...result, _session: session.id });
    return result;
  }
  return complete(ledger, begun, {}, 'no_payment_required');
}

function subscribe(ledger: Ledger, session: Stored, method: Stored): Stored | ApiError {
  attach(ledger, method.id, session.customer);
  const known = session.subscription && ledger.find('subscription', session.subscription);
  const items = session._items.filter(({ price }: Stored) => price.recurring !== null);
  const created =
    known ??
    createSubscription(ledger, {
      ...session._data.subscription,
      ...{ customer: session.customer, payment_behavior: 'default_incomplete' },
      discounts: session._discounts,
      items: items.map(({ price, quantity }: Stored) => ({ price: price.id, quantity })),
    });
  if (created instanceof ApiError) return created;
  const begun = ledger.save(session, { subscription: created.id });
  ledger.save(ledger.get('subscription', created.id), { default_payment_method: method.id });
  const invoice = ledger.get('invoice', created.latest_invoice);
  const done = { invoice: invoice.id };
  if (invoice.status === 'paid') return complete(ledger, begun, done, 'paid');
  ledger.save(ledger.get('payment_intent', invoice._intent), { _session: session.id });
  const result = collect(ledger, invoice, { payment_method: method.id, off_session: false });
  if (result instanceof ApiError || result?.status === 'requires_action') return result;
  return complete(ledger, ledger.get('checkout.session', session.id), done, 'paid');
}

function complete(ledger: Ledger, session: Stored, members: Params, paymentStatus: string): Stored {
  if (session.status === 'complete') return session;
  ledger.unschedule('session', session.id);
  // A subscription has redeemed them itself.
  if (session.mode !== 'subscription') redeemAll(ledger, session._applied ?? []);
  const done = ledger.save(session, {
    ...{ ...members, payment_status: paymentStatus, status: 'complete', url: null },
  });
  ledger.emit('checkout.session.completed', done);
  return done;
}

/** Called when a payment of a session has succeeded. */
export function sessionPaid(ledger: Ledger, intent: Stored): void {
  const session = intent._session && ledger.find('checkout.session', intent._session);
  if (session?.status !== 'open') return;
  const invoice = intent._invoice ? { invoice: intent._invoice } : {};
  complete(ledger, session, invoice, 'paid');
}

/** Called when the page of 3D Secure has set a card up. */
export function sessionSetUp(ledger: Ledger, intentId: string): void {
  const intent = ledger.get('setup_intent', intentId);
  const session = intent._session && ledger.find('checkout.session', intent._session);
  if (session && intent.status === 'succeeded') {
    complete(ledger, session, {}, 'no_payment_required');
  }
}

export function expireSession(ledger: Ledger, id: string): Stored | ApiError {
  const session = ledger.get('checkout.session', id);
  if (session.status !== 'open') {
    return new ApiError(`Only an open session can expire; this one is ${session.status}.`);
  }
  ledger.unschedule('session', id);
  const expired = ledger.save(session, { status: 'expired', url: null });
  ledger.emit('checkout.session.expired', expired);
  return expired;
}

export const lineItemsOf = (ledger: Ledger, { id }: Stored): Value =>
  nestedList(ledger.get('checkout.session', id)._items, `/v1/checkout/sessions/${id}/line_items`);

const shown = (result: Stored | ApiError) =>
  result instanceof ApiError ? result : visible(result);

export const checkoutOperations: Operations = {
  'checkout.session.create': ({ ledger, params }) => visible(create(ledger, params)),
  'checkout.session.retrieve': ({ ledger, id }) => visible(ledger.get('checkout.session', id)),
  'checkout.session.update': ({ ledger, params, id }) => {
    const session = ledger.get('checkout.session', id);
    return visible(ledger.save(session, changesFrom(params, session)));
  },
  'checkout.session.expire': ({ ledger, id }) => shown(expireSession(ledger, id)),
  'checkout.session.listLineItems': (call) => {
    const { _items: items } = call.ledger.get('checkout.session', call.id);
    return page(call, [...items].reverse());
  },
  'checkout.session.list': (call) =>
    list(call, 'checkout.session', ['customer', 'payment_intent', 'status', 'subscription']),
};

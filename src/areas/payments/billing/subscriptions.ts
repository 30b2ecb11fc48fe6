/** Subscriptions: trials, periods, prorations, past due payments, and their ends. */

import { changesFrom, currencyOf, nestedList, type Operations } from '../engine/call.js';
import type { Ledger } from '../engine/ledger.js';
import { isWithin, page, search } from '../engine/lists.js';
import { type Params, type Stored, type Value, visible } from '../engine/objects.js';
import { createPrice } from '../objects/catalog.js';
import { customerOf } from '../objects/customers.js';
import { paymentMethodFor } from '../objects/payment-methods.js';
import { ApiError, invalidRequest, noSuch } from '../wire/errors.js';
import { createDiscounts, withoutUsed } from './discounts.js';
import {
  closeInvoice,
  collect,
  createInvoice,
  discountsOf,
  finalize,
  finalizeLater,
  invoiceFailed,
  invoicePaid,
  noPaymentMethod,
  retryDays,
  subscriptionParent,
  withoutSecret,
} from './invoices.js';
import { createProrations, itemLine, lineOfItem, pendingItems, prorations } from './lines.js';
import { periodEndAfter } from './periods.js';

const hourSeconds = 60 * 60;
const daySeconds = 24 * hourSeconds;

/** A first payment must succeed within this time. */
const incompleteSeconds = 23 * hourSeconds;
const upcomingSeconds = 7 * daySeconds;
const trialEndSeconds = 3 * daySeconds;
const maxItems = 20;

const itemsOf = (subscription: Stored): readonly Value[] => subscription.items.data;
const endOf = (subscription: Stored): number => itemsOf(subscription)[0].current_period_end;
const isOver = ({ status }: Stored) => status === 'canceled' || status === 'incomplete_expired';

function priceFor(ledger: Ledger, given: Params, param: string): Stored {
  const price = given.price
    ? ledger.get('price', given.price, `${param}[price]`)
    : given.price_data && createPrice(ledger, { ...given.price_data });
  if (!price) {
    throw invalidRequest(`Missing required param: ${param}[price].`, {
      ...{ code: 'parameter_missing', param: `${param}[price]` },
    });
  }
  if (price.recurring === null) {
    throw invalidRequest('The price is for one payment; a recurring price is needed.', {
      param: `${param}[price]`,
    });
  }
  if (!price.active) {
    throw invalidRequest(`The price is inactive.`, { param: `${param}[price]` });
  }
  return visible(price);
}

function planOf(price: Stored): Value {
  const { recurring, unit_amount: amount, unit_amount_decimal, ...rest } = price;
  const { active, billing_scheme, created, currency, id, livemode, metadata, nickname } = rest;
  return {
    ...{ id, object: 'plan', active, amount, amount_decimal: unit_amount_decimal },
    ...{ billing_scheme, created, currency, interval: recurring.interval },
    ...{ interval_count: recurring.interval_count, livemode, metadata, meter: null, nickname },
    ...{ product: price.product, tiers_mode: null, transform_usage: null },
    ...{ trial_period_days: recurring.trial_period_days, usage_type: 'licensed' },
  };
}

function newItem(ledger: Ledger, given: Params, owner: Params, param: string): Value {
  const price = priceFor(ledger, given, param);
  return ledger.draft('subscription_item', {
    ...{ price, plan: planOf(price), quantity: given.quantity ?? 1, subscription: owner.id },
    ...{ metadata: given.metadata || {} },
    ...{ current_period_end: owner.end, current_period_start: owner.start },
  });
}

function checkItems(items: readonly Value[]): Value {
  const [first] = items;
  if (first === undefined || items.length > maxItems) {
    throw invalidRequest(`A subscription has from 1 to ${maxItems} items.`, { param: 'items' });
  }
  const { currency, recurring } = first.price;
  for (const { price } of items) {
    const isAlike =
      price.recurring.interval === recurring.interval &&
      price.recurring.interval_count === recurring.interval_count;
    if (price.currency === currency && isAlike) continue;
    throw invalidRequest('All prices of a subscription have one currency and one interval.', {
      param: 'items',
    });
  }
  const ids = new Set(items.map(({ price }) => price.id));
  if (ids.size === items.length) return first.price;
  throw invalidRequest('A subscription cannot have two items with the same price.', {
    param: 'items',
  });
}

function trialEndFrom(ledger: Ledger, { trial_end: end, trial_period_days: days }: Params): Value {
  if (end !== undefined && days !== undefined) {
    throw invalidRequest('Send only one of these parameters: trial_end, trial_period_days.', {
      code: 'parameters_exclusive',
    });
  }
  if (days !== undefined && days > 730) {
    throw invalidRequest('A trial has at most 730 days.', { param: 'trial_period_days' });
  }
  if (days !== undefined) return days > 0 ? ledger.now + days * daySeconds : null;
  if (end === undefined || end === 'now') return null;
  if (end > ledger.now && end - ledger.now <= 730 * daySeconds) return end;
  throw invalidRequest('trial_end must be in the future, at most 730 days from now.', {
    param: 'trial_end',
  });
}

/** Creates a subscription with its first invoice; an unpaid one returns the error if the caller wants it. */
export function createSubscription(ledger: Ledger, params: Params): Stored | ApiError {
  if (params.customer === undefined) {
    throw invalidRequest('Missing required param: customer.', {
      ...{ code: 'parameter_missing', param: 'customer' },
    });
  }
  const customer = customerOf(ledger, params.customer);
  const id = ledger.newId('sub');
  const owner = { id, start: ledger.now, end: ledger.now };
  const drafts = (params.items ?? []).map((given: Params, index: number) =>
    newItem(ledger, given, owner, `items[${index}]`),
  );
  const { currency, recurring } = checkItems(drafts);
  if (params.currency !== undefined && currencyOf(params.currency) !== currency) {
    throw invalidRequest('The currency differs from the currency of the prices.', {
      param: 'currency',
    });
  }
  const trialEnd = trialEndFrom(ledger, params);
  const anchor = trialEnd ?? ledger.now;
  const end = trialEnd ?? periodEndAfter(ledger.now, recurring, ledger.now);
  if (params.default_payment_method) {
    paymentMethodFor(ledger, params.default_payment_method, {
      ...{ customer: customer.id, param: 'default_payment_method' },
    });
  }
  const isSent = params.collection_method === 'send_invoice';
  if (isSent && params.days_until_due === undefined) {
    throw invalidRequest('collection_method=send_invoice needs days_until_due.', {
      param: 'days_until_due',
    });
  }
  const { metadata, cancel_at: cancelAt } = params;
  const shown = ['cancel_at_period_end', 'collection_method', 'days_until_due'];
  const names = [...shown, 'default_payment_method', 'description', 'trial_settings'];
  const subscription = ledger.create('subscription', {
    ...changesFrom(params, {}, names),
    ...{ id, currency, customer: customer.id, metadata: metadata || {} },
    billing_cycle_anchor: anchor,
    cancel_at: params.cancel_at_period_end ? end : cancelTime(cancelAt, end),
    discounts: createDiscounts(ledger, params.discounts, {
      subscription: id,
      customer: customer.id,
    }),
    items: nestedList(
      drafts.map((item: Value) => ({ ...item, current_period_end: end })),
      `/v1/subscription_items?subscription=${id}`,
    ),
    start_date: ledger.now,
    status: trialEnd === null ? (isSent ? 'active' : 'incomplete') : 'trialing',
    ...(trialEnd !== null && { trial_end: trialEnd, trial_start: ledger.now }),
  });
  ledger.save(customer, { currency: customer.currency ?? currency });
  plan(ledger, subscription);
  ledger.emit('customer.subscription.created', subscription);
  return firstInvoice(ledger, subscription, params);
}

const cancelTime = (given: Value, end: number): Value =>
  typeof given === 'string' && given !== '' ? end : given || null;

/** Schedules what happens at the end of the period, and before. */
function plan(ledger: Ledger, subscription: Stored): void {
  const { id, trial_end: trialEnd, cancel_at: cancelAt } = subscription;
  const end = endOf(subscription);
  ledger.schedule(end, 'renew', id);
  if (cancelAt !== null) ledger.schedule(Math.max(cancelAt, ledger.now), 'end', id);
  else {
    ledger.unschedule('end', id);
    if (end - ledger.now > upcomingSeconds) ledger.schedule(end - upcomingSeconds, 'upcoming', id);
  }
  if (trialEnd !== null && trialEnd > ledger.now) {
    ledger.schedule(Math.max(ledger.now, trialEnd - trialEndSeconds), 'trial-end', id);
  }
}

/** Bills the current period of each item, with what waits for the customer. */
function bill(ledger: Ledger, subscription: Stored, reason: string, more: Params = {}): Stored {
  const { customer, currency } = subscription;
  const items = pendingItems(ledger, customer, currency);
  const periods = reason === 'subscription_update' && !more._isWhole ? [] : itemsOf(subscription);
  const lines = [
    ...items.map((item) => lineOfItem(ledger, item)),
    ...periods.map((item) =>
      itemLine(ledger, subscription, item, {
        end: item.current_period_end,
        start: item.current_period_start,
      }),
    ),
  ];
  const discounts = discountsOf(ledger, subscription);
  const { _isWhole, ...members } = more;
  const invoice = createInvoice(
    ledger,
    {
      ...{ billing_reason: reason, customer, currency, discounts, ...members },
      ...{ collection_method: subscription.collection_method, _days: subscription.days_until_due },
      parent: subscriptionParent(subscription),
    },
    lines,
  );
  if (!members._isPreview) {
    const kept = withoutUsed(ledger, discounts);
    ledger.save(ledger.get('subscription', subscription.id), {
      ...{ latest_invoice: invoice.id, discounts: kept },
    });
  }
  return invoice;
}

function firstInvoice(ledger: Ledger, subscription: Stored, params: Params): Stored | ApiError {
  const { id, collection_method: method } = subscription;
  const invoice = bill(ledger, subscription, 'subscription_create');
  if (method === 'send_invoice') {
    finalizeLater(ledger, invoice);
    return ledger.get('subscription', id);
  }
  const opened = finalize(ledger, invoice);
  const behaviour = params.payment_behavior ?? 'allow_incomplete';
  if (opened.status === 'paid') activate(ledger, ledger.get('subscription', id));
  else if (behaviour !== 'default_incomplete') {
    const paid = collect(ledger, opened, { off_session: params.off_session ?? false });
    if (paid === undefined) throw noPaymentMethod();
    const isPaid = !(paid instanceof ApiError) && paid.status === 'succeeded';
    if (!isPaid && behaviour === 'error_if_incomplete') {
      const error =
        paid instanceof ApiError
          ? paid
          : new ApiError('The first payment of the subscription needs 3D Secure.', {
              ...{ status: 402, type: 'card_error' },
              code: 'subscription_payment_intent_requires_action',
            });
      throw error.toHttpError();
    }
  }
  const created = ledger.get('subscription', id);
  if (created.status === 'incomplete') {
    ledger.schedule(ledger.now + incompleteSeconds, 'incomplete', id);
  }
  return created;
}

function activate(ledger: Ledger, subscription: Stored): void {
  const open = ['incomplete', 'past_due', 'unpaid'];
  if (!open.includes(subscription.status)) return;
  ledger.unschedule('incomplete', subscription.id);
  ledger.change(subscription, { status: 'active' }, 'customer.subscription.updated');
}

const subscriptionOf = (ledger: Ledger, invoice: Stored | undefined): Stored | undefined => {
  const id = invoice?.parent?.subscription_details?.subscription;
  return id && ledger.find('subscription', id);
};

/** Called when the intent of an invoice of a subscription has succeeded. */
export function invoiceSucceeded(ledger: Ledger, intent: Stored): void {
  const subscription = subscriptionOf(ledger, invoicePaid(ledger, intent));
  if (subscription === undefined || isOver(subscription)) return;
  const { payment_method: method } = intent;
  if (subscription.default_payment_method === null && subscription._savesMethod) {
    ledger.save(subscription, { default_payment_method: method });
  }
  activate(ledger, ledger.get('subscription', subscription.id));
}

/** A failed payment makes a subscription past due; the last one ends it. */
export function invoiceNotPaid(ledger: Ledger, intent: Stored): void {
  const invoice = invoiceFailed(ledger, intent);
  const subscription = subscriptionOf(ledger, invoice);
  if (invoice === undefined || subscription === undefined || isOver(subscription)) return;
  if (subscription.status === 'incomplete') return;
  if (invoice.attempt_count > retryDays.length) {
    ledger.save(invoice, { auto_advance: false });
    end(ledger, subscription, 'payment_failed');
  } else {
    ledger.change(subscription, { status: 'past_due' }, 'customer.subscription.updated');
  }
}

function end(ledger: Ledger, subscription: Stored, reason: string | null): Stored {
  for (const what of ['renew', 'end', 'upcoming', 'trial-end', 'incomplete']) {
    ledger.unschedule(what, subscription.id);
  }
  const ended = ledger.save(subscription, {
    ...{ status: 'canceled', canceled_at: subscription.canceled_at ?? ledger.now },
    ended_at: ledger.now,
    cancellation_details: { ...subscription.cancellation_details, ...(reason && { reason }) },
  });
  ledger.emit('customer.subscription.deleted', ended);
  return ended;
}

/** Begins the next period, or ends the subscription. */
export function renew(ledger: Ledger, id: string): void {
  const before = ledger.find('subscription', id);
  if (before === undefined || isOver(before)) return;
  if (before.cancel_at !== null && before.cancel_at <= ledger.now) {
    end(ledger, before, null);
    return;
  }
  if (before.status === 'incomplete' || before.status === 'paused') return;
  const start = endOf(before);
  const { recurring } = itemsOf(before)[0].price;
  const next = periodEndAfter(before.billing_cycle_anchor, recurring, start);
  const isAfterTrial = before.status === 'trialing';
  if (isAfterTrial && endWithoutMethod(ledger, before)) return;
  const data = itemsOf(before).map((item) => ({
    ...item,
    ...{ current_period_start: start, current_period_end: next },
  }));
  const after = ledger.change(
    before,
    {
      items: { ...before.items, data },
      ...(isAfterTrial && { status: 'active' }),
    },
    'customer.subscription.updated',
  );
  plan(ledger, after);
  finalizeLater(
    ledger,
    bill(ledger, after, 'subscription_cycle', { period_end: next, period_start: start }),
  );
}

/** Pauses or cancels at the end of a trial without a payment method, if the settings say so. */
function endWithoutMethod(ledger: Ledger, subscription: Stored): boolean {
  const { missing_payment_method: rule } = subscription.trial_settings?.end_behavior ?? {};
  const settings = customerOf(ledger, subscription.customer).invoice_settings;
  if (subscription.default_payment_method ?? settings.default_payment_method) return false;
  if (rule === 'cancel') end(ledger, subscription, null);
  if (rule === 'pause') {
    const event = 'customer.subscription.updated';
    const paused = ledger.change(subscription, { status: 'paused' }, event);
    ledger.emit('customer.subscription.paused', paused);
  }
  return rule === 'cancel' || rule === 'pause';
}

/** Begins a new period of a paused subscription, and bills it. */
function resume(ledger: Ledger, subscription: Stored): Stored | ApiError {
  if (subscription.status !== 'paused') {
    return new ApiError(
      `Only a paused subscription can be resumed; this one is ${subscription.status}.`,
    );
  }
  const items = itemsOf(subscription);
  const cycle = cycleFrom(ledger, subscription, items, items[0].price.recurring);
  const event = 'customer.subscription.updated';
  const resumed = ledger.change(subscription, { ...cycle, status: 'active' }, event);
  plan(ledger, resumed);
  ledger.emit('customer.subscription.resumed', resumed);
  invoiceNow(ledger, resumed, true);
  return ledger.get('subscription', subscription.id);
}

/** Returns the subscription with an item. Throws 404 for an unknown item. */
function ownerOf(ledger: Ledger, itemId: string): Stored {
  const found = ledger
    .all('subscription')
    .find((each) => itemsOf(each).some(({ id }) => id === itemId));
  if (found === undefined) throw noSuch('subscription_item', itemId, 'id');
  return found;
}

/** Changes one item of a subscription, and returns the items. */
function changeItem(
  ledger: Ledger,
  subscription: Stored,
  { proration_behavior, proration_date, subscription: _owner, ...item }: Params,
): readonly Value[] | ApiError {
  const changed = update(ledger, subscription, {
    ...{ items: [item], ...(proration_behavior && { proration_behavior }) },
    ...(proration_date !== undefined && { proration_date }),
  });
  return changed instanceof ApiError ? changed : itemsOf(changed);
}

export function endDue(ledger: Ledger, id: string): void {
  const subscription = ledger.find('subscription', id);
  if (subscription !== undefined && !isOver(subscription)) end(ledger, subscription, null);
}

export function trialWillEnd(ledger: Ledger, id: string): void {
  const subscription = ledger.find('subscription', id);
  if (subscription?.status !== 'trialing') return;
  ledger.emit('customer.subscription.trial_will_end', subscription);
}

export function upcoming(ledger: Ledger, id: string): void {
  const subscription = ledger.find('subscription', id);
  if (subscription === undefined || isOver(subscription)) return;
  ledger.emit('invoice.upcoming', withoutSecret(preview(ledger, { subscription: id })));
}

/** A first payment that never succeeded. */
export function expireIncomplete(ledger: Ledger, id: string): void {
  const subscription = ledger.find('subscription', id);
  if (subscription?.status !== 'incomplete') return;
  ledger.unschedule('renew', id);
  const invoice = ledger.find('invoice', subscription.latest_invoice);
  if (invoice?.status === 'open') closeInvoice(ledger, invoice, 'void');
  const expired = { status: 'incomplete_expired', ended_at: ledger.now };
  ledger.change(subscription, expired, 'customer.subscription.updated');
}

/** Returns the items after the changes of a request. */
function changedItems(ledger: Ledger, subscription: Stored, given: readonly Params[]): Value[] {
  const [{ current_period_end: end, current_period_start: start }] = itemsOf(subscription) as [
    Value,
  ];
  let items = [...itemsOf(subscription)];
  for (const [index, change] of given.entries()) {
    const param = `items[${index}]`;
    if (change.id === undefined) {
      items.push(newItem(ledger, change, { id: subscription.id, end, start }, param));
      continue;
    }
    const known = items.find(({ id }) => id === change.id);
    if (known === undefined) throw noSuch('subscription item', change.id, `${param}[id]`);
    const isKept = change.price === undefined && change.price_data === undefined;
    const price = isKept ? known.price : priceFor(ledger, change, param);
    const next = {
      ...{ ...known, price, plan: planOf(price), quantity: change.quantity ?? known.quantity },
      ...changesFrom(change, known, ['metadata']),
    };
    items = change.deleted
      ? items.filter((item) => item !== known)
      : items.map((item) => (item === known ? next : item));
  }
  checkItems(items);
  return items;
}

function update(ledger: Ledger, subscription: Stored, params: Params): Stored | ApiError {
  if (isOver(subscription)) {
    return new ApiError('This subscription is over, and cannot be changed.', {
      code: 'resource_missing',
    });
  }
  const { id } = subscription;
  if (params.default_payment_method) {
    paymentMethodFor(ledger, params.default_payment_method, {
      ...{ customer: subscription.customer, param: 'default_payment_method' },
    });
  }
  const before = itemsOf(subscription);
  const items = params.items ? changedItems(ledger, subscription, params.items) : [...before];
  const old = before[0].price.recurring;
  const { recurring } = items[0].price;
  const isNewCycle =
    params.billing_cycle_anchor === 'now' ||
    params.trial_end === 'now' ||
    old.interval !== recurring.interval ||
    old.interval_count !== recurring.interval_count;
  const behaviour = params.proration_behavior ?? 'create_prorations';
  const isProrated = behaviour !== 'none' && subscription.status !== 'trialing';
  const at = params.proration_date ?? ledger.now;
  const after = isNewCycle ? [] : items;
  if (isProrated) createProrations(ledger, subscription, prorations(before, after, at));
  const changed = ledger.change(
    subscription,
    {
      ...settingsFrom(ledger, subscription, params),
      ...cycleFrom(ledger, subscription, items, isNewCycle ? recurring : undefined),
      ...trialFrom(ledger, params, items, subscription),
    },
    'customer.subscription.updated',
  );
  plan(ledger, changed);
  if (isNewCycle) invoiceNow(ledger, changed, true);
  else if (behaviour === 'always_invoice') invoiceNow(ledger, changed, false);
  return ledger.get('subscription', id);
}

function settingsFrom(ledger: Ledger, subscription: Stored, params: Params): Params {
  const names = ['collection_method', 'days_until_due', 'default_payment_method', 'description'];
  const { cancel_at_period_end: atEnd, cancel_at: cancelAt, discounts } = params;
  const owner = { subscription: subscription.id, customer: subscription.customer };
  const isCanceling = atEnd ?? (cancelAt === undefined ? undefined : cancelAt !== '');
  return {
    ...changesFrom(params, subscription, [...names, 'metadata', 'trial_settings']),
    ...(params.cancellation_details && {
      cancellation_details: {
        ...subscription.cancellation_details,
        ...changesFrom(params.cancellation_details, {}),
      },
    }),
    ...(isCanceling !== undefined && {
      cancel_at_period_end: atEnd ?? false,
      cancel_at: isCanceling
        ? atEnd
          ? endOf(subscription)
          : cancelTime(cancelAt, endOf(subscription))
        : null,
      canceled_at: isCanceling ? ledger.now : null,
    }),
    ...(discounts !== undefined && { discounts: createDiscounts(ledger, discounts, owner) }),
  };
}

function cycleFrom(
  ledger: Ledger,
  subscription: Stored,
  items: readonly Value[],
  recurring: Value,
): Params {
  if (recurring === undefined) return { items: { ...subscription.items, data: items } };
  const end = periodEndAfter(ledger.now, recurring, ledger.now);
  const data = items.map((item) => ({
    ...item,
    ...{ current_period_start: ledger.now, current_period_end: end },
  }));
  return { billing_cycle_anchor: ledger.now, items: { ...subscription.items, data } };
}

function trialFrom(
  ledger: Ledger,
  params: Params,
  items: readonly Value[],
  subscription: Stored,
): Params {
  if (params.trial_end === undefined) return {};
  if (params.trial_end === 'now') return { trial_end: ledger.now, status: 'active' };
  const end = trialEndFrom(ledger, { trial_end: params.trial_end });
  const data = items.map((item) => ({ ...item, current_period_end: end }));
  return {
    ...{ trial_end: end, trial_start: subscription.trial_start ?? ledger.now },
    ...{ billing_cycle_anchor: end, status: 'trialing' },
    items: { ...subscription.items, data },
  };
}

function invoiceNow(ledger: Ledger, subscription: Stored, isWhole: boolean): void {
  const { customer, currency, collection_method: method } = subscription;
  if (!isWhole && pendingItems(ledger, customer, currency).length === 0) return;
  const opened = finalize(
    ledger,
    bill(ledger, subscription, 'subscription_update', { _isWhole: isWhole }),
  );
  if (opened.status === 'open' && method === 'charge_automatically') {
    if (collect(ledger, opened) === undefined) throw noPaymentMethod();
  }
}

/** Returns the next invoice without storing anything. */
function preview(ledger: Ledger, params: Params): Stored {
  const { subscription: id, subscription_details: details = {}, customer } = params;
  const invoiceId = ledger.newId('upcoming_in');
  if (id === undefined) {
    const owner = customerOf(ledger, customer ?? '');
    const items = pendingItems(ledger, owner.id, params.currency ?? owner.currency ?? 'usd');
    const lines = items.map((item) => lineOfItem(ledger, item));
    return createInvoice(
      ledger,
      { customer: owner.id, id: invoiceId, _isPreview: true, billing_reason: 'upcoming' },
      lines,
    );
  }
  const subscription = ledger.get('subscription', id, 'subscription');
  const before = itemsOf(subscription);
  const after = details.items ? changedItems(ledger, subscription, details.items) : before;
  const start = endOf(subscription);
  const at = details.proration_date ?? ledger.now;
  const isProrated = details.proration_behavior !== 'none' && subscription.status !== 'trialing';
  const changes = isProrated ? prorations(before, after, at) : [];
  const pending = [
    ...pendingItems(ledger, subscription.customer, subscription.currency),
    ...createProrations(ledger, subscription, changes, false),
  ];
  const next = periodEndAfter(subscription.billing_cycle_anchor, after[0].price.recurring, start);
  const isEnding = details.cancel_at_period_end ?? subscription.cancel_at_period_end;
  const period = { end: next, start };
  const lines = [
    ...pending.map((item) => lineOfItem(ledger, item)),
    ...(isEnding ? [] : after).map((item) => itemLine(ledger, subscription, item, period)),
  ];
  const discounts = discountsOf(ledger, subscription);
  return createInvoice(
    ledger,
    {
      ...{ id: invoiceId, customer: subscription.customer, currency: subscription.currency },
      ...{ billing_reason: 'upcoming', discounts, _isPreview: true, next_payment_attempt: start },
      ...{ period_start: start, period_end: next, parent: subscriptionParent(subscription) },
    },
    lines,
  );
}

function cancel(ledger: Ledger, subscription: Stored, params: Params): Stored {
  if (isOver(subscription)) throw noSuch('subscription', subscription.id, 'id');
  const { prorate, invoice_now: isInvoiced, cancellation_details: details } = params;
  if (prorate && subscription.status === 'active') {
    const changes = prorations(itemsOf(subscription), [], ledger.now);
    createProrations(ledger, subscription, changes);
  }
  if (isInvoiced) invoiceNow(ledger, subscription, false);
  const current = ledger.get('subscription', subscription.id);
  const noted = details
    ? ledger.save(current, {
        cancellation_details: { ...current.cancellation_details, ...changesFrom(details, {}) },
      })
    : current;
  return end(ledger, noted, 'cancellation_requested');
}

/** Ends the subscriptions of a customer that is deleted. */
export function cancelAll(ledger: Ledger, customer: string): void {
  for (const subscription of ledger.all('subscription')) {
    if (subscription.customer === customer && !isOver(subscription))
      end(ledger, subscription, null);
  }
}

export const subscriptionsOf = (ledger: Ledger, { id }: Stored): Value =>
  nestedList(
    ledger
      .all('subscription')
      .filter((each) => each.customer === id && !isOver(each))
      .map(visible)
      .reverse(),
    `/v1/customers/${id}/subscriptions`,
  );

const shown = (result: Stored | ApiError) =>
  result instanceof ApiError ? result : visible(result);

export const subscriptionOperations: Operations = {
  'subscription.create': ({ ledger, params }) => {
    const created = createSubscription(ledger, params);
    const saving = params.payment_settings?.save_default_payment_method;
    if (created instanceof ApiError || saving === undefined) return shown(created);
    const settings = { ...created.payment_settings, save_default_payment_method: saving };
    return visible(
      ledger.save(ledger.get('subscription', created.id), {
        ...{ payment_settings: settings, _savesMethod: saving === 'on_subscription' },
      }),
    );
  },
  'subscription.retrieve': ({ ledger, id }) => visible(ledger.get('subscription', id)),
  'subscription.update': ({ ledger, params, id }) =>
    shown(update(ledger, ledger.get('subscription', id), params)),
  'subscription.cancel': ({ ledger, params, id }) =>
    visible(cancel(ledger, ledger.get('subscription', id), params)),
  'subscription.resume': ({ ledger, id }) => shown(resume(ledger, ledger.get('subscription', id))),
  'subscription.list': (call) => {
    const { status, price, created } = call.params;
    const names = ['collection_method', 'customer'];
    const wanted = names.filter((name) => call.params[name] !== undefined);
    const isWanted = (each: Stored): boolean => {
      if (status === 'all') return true;
      if (status === 'ended') return isOver(each);
      return status === undefined ? !isOver(each) : each.status === status;
    };
    return page(
      call,
      call.ledger
        .all('subscription')
        .filter(
          (each) =>
            isWanted(each) &&
            isWithin(each.created, created) &&
            wanted.every((name) => each[name] === call.params[name]) &&
            (price === undefined || itemsOf(each).some((item) => item.price.id === price)),
        ),
    );
  },
  'subscription.search': (call) => search(call, 'subscription'),
  'subscription_item.create': ({ ledger, params }) => {
    const owner = ledger.get('subscription', params.subscription, 'subscription');
    const known = new Set(itemsOf(owner).map(({ id }) => id));
    const items = changeItem(ledger, owner, params);
    return items instanceof ApiError ? items : items.find(({ id }) => !known.has(id));
  },
  'subscription_item.retrieve': ({ ledger, id }) =>
    itemsOf(ownerOf(ledger, id)).find((item) => item.id === id),
  'subscription_item.update': ({ ledger, params, id }) => {
    const items = changeItem(ledger, ownerOf(ledger, id), { ...params, id });
    return items instanceof ApiError ? items : items.find((item) => item.id === id);
  },
  'subscription_item.del': ({ ledger, params, id }) => {
    const items = changeItem(ledger, ownerOf(ledger, id), { ...params, id, deleted: true });
    return items instanceof ApiError ? items : { id, object: 'subscription_item', deleted: true };
  },
  'subscription_item.list': (call) => {
    const subscription = call.ledger.get('subscription', call.params.subscription, 'subscription');
    return page(call, [...itemsOf(subscription)].reverse());
  },
  'invoice.createPreview': ({ ledger, params }) => withoutSecret(preview(ledger, params)),
};

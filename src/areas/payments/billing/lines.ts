/** Lines of invoices, invoice items, and prorations. */

import { changesFrom, currencyOf, type Operations } from '../engine/call.js';
import type { Ledger } from '../engine/ledger.js';
import { isWithin, list, page } from '../engine/lists.js';
import { type Params, type Stored, type Value, visible } from '../engine/objects.js';
import { customerOf } from '../objects/customers.js';
import { invalidRequest } from '../wire/errors.js';

/** Returns the price of a quantity, rounded to the smallest unit. */
export const priceOf = (price: Value, quantity: number): number =>
  Math.round(Number(price.unit_amount_decimal ?? price.unit_amount ?? 0) * quantity);

export function pricingOf(price: Value): Value {
  return {
    price_details: { price: price.id, product: price.product },
    type: 'price_details',
    unit_amount_decimal: price.unit_amount_decimal,
  };
}

interface LineParts {
  readonly amount: number;
  readonly currency: string;
  readonly description: string | null;
  readonly period: Value;
  readonly quantity: number | null;
  readonly parent: Value;
  readonly pricing: Value;
  readonly subscription?: string | null;
  readonly discountable?: boolean;
  readonly metadata?: Value;
}

export function line(ledger: Ledger, parts: LineParts): Stored {
  return ledger.draft('invoice_line_item', {
    ...{ id: ledger.newId('il'), subtotal: parts.amount },
    ...parts,
  });
}

/** Returns the line of an item of a subscription for one period. */
export function itemLine(ledger: Ledger, subscription: Stored, item: Value, period: Value): Stored {
  const { price, quantity } = item;
  const isTrial = subscription.trial_end !== null && period.end <= subscription.trial_end;
  const product = ledger.find('product', price.product)?.name ?? 'Product';
  const { interval, interval_count: count } = price.recurring;
  const every = count === 1 ? interval : `${count} ${interval}s`;
  const text = isTrial
    ? `Trial period for ${product}`
    : `${quantity} × ${product} (at ${(priceOf(price, 1) / 100).toFixed(2)} / ${every})`;
  return line(ledger, {
    amount: isTrial ? 0 : priceOf(price, quantity),
    ...{ currency: price.currency, description: text, period, quantity },
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        ...{ invoice_item: null, proration: false },
        proration_details: { credited_items: null },
        ...{ subscription: subscription.id, subscription_item: item.id },
      },
      type: 'subscription_item_details',
    },
    pricing: pricingOf(price),
    ...{ subscription: subscription.id, metadata: subscription.metadata },
  });
}

export function lineOfItem(ledger: Ledger, item: Stored): Stored {
  const { amount, currency, description, period, quantity, pricing, discountable } = item;
  return line(ledger, {
    ...{ amount, currency, description, period, quantity, pricing, discountable },
    metadata: item.metadata,
    parent: {
      invoice_item_details: {
        ...{ invoice_item: item.id, proration: item.proration },
        proration_details: { credited_items: null },
        subscription: item._subscription ?? null,
      },
      subscription_item_details: null,
      type: 'invoice_item_details',
    },
    subscription: item._subscription ?? null,
  });
}

/** Returns the amounts that a change of items costs for the rest of the period. */
export function prorations(
  before: readonly Value[],
  after: readonly Value[],
  now: number,
): readonly Params[] {
  const changed = before.filter((item) => !after.some((each) => isSame(each, item)));
  const added = after.filter((item) => !before.some((each) => isSame(each, item)));
  const part = (item: Value): number => {
    const { current_period_start: start, current_period_end: end } = item;
    return Math.min(1, Math.max(0, (end - now) / (end - start)));
  };
  const shares = (items: readonly Value[], sign: number) =>
    items.map((item) => ({
      amount: sign * Math.round(priceOf(item.price, item.quantity) * part(item)),
      ...{ item, isCredit: sign < 0, period: { end: item.current_period_end, start: now } },
    }));
  return [...shares(changed, -1), ...shares(added, 1)].filter(({ amount }) => amount !== 0);
}

const isSame = (one: Value, other: Value) =>
  one.id === other.id && one.price.id === other.price.id && one.quantity === other.quantity;

/** Creates the pending items of prorations. */
export function createProrations(
  ledger: Ledger,
  subscription: Stored,
  changes: readonly Params[],
  isStored = true,
): readonly Stored[] {
  return changes.map(({ amount, item, isCredit, period }) => {
    const product = ledger.find('product', item.price.product)?.name ?? 'Product';
    const when = new Date(period.start * 1000).toISOString().slice(0, 10);
    const make = isStored ? 'create' : 'draft';
    const made = ledger[make]('invoiceitem', {
      ...{ amount, currency: subscription.currency, customer: subscription.customer },
      description: `${isCredit ? 'Unused time' : 'Remaining time'} on ${item.quantity} × ${product} after ${when}`,
      ...{ date: ledger.now, discountable: false, period, proration: true },
      parent: {
        subscription_details: { subscription: subscription.id, subscription_item: item.id },
        type: 'subscription_details',
      },
      pricing: pricingOf(item.price),
      quantity: item.quantity,
      _subscription: subscription.id,
    });
    if (isStored) ledger.emit('invoiceitem.created', made);
    return made;
  });
}

/** Returns what waits for the next invoice of a customer. */
export const pendingItems = (
  ledger: Ledger,
  customer: string,
  currency: string,
): readonly Stored[] =>
  ledger
    .all('invoiceitem')
    .filter(
      (item) => item.customer === customer && item.invoice === null && item.currency === currency,
    );

function createItem(ledger: Ledger, params: Params): Stored {
  if (params.customer === undefined) {
    throw invalidRequest('Missing required param: customer.', {
      ...{ code: 'parameter_missing', param: 'customer' },
    });
  }
  const customer = customerOf(ledger, params.customer);
  const invoice = params.invoice ? ledger.get('invoice', params.invoice, 'invoice') : undefined;
  if (invoice !== undefined && invoice.status !== 'draft') {
    throw invalidRequest(
      `The invoice ${invoice.id} is not a draft, so you cannot add items to it.`,
      { code: 'invoice_not_editable', param: 'invoice' },
    );
  }
  const quantity = params.quantity ?? 1;
  const price = params.pricing?.price ? ledger.get('price', params.pricing.price, 'price') : null;
  if (price?.recurring) {
    throw invalidRequest('The price is recurring; a price for one payment is needed.', {
      param: 'pricing[price]',
    });
  }
  const unit = params.price_data ?? price ?? params;
  const total = priceOf(unit, quantity);
  const amount = params.amount ?? total;
  if (params.amount === undefined && unit === params && params.unit_amount_decimal === undefined) {
    throw invalidRequest('An item needs amount, pricing or price_data.', {
      code: 'parameter_missing',
    });
  }
  const currency = currencyOf(unit.currency ?? invoice?.currency ?? customer.currency ?? 'usd');
  const item = ledger.create('invoiceitem', {
    ...{ amount, currency, customer: customer.id, quantity, date: ledger.now },
    description: params.description ?? null,
    discountable: params.discountable ?? true,
    ...{ invoice: invoice?.id ?? null, metadata: changesFrom(params, {}).metadata ?? {} },
    period: params.period ?? { end: ledger.now, start: ledger.now },
    pricing: price === null ? flat(amount, quantity) : pricingOf(price),
  });
  ledger.emit('invoiceitem.created', item);
  return item;
}

const flat = (amount: number, quantity: number): Value => ({
  type: 'price_details',
  unit_amount_decimal: String(quantity === 0 ? 0 : amount / quantity),
});

/** Called when an item of a draft changes. */
export type Refresh = (ledger: Ledger, invoiceId: string) => void;

export const itemOperations = (refresh: Refresh): Operations => {
  const refreshOf = (ledger: Ledger, { invoice }: Stored) => {
    if (invoice !== null) refresh(ledger, invoice);
  };
  const editable = (ledger: Ledger, id: string): Stored => {
    const item = ledger.get('invoiceitem', id);
    const invoice = item.invoice === null ? undefined : ledger.find('invoice', item.invoice);
    if (invoice === undefined || invoice.status === 'draft') return item;
    throw invalidRequest('This invoice item is on an invoice that is no longer a draft.', {
      code: 'invoice_not_editable',
    });
  };
  return {
    'invoiceitem.create': ({ ledger, params }) => {
      const item = createItem(ledger, params);
      refreshOf(ledger, item);
      return visible(item);
    },
    'invoiceitem.retrieve': ({ ledger, id }) => visible(ledger.get('invoiceitem', id)),
    'invoiceitem.update': ({ ledger, params, id }) => {
      const item = editable(ledger, id);
      const quantity = params.quantity ?? item.quantity;
      const unit = params.unit_amount_decimal ?? item.pricing?.unit_amount_decimal;
      const isPriced = params.quantity !== undefined || params.unit_amount_decimal !== undefined;
      const amount =
        params.amount ?? (isPriced ? Math.round(Number(unit) * quantity) : item.amount);
      const { unit_amount_decimal: _unit, ...own } = params;
      const changes = { ...changesFrom(own, item), amount, quantity };
      const changed = ledger.save(item, changes);
      refreshOf(ledger, changed);
      return visible(changed);
    },
    'invoiceitem.del': ({ ledger, id }) => {
      const item = editable(ledger, id);
      const removed = ledger.remove(item);
      ledger.emit('invoiceitem.deleted', item);
      refreshOf(ledger, item);
      return removed;
    },
    'invoiceitem.list': (call) => {
      const { pending, created } = call.params;
      if (pending === undefined) return list(call, 'invoiceitem', ['customer', 'invoice']);
      const { customer } = call.params;
      return page(
        call,
        call.ledger
          .all('invoiceitem')
          .filter(
            (each) =>
              isWithin(each.date, created) &&
              (each.invoice === null) === pending &&
              (customer ?? each.customer) === each.customer,
          ),
      );
    },
  };
};

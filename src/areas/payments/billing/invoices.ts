/** Invoices: drafts, finalization, payment and its retries. */

import { changesFrom, currencyOf, nestedList, type Operations } from '../engine/call.js';
import type { Ledger } from '../engine/ledger.js';
import { isWithin, list, page, search } from '../engine/lists.js';
import { type Params, type Stored, type Value, visible } from '../engine/objects.js';
import { customerOf } from '../objects/customers.js';
import { cancelIntent, confirmIntent, createIntent } from '../objects/payment-intents.js';
import { paymentMethodFor } from '../objects/payment-methods.js';
import { ApiError, invalidRequest } from '../wire/errors.js';
import { createDiscounts, discountAmounts, liveDiscounts } from './discounts.js';
import { lineOfItem, pendingItems } from './lines.js';

const hourSeconds = 60 * 60;
const daySeconds = 24 * hourSeconds;

/** Days after a failed payment until each further attempt. */
export const retryDays = [3, 5, 7] as const;

/** Computes the amounts of an invoice from its lines. */
function totalsOf(ledger: Ledger, lines: readonly Stored[], discounts: readonly string[]): Params {
  const subtotal = lines.reduce((sum, { amount }) => sum + amount, 0);
  const reducible = lines
    .filter(({ discountable, amount }) => discountable !== false && amount > 0)
    .reduce((sum, { amount }) => sum + amount, 0);
  const off = discountAmounts(ledger, discounts, reducible);
  const total = subtotal - off.reduce((sum, { amount }) => sum + amount, 0);
  return {
    ...{ subtotal, subtotal_excluding_tax: subtotal, total, total_excluding_tax: total },
    total_discount_amounts: off,
    ...{ amount_due: Math.max(0, total), amount_remaining: Math.max(0, total) },
  };
}

export function createInvoice(ledger: Ledger, members: Params, lines: readonly Stored[]): Stored {
  const id = members.id ?? ledger.newId('in');
  const customer = customerOf(ledger, members.customer);
  const currency = members.currency ?? lines[0]?.currency ?? customer.currency ?? 'usd';
  const placed = lines.map((each): Stored => ({ ...each, invoice: id }));
  const { name, email, phone, address, shipping, tax_exempt } = customer;
  const { _isPreview, ...own } = members;
  const draft = {
    ...{ id, currency, customer_name: name, customer_email: email, customer_phone: phone },
    ...{ customer_address: address, customer_shipping: shipping },
    customer_tax_exempt: tax_exempt,
    ...{ period_end: ledger.now, period_start: ledger.now, auto_advance: true },
    lines: nestedList(placed, `/v1/invoices/${id}/lines`),
    ...totalsOf(ledger, placed, members.discounts ?? []),
    ...own,
  };
  if (_isPreview) return ledger.draft('invoice', draft);
  const invoice = ledger.create('invoice', draft);
  for (const { parent } of placed) {
    const itemId = parent?.invoice_item_details?.invoice_item;
    const item = itemId && ledger.find('invoiceitem', itemId);
    if (item) ledger.save(item, { invoice: id });
  }
  ledger.emit('invoice.created', invoice);
  return invoice;
}

/** Computes a draft again, after its items changed. */
export function refreshInvoice(ledger: Ledger, id: string): void {
  const invoice = ledger.find('invoice', id);
  if (invoice?.status !== 'draft') return;
  const fixed = invoice.lines.data.filter(({ parent }: Value) => !parent?.invoice_item_details);
  const items = ledger
    .all('invoiceitem')
    .filter((item) => item.invoice === id)
    .map((item) => ({ ...lineOfItem(ledger, item), invoice: id }));
  const lines = [...fixed, ...items];
  const changes = {
    lines: { ...invoice.lines, data: lines },
    ...totalsOf(ledger, lines, invoice.discounts),
  };
  ledger.change(invoice, changes, 'invoice.updated');
}

const notDraft = (invoice: Stored, act: string) =>
  new ApiError(
    `You can't ${act} an invoice that is not a draft; invoice ${invoice.id} is ${invoice.status}.`,
    { code: 'invoice_not_editable' },
  );

/** Makes a draft payable. */
export function finalize(ledger: Ledger, invoice: Stored): Stored {
  const customer = customerOf(ledger, invoice.customer);
  const place = customer.next_invoice_sequence;
  ledger.save(customer, {
    ...{ next_invoice_sequence: place + 1, currency: customer.currency ?? invoice.currency },
    balance: balanceAfter(customer.balance, invoice.total),
  });
  const startingBalance = customer.balance;
  const due = Math.max(0, invoice.total + startingBalance);
  const isSent = invoice.collection_method === 'send_invoice';
  const opened = ledger.save(invoice, {
    ...{ amount_due: due, amount_remaining: due, automatically_finalizes_at: null },
    ...{ effective_at: ledger.now, starting_balance: startingBalance, status: 'open' },
    ending_balance: balanceAfter(startingBalance, invoice.total),
    due_date: isSent ? (invoice.due_date ?? ledger.now + (invoice._days ?? 30) * daySeconds) : null,
    hosted_invoice_url: null,
    number: invoice.number ?? `${customer.invoice_prefix}-${String(place).padStart(4, '0')}`,
    status_transitions: { ...invoice.status_transitions, finalized_at: ledger.now },
  });
  ledger.unschedule('finalize', invoice.id);
  ledger.emit('invoice.finalized', opened);
  if (due === 0) return markPaid(ledger, opened, 0);
  const intent = createIntent(ledger, {
    ...{ amount: Math.max(due, 50), currency: invoice.currency, customer: customer.id },
    ...{ payment_method_types: ['card'], setup_future_usage: 'off_session' },
    description: invoice.subscription ? 'Subscription update' : `Payment for Invoice`,
    _invoice: invoice.id,
  });
  ledger.create('invoice_payment', {
    ...{ amount_requested: due, currency: invoice.currency, invoice: invoice.id },
    payment: { payment_intent: intent.id, type: 'payment_intent' },
  });
  return ledger.save(opened, {
    _intent: intent.id,
    confirmation_secret: { client_secret: intent.client_secret, type: 'payment_intent' },
  });
}

/** A negative balance pays for invoices; a positive one is owed. */
const balanceAfter = (balance: number, total: number): number =>
  balance < 0 || total < 0 ? Math.min(0, balance + total) : 0;

function markPaid(ledger: Ledger, invoice: Stored, amount: number): Stored {
  const paid = ledger.save(invoice, {
    ...{ amount_paid: amount, amount_remaining: 0, status: 'paid', next_payment_attempt: null },
    ...{ attempted: true, auto_advance: false },
    status_transitions: { ...invoice.status_transitions, paid_at: ledger.now },
  });
  ledger.unschedule('retry', invoice.id);
  const payment = paymentOf(ledger, invoice.id);
  if (payment !== undefined) {
    const settled = ledger.save(payment, {
      ...{ amount_paid: amount, status: 'paid' },
      status_transitions: { ...payment.status_transitions, paid_at: ledger.now },
    });
    ledger.emit('invoice_payment.paid', settled);
  }
  ledger.emit('invoice.paid', paid);
  if (amount > 0) ledger.emit('invoice.payment_succeeded', paid);
  return paid;
}

export const paymentOf = (ledger: Ledger, invoiceId: string): Stored | undefined =>
  ledger.all('invoice_payment').find(({ invoice }) => invoice === invoiceId);

/** Called when the intent of an invoice has succeeded. */
export function invoicePaid(ledger: Ledger, intent: Stored): Stored | undefined {
  const invoice = ledger.find('invoice', intent._invoice);
  if (invoice === undefined || invoice.status === 'paid') return undefined;
  return markPaid(
    ledger,
    ledger.save(invoice, { attempt_count: invoice.attempt_count + 1 }),
    invoice.amount_due,
  );
}

/** Called when a payment of an invoice has failed. */
export function invoiceFailed(ledger: Ledger, intent: Stored): Stored | undefined {
  const invoice = ledger.find('invoice', intent._invoice);
  if (invoice?.status !== 'open') return undefined;
  const attempts = invoice.attempt_count + 1;
  const days = invoice.auto_advance ? retryDays[attempts - 1] : undefined;
  const next = days === undefined ? null : ledger.now + days * daySeconds;
  const failed = ledger.save(invoice, {
    ...{ attempt_count: attempts, attempted: true, next_payment_attempt: next },
  });
  if (next !== null) ledger.schedule(next, 'retry', invoice.id);
  ledger.emit('invoice.payment_failed', failed);
  return failed;
}

/** Returns the payment method of an invoice: its own, of its subscription, or of the customer. */
function methodOf(ledger: Ledger, invoice: Stored): string | undefined {
  const { subscription } = invoice.parent?.subscription_details ?? {};
  const owner = subscription && ledger.find('subscription', subscription);
  const customer = customerOf(ledger, invoice.customer);
  return (
    invoice.default_payment_method ??
    owner?.default_payment_method ??
    customer.invoice_settings.default_payment_method ??
    undefined
  );
}

export const noPaymentMethod = () =>
  invalidRequest(
    'The customer has no default payment method. Set invoice_settings[default_payment_method].',
    { code: 'resource_missing' },
  );

/** Attempts the payment of an open invoice; `undefined` without a payment method. */
export function collect(
  ledger: Ledger,
  invoice: Stored,
  { payment_method: given, off_session: isOffSession = true }: Params = {},
): Stored | ApiError | undefined {
  const method = given ?? methodOf(ledger, invoice);
  if (method === undefined) return undefined;
  const intent = ledger.get('payment_intent', invoice._intent);
  const use = { payment_method: method, _isInternal: true };
  return confirmIntent(ledger, intent, isOffSession ? { ...use, off_session: true } : use);
}

/** Finalizes a draft whose hour is over, and collects. */
export function finalizeDue(ledger: Ledger, id: string): void {
  const invoice = ledger.find('invoice', id);
  if (invoice?.status !== 'draft') return;
  const opened = finalize(ledger, invoice);
  if (opened.status !== 'open' || opened.collection_method !== 'charge_automatically') return;
  const attempted = collect(ledger, opened);
  if (attempted === undefined) {
    ledger.reactions.failed(ledger, ledger.get('payment_intent', opened._intent));
  }
}

export function retryDue(ledger: Ledger, id: string): void {
  const invoice = ledger.find('invoice', id);
  if (invoice?.status !== 'open') return;
  if (collect(ledger, invoice) === undefined) {
    ledger.reactions.failed(ledger, ledger.get('payment_intent', invoice._intent));
  }
}

/** Finalizes a draft in an hour, as the provider does. */
export function finalizeLater(ledger: Ledger, invoice: Stored): Stored {
  const at = ledger.now + hourSeconds;
  ledger.schedule(at, 'finalize', invoice.id);
  return ledger.save(invoice, { automatically_finalizes_at: at });
}

function pay(ledger: Ledger, invoice: Stored, params: Params): Stored | ApiError {
  if (invoice.status === 'paid') {
    return new ApiError('Invoice is already paid', { code: 'invoice_already_paid' });
  }
  if (invoice.status !== 'open' && invoice.status !== 'draft') {
    return new ApiError(`Invoices that are ${invoice.status} cannot be paid.`, {
      code: 'invoice_not_payable',
    });
  }
  const opened = invoice.status === 'draft' ? finalize(ledger, invoice) : invoice;
  if (opened.status === 'paid') return opened;
  if (params.paid_out_of_band) {
    const intent = ledger.get('payment_intent', opened._intent);
    cancelIntent(ledger, intent, 'void_invoice');
    return markPaid(ledger, opened, opened.amount_due);
  }
  if (params.payment_method) {
    paymentMethodFor(ledger, params.payment_method, { customer: opened.customer });
  }
  const use = { ...params, off_session: params.off_session ?? false };
  const result = collect(ledger, opened, use);
  if (result === undefined) throw noPaymentMethod();
  if (result instanceof ApiError) return result;
  const after = ledger.get('invoice', opened.id);
  if (after.status === 'paid') return after;
  return new ApiError(
    'This payment requires additional user action before it can be completed successfully. Payment can be completed using the PaymentIntent associated with the invoice.',
    { ...{ status: 402, type: 'card_error' }, code: 'invoice_payment_intent_requires_action' },
  );
}

/** Ends an invoice without payment. */
export function closeInvoice(
  ledger: Ledger,
  invoice: Stored,
  status: 'void' | 'uncollectible',
): Stored | ApiError {
  const allowed = status === 'void' ? ['open', 'uncollectible'] : ['open'];
  if (!allowed.includes(invoice.status)) {
    const act = status === 'void' ? 'void' : 'mark as uncollectible';
    return new ApiError(
      `You can only ${act} an invoice that is ${allowed.join(' or ')}. This invoice is ${invoice.status}.`,
    );
  }
  const intent = invoice._intent && ledger.find('payment_intent', invoice._intent);
  if (status === 'void' && intent) cancelIntent(ledger, intent, 'void_invoice');
  ledger.unschedule('retry', invoice.id);
  const at = status === 'void' ? 'voided_at' : 'marked_uncollectible_at';
  const closed = ledger.save(invoice, {
    ...{ status, auto_advance: false, next_payment_attempt: null },
    ...(status === 'void' && { amount_remaining: 0 }),
    status_transitions: { ...invoice.status_transitions, [at]: ledger.now },
  });
  const event = status === 'void' ? 'invoice.voided' : 'invoice.marked_uncollectible';
  ledger.emit(event, closed);
  return closed;
}

function create(ledger: Ledger, params: Params): Stored {
  if (params.customer === undefined) {
    throw invalidRequest('Missing required param: customer.', {
      ...{ code: 'parameter_missing', param: 'customer' },
    });
  }
  const customer = customerOf(ledger, params.customer);
  const currency = currencyOf(params.currency ?? customer.currency ?? 'usd');
  const isSent = params.collection_method === 'send_invoice';
  if (!isSent && (params.days_until_due !== undefined || params.due_date !== undefined)) {
    throw invalidRequest(
      'You can only specify `due_date` or `days_until_due` if invoice `collection_method` is `send_invoice`.',
    );
  }
  if (isSent && params.days_until_due === undefined && params.due_date === undefined) {
    throw invalidRequest(
      'If invoice `collection_method` is `send_invoice`, you must specify `due_date` or `days_until_due`.',
    );
  }
  const { discounts: given, days_until_due: days, metadata, ...own } = params;
  const { pending_invoice_items_behavior: behaviour = 'exclude', subscription, ...rest } = own;
  const items = behaviour === 'include' ? pendingItems(ledger, customer.id, currency) : [];
  const id = ledger.newId('in');
  const invoice = createInvoice(
    ledger,
    {
      ...{ auto_advance: false, ...changesFrom(rest, {}), id, currency, customer: customer.id },
      ...{ billing_reason: 'manual', metadata: metadata || {}, _days: days },
      discounts: createDiscounts(ledger, given, { invoice: id }),
      ...(subscription && {
        parent: subscriptionParent(ledger.get('subscription', subscription, 'subscription')),
      }),
    },
    items.map((item) => lineOfItem(ledger, item)),
  );
  return invoice.auto_advance ? finalizeLater(ledger, invoice) : invoice;
}

export const subscriptionParent = ({ id, metadata }: Stored): Value => ({
  quote_details: null,
  subscription_details: { metadata, subscription: id },
  type: 'subscription_details',
});

export const paymentsOf = (ledger: Ledger, { id }: Stored): Value =>
  nestedList(
    ledger
      .all('invoice_payment')
      .filter(({ invoice }) => invoice === id)
      .map(visible),
    `/v1/invoice_payments?invoice=${id}`,
  );

/** The secret is shown only if `expand` names it. */
export function withoutSecret(invoice: Stored): Stored {
  const { confirmation_secret: _secret, ...rest } = visible(invoice);
  return rest as Stored;
}

const shown = (result: Stored | ApiError) =>
  result instanceof ApiError ? result : withoutSecret(result);

export const invoiceOperations: Operations = {
  'invoice.create': ({ ledger, params }) => shown(create(ledger, params)),
  'invoice.retrieve': ({ ledger, id }) => shown(ledger.get('invoice', id)),
  'invoice.update': ({ ledger, params, id }) => {
    const invoice = ledger.get('invoice', id);
    const always = ['metadata', 'auto_advance', 'default_payment_method'];
    if (invoice.status !== 'draft' && Object.keys(params).some((name) => !always.includes(name))) {
      return notDraft(invoice, 'update');
    }
    const { discounts: given, days_until_due: days, ...own } = params;
    const changed = ledger.change(
      invoice,
      {
        ...changesFrom(own, invoice),
        ...(days !== undefined && { _days: days }),
        ...(given !== undefined && { discounts: createDiscounts(ledger, given, { invoice: id }) }),
      },
      'invoice.updated',
    );
    refreshInvoice(ledger, id);
    return shown(ledger.find('invoice', id) ?? changed);
  },
  'invoice.del': ({ ledger, id }) => {
    const invoice = ledger.get('invoice', id);
    if (invoice.status !== 'draft') return notDraft(invoice, 'delete');
    for (const item of ledger.all('invoiceitem')) {
      if (item.invoice === id) ledger.save(item, { invoice: null });
    }
    ledger.emit('invoice.deleted', invoice);
    return ledger.remove(invoice);
  },
  'invoice.finalize': ({ ledger, id, params }) => {
    const invoice = ledger.get('invoice', id);
    if (invoice.status !== 'draft') {
      return new ApiError(
        `This invoice is already finalized, you can't re-finalize a non-draft invoice.`,
        { code: 'invoice_not_editable' },
      );
    }
    const auto = params.auto_advance ?? invoice.auto_advance;
    const opened = finalize(ledger, ledger.save(invoice, { auto_advance: auto }));
    return shown(opened);
  },
  'invoice.pay': ({ ledger, id, params }) => shown(pay(ledger, ledger.get('invoice', id), params)),
  'invoice.voidInvoice': ({ ledger, id }) =>
    shown(closeInvoice(ledger, ledger.get('invoice', id), 'void')),
  'invoice.markUncollectible': ({ ledger, id }) =>
    shown(closeInvoice(ledger, ledger.get('invoice', id), 'uncollectible')),
  'invoice.send': ({ ledger, id }) => {
    const invoice = ledger.get('invoice', id);
    if (invoice.collection_method !== 'send_invoice') {
      return new ApiError(
        'You can only manually send an invoice if its `collection_method` is `send_invoice`.',
      );
    }
    const opened = invoice.status === 'draft' ? finalize(ledger, invoice) : invoice;
    ledger.emit('invoice.sent', opened);
    return shown(opened);
  },
  'invoice.listLines': (call) => {
    const { data } = call.ledger.get('invoice', call.id).lines;
    return page(call, [...data].reverse());
  },
  'invoice.list': (call) => {
    const { subscription } = call.params;
    const names = ['collection_method', 'customer', 'status'];
    const wanted = names.filter((name) => call.params[name] !== undefined);
    const found = page(
      call,
      call.ledger
        .all('invoice')
        .filter(
          (each) =>
            isWithin(each.created, call.params.created) &&
            wanted.every((name) => each[name] === call.params[name]) &&
            (subscription ?? each.parent?.subscription_details?.subscription) ===
              each.parent?.subscription_details?.subscription,
        ),
    );
    return { ...found, data: found.data.map(withoutSecret) };
  },
  'invoice.search': (call) => search(call, 'invoice'),
  'invoice_payment.retrieve': ({ ledger, id }) => visible(ledger.get('invoice_payment', id)),
  'invoice_payment.list': (call) => list(call, 'invoice_payment', ['invoice', 'status']),
};

export const discountsOf = (ledger: Ledger, { discounts }: Stored): readonly string[] =>
  liveDiscounts(ledger, discounts);

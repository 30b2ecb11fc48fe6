/** Customers. */

import { changesFrom, type Operations } from '../engine/call.js';
import type { Ledger } from '../engine/ledger.js';
import { list, page, search } from '../engine/lists.js';
import { type Params, type Stored, visible } from '../engine/objects.js';
import { invalidRequest } from '../wire/errors.js';
import { attach, paymentMethodFor } from './payment-methods.js';

export function customerOf(ledger: Ledger, id: string): Stored {
  return ledger.get('customer', id, 'customer');
}

function checkEmail({ email }: Params): void {
  if (!email || /^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(email)) return;
  throw invalidRequest(`Invalid email address: ${email.slice(0, 100)}`, {
    ...{ code: 'email_invalid', param: 'email' },
  });
}

function settingsOf({ invoice_settings: given }: Params, before: Params): object {
  return given === undefined
    ? {}
    : { invoice_settings: { ...before, ...changesFrom(given, before) } };
}

/** Throws 400 if the default payment method is not the customer's. */
function checkDefault(ledger: Ledger, { invoice_settings: settings }: Params, id: string): void {
  const method = settings?.default_payment_method;
  if (method) paymentMethodFor(ledger, method, { customer: id, param: defaultName });
}

const defaultName = 'invoice_settings[default_payment_method]';

const create: Operations[string] = ({ ledger, params }) => {
  checkEmail(params);
  const { payment_method: method, invoice_settings: _settings, ...own } = params;
  const prefix = params.invoice_prefix ?? ledger.random(8).toUpperCase();
  const draft = ledger.draft('customer', {});
  const customer = ledger.create('customer', {
    ...{ ...draft, ...changesFrom(own, {}) },
    invoice_prefix: prefix,
    metadata: changesFrom(own, {}).metadata ?? {},
  });
  if (method !== undefined) attach(ledger, method, customer.id);
  checkDefault(ledger, params, customer.id);
  const saved = ledger.save(customer, settingsOf(params, customer.invoice_settings));
  ledger.emit('customer.created', saved);
  return visible(saved);
};

/** Called when a customer is deleted. */
export type OnDelete = (ledger: Ledger, customer: string) => void;

export const customerOperations = (onDelete: OnDelete): Operations => ({
  'customer.create': create,
  'customer.retrieve': ({ ledger, id }) => {
    const found = ledger.find('customer', id);
    return found?._gone ? visible(found) : visible(ledger.get('customer', id));
  },
  'customer.update': ({ ledger, params, id }) => {
    const customer = ledger.get('customer', id);
    checkEmail(params);
    checkDefault(ledger, params, id);
    const { invoice_settings: _settings, ...own } = params;
    const changes = {
      ...changesFrom(own, customer),
      ...settingsOf(params, customer.invoice_settings),
    };
    return visible(ledger.change(customer, changes, 'customer.updated'));
  },
  'customer.del': ({ ledger, id }) => {
    onDelete(ledger, id);
    ledger.emit('customer.deleted', ledger.get('customer', id));
    const gone = { id, object: 'customer', deleted: true };
    ledger.replace({ ...gone, _gone: true });
    return gone;
  },
  'customer.list': (call) => list(call, 'customer', ['email']),
  'customer.search': (call) => search(call, 'customer'),
  'customer.listPaymentMethods': (call) => {
    const { ledger, params, id } = call;
    ledger.get('customer', id);
    const { type, allow_redisplay: redisplay } = params;
    const methods = ledger
      .all('payment_method')
      .filter(
        (each) =>
          each.customer === id &&
          (type ?? each.type) === each.type &&
          (redisplay ?? each.allow_redisplay) === each.allow_redisplay,
      );
    return page(call, methods);
  },
  'customer.retrievePaymentMethod': ({ ledger, id, path }) => {
    ledger.get('customer', id);
    const method = ledger.get('payment_method', path.split('/').at(-1) ?? '');
    return visible(paymentMethodFor(ledger, method.id, { customer: id, param: 'id' }));
  },
});

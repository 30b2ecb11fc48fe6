/** Payment methods: test cards. */

import { hash } from 'node:crypto';
import { type Call, changesFrom, type Operations, wholeAddress } from '../engine/call.js';
import { cardNamed, type TestCard } from '../engine/declarations.js';
import type { Ledger } from '../engine/ledger.js';
import { list } from '../engine/lists.js';
import { type Params, type Stored, type Value, visible } from '../engine/objects.js';
import { ApiError, invalidRequest, noSuch } from '../wire/errors.js';

const networks: Readonly<Record<string, string>> = { jcb: 'jcb', unionpay: 'unionpay' };

export function cardOf({ _card }: Stored): TestCard {
  const card = cardNamed(_card);
  if (card === undefined) throw new Error(`There is no test card ${_card}.`);
  return card;
}

/** Returns the details of a card, as payment methods show them. */
function cardDetails(card: TestCard, given: Params, address: Value, year: number): Value {
  const { brand = 'visa', funding = 'credit', country = 'US', checks, number } = card;
  const check = (name: string, sent: unknown) => checks?.[name] ?? (sent ? 'pass' : null);
  return {
    brand,
    checks: {
      address_line1_check: check('address_line1_check', address.line1),
      address_postal_code_check: check('address_postal_code_check', address.postal_code),
      cvc_check: check('cvc_check', given.cvc),
    },
    country,
    display_brand: brand === 'amex' ? 'american_express' : brand,
    exp_month: given.exp_month ?? 12,
    exp_year: given.exp_year ?? year + 4,
    fingerprint: hash('sha256', number, 'base64url').replace(/[-_]/g, 'x').slice(0, 16),
    funding,
    generated_from: null,
    last4: number.slice(-4),
    networks: { available: [networks[brand] ?? brand], preferred: null },
    regulated_status: 'unregulated',
    three_d_secure_usage: { supported: brand !== 'amex' },
    wallet: null,
  };
}

function checkExpiry({ exp_month: month, exp_year: given, cvc }: Params, now: number): void {
  const date = new Date(now * 1000);
  const year = date.getUTCFullYear();
  const full = given !== undefined && given < 100 ? 2000 + given : given;
  const isPast = full === year && month <= date.getUTCMonth();
  const cardError = (code: string, message: string, param: string) =>
    new ApiError(message, { type: 'card_error', code, param: `card[${param}]` }).toHttpError();
  if (month !== undefined && (month < 1 || month > 12 || isPast)) {
    throw cardError(
      'invalid_expiry_month',
      "Your card's expiration month is invalid.",
      'exp_month',
    );
  }
  if (full !== undefined && (full < year || full > year + 50)) {
    throw cardError('invalid_expiry_year', "Your card's expiration year is invalid.", 'exp_year');
  }
  if (cvc !== undefined && !/^\d{3,4}$/.test(cvc)) {
    throw cardError('invalid_cvc', "Your card's security code is invalid.", 'cvc');
  }
}

const yearOf = ({ now }: Ledger) => new Date(now * 1000).getUTCFullYear();

/** Creates a payment method from parameters, and publishes nothing. */
export function createPaymentMethod(ledger: Ledger, params: Params, param = ''): Stored {
  const { card: given, billing_details: billing = {}, metadata = {}, ...own } = params;
  const name = (key: string) => (param === '' ? key : `${param}[${key}]`);
  if (params.type === undefined) {
    throw missing(name('type'));
  }
  if (given === undefined) throw missing(name('card'));
  const card = cardFrom(ledger, given, name);
  const year = yearOf(ledger);
  if (given.number !== undefined) {
    for (const each of ['exp_month', 'exp_year']) {
      if (given[each] === undefined) throw missing(name(`card[${each}]`));
    }
  }
  checkExpiry(given, ledger.now);
  const shown = wholeBilling(billing);
  return ledger.create('payment_method', {
    ...own,
    billing_details: shown,
    card: cardDetails(card, given, shown.address, year),
    metadata: metadata === '' ? {} : metadata,
    _card: card.name,
  });
}

const missing = (param: string) =>
  invalidRequest(`Missing required param: ${param}.`, { code: 'parameter_missing', param });

function cardFrom(
  ledger: Ledger,
  { number, token }: Params,
  name: (key: string) => string,
): TestCard {
  const made = token === undefined ? undefined : ledger.find('token', token);
  if (made?.used) {
    throw invalidRequest(`The token ${made.id} was used before; a token works once.`, {
      ...{ code: 'token_already_used', param: name('card[token]') },
    });
  }
  if (made !== undefined) {
    ledger.save(made, { used: true });
    return cardOf(ledger.get('payment_method', made._method));
  }
  const card = cardNamed(number ?? String(token ?? '').replace(/^tok_/, ''));
  if (card?.isRejected) throw declineError(card).toHttpError();
  if (card !== undefined) return card;
  if (token !== undefined) throw noSuch('token', token, name('card[token]'));
  throw missing(name('card[number]'));
}

export function wholeBilling(given: Params, before: Params = {}): Value {
  const { address, email, name, phone } = given;
  const either = (value: Value, kept: Value) =>
    value === undefined ? (kept ?? null) : value || null;
  return {
    address: wholeAddress(address ?? before.address ?? {}),
    email: either(email, before.email),
    name: either(name, before.name),
    phone: either(phone, before.phone),
    tax_id: null,
  };
}

/** Returns the error of a declined card. */
export function declineError({ decline }: TestCard): ApiError {
  const { message = 'Your card was declined.', ...details } = decline ?? { code: 'card_declined' };
  return new ApiError(message, { type: 'card_error', ...details });
}

interface Use {
  readonly customer?: string | null;
  readonly param?: string;
}

/** Returns a payment method; names such as `pm_card_visa` create one. */
export function paymentMethodFor(
  ledger: Ledger,
  id: string,
  { customer, param = 'payment_method' }: Use = {},
): Stored {
  if (id.startsWith('pm_card_')) {
    const card = { token: `tok_${id.slice('pm_card_'.length)}` };
    if (cardNamed(card.token.slice(4)) === undefined) throw noSuch('PaymentMethod', id, param);
    return createPaymentMethod(ledger, { type: 'card', card });
  }
  const method = ledger.find('payment_method', id);
  if (method === undefined) throw noSuch('PaymentMethod', id, param);
  if (customer === undefined || customer === method.customer) return method;
  if (customer === null && method.customer === null) return method;
  if (customer !== null && method.customer === null && param === 'payment_method') return method;
  const message =
    customer === null
      ? `The PaymentMethod ${id} is attached to a customer. Send that customer in the parameter customer.`
      : `The customer has no payment method ${id}. Attach it first.`;
  throw invalidRequest(message, {
    code: customer === null ? undefined : 'resource_missing',
    param,
  });
}

/** Attaches a payment method to a customer. Throws 402 for a card that declines. */
export function attach(ledger: Ledger, id: string, customer: string): Stored {
  const method = paymentMethodFor(ledger, id);
  if (method.customer === customer) return method;
  if (method.customer !== null) {
    throw invalidRequest('This payment method has a customer already.', {
      code: 'payment_method_unexpected_state',
      param: 'payment_method',
    });
  }
  if (method._used) {
    throw invalidRequest(
      'This payment method was used without a customer, or detached; it cannot be used again.',
      { param: 'payment_method' },
    );
  }
  const card = cardOf(method);
  if (card.decline !== undefined && !card.attaches) throw declineError(card).toHttpError();
  const attached = ledger.save(method, { customer });
  ledger.emit('payment_method.attached', attached);
  return attached;
}

export const paymentMethodOperations: Operations = {
  'payment_method.create': ({ ledger, params }) => visible(createPaymentMethod(ledger, params)),
  'payment_method.retrieve': ({ ledger, id }) => visible(ledger.get('payment_method', id)),
  'payment_method.update': ({ ledger, params, id }) => {
    const method = ledger.get('payment_method', id);
    if (method.customer === null) {
      throw invalidRequest('Attach this payment method to a customer before you update it.', {
        param: 'payment_method',
      });
    }
    const { billing_details: billing, card, ...own } = params;
    checkExpiry(card ?? {}, yearOf(ledger));
    return visible(
      ledger.change(
        method,
        {
          ...changesFrom(own, method),
          ...(billing && { billing_details: wholeBilling(billing, method.billing_details) }),
          ...(card && { card: { ...method.card, ...card } }),
        },
        'payment_method.updated',
      ),
    );
  },
  'payment_method.attach': ({ ledger, params, id }) => {
    if (params.customer === undefined) throw missing('customer');
    ledger.get('customer', params.customer, 'customer');
    return visible(attach(ledger, id, params.customer));
  },
  'payment_method.detach': ({ ledger, id }) => {
    const method = ledger.get('payment_method', id);
    const { customer } = method;
    if (customer === null) {
      throw invalidRequest('This payment method has no customer to detach it from.', {
        param: 'payment_method',
      });
    }
    const detached = ledger.save(method, { customer: null, _used: true });
    const owner = ledger.find('customer', customer);
    if (owner?.invoice_settings?.default_payment_method === id) {
      const settings = { ...owner.invoice_settings, default_payment_method: null };
      ledger.change(owner, { invoice_settings: settings }, 'customer.updated');
    }
    ledger.emit('payment_method.detached', detached, { customer });
    return visible(detached);
  },
  'payment_method.list': (call: Call) => list(call, 'payment_method', ['customer', 'type']),
};

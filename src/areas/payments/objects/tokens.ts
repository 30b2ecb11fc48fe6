/** Tokens of cards, and charges without a payment intent, as older clients create them. */

import {
  amountText,
  changesFrom,
  checkAmount,
  currencyOf,
  type Operations,
  wholeShipping,
} from '../engine/call.js';
import type { Ledger } from '../engine/ledger.js';
import { type Params, type Stored, type Value, visible } from '../engine/objects.js';
import { ApiError, invalidRequest } from '../wire/errors.js';
import { authenticationOf, needsOwner } from './authentication.js';
import { captureSeconds, createCharge, settle } from './charges.js';
import { customerOf } from './customers.js';
import { cardOf, createPaymentMethod, declineError, paymentMethodFor } from './payment-methods.js';

const addressNames = ['city', 'country', 'line1', 'line2', 'state', 'zip'];

/** Returns a card in the form that it had before payment methods. */
function oldCard(ledger: Ledger, { card, customer }: Stored, given: Params = {}): Value {
  const { brand, checks, country, exp_month, exp_year, fingerprint, funding, last4 } = card;
  const address = addressNames.map((name) => [`address_${name}`, given[`address_${name}`] ?? null]);
  return {
    ...{ id: ledger.newId('card'), object: 'card', ...Object.fromEntries(address) },
    address_line1_check: checks.address_line1_check,
    address_zip_check: checks.address_postal_code_check,
    brand: brand === 'amex' ? 'American Express' : `${brand[0].toUpperCase()}${brand.slice(1)}`,
    ...{ country, customer, cvc_check: checks.cvc_check, dynamic_last4: null },
    ...{ exp_month, exp_year, fingerprint, funding, last4, metadata: {} },
    ...{ name: given.name ?? null, regulated_status: 'unregulated' },
    tokenization_method: null,
  };
}

function createToken(ledger: Ledger, { card }: Params): Stored {
  if (card === undefined) {
    throw invalidRequest('A token needs a card.', { code: 'parameter_missing', param: 'card' });
  }
  const { number, exp_month, exp_year, cvc } = card;
  const given = { number, exp_month, exp_year, ...(cvc !== undefined && { cvc }) };
  const method = createPaymentMethod(ledger, { type: 'card', card: given });
  return ledger.create('token', {
    card: oldCard(ledger, method, card),
    ...{ _method: method.id },
  });
}

/** Returns the payment method of a charge: of its token, or of its customer. */
function sourceOf(ledger: Ledger, { source, customer }: Params): Stored {
  if (source?.startsWith('tok_')) {
    return createPaymentMethod(ledger, { type: 'card', card: { token: source } });
  }
  if (source !== undefined) {
    throw invalidRequest('The source of a charge is a token, such as tok_visa.', {
      param: 'source',
    });
  }
  const owner = customer === undefined ? undefined : customerOf(ledger, customer);
  const method = owner?.invoice_settings.default_payment_method;
  if (method) return paymentMethodFor(ledger, method, { customer: owner?.id ?? null });
  throw invalidRequest('A charge needs a source, or a customer with a default payment method.', {
    ...{ code: 'parameter_missing', param: 'source' },
  });
}

function create(ledger: Ledger, params: Params): Stored | ApiError {
  const currency = currencyOf(params.currency);
  checkAmount(params.amount, currency);
  const customer = params.customer ? customerOf(ledger, params.customer).id : null;
  const method = sourceOf(ledger, params);
  const card = cardOf(method);
  // A charge has no page for its customer.
  const attempt = { isOffSession: true, isRequested: false, isReady: method._ready === true };
  if (authenticationOf(card, attempt) === 'impossible') return needsOwner();
  const isCaptured = params.capture ?? true;
  const { amount, description = null, receipt_email = null, shipping } = params;
  const charge = createCharge(ledger, {
    ...{ amount, method, isCaptured, isAuthenticated: false, decline: card.decline },
    intent: {
      ...{ id: null, object: 'payment_intent', currency, customer, description, receipt_email },
      ...{ metadata: params.metadata || {}, shipping: wholeShipping(shipping) },
      statement_descriptor: null,
      statement_descriptor_suffix: params.statement_descriptor_suffix ?? null,
      transfer_group: params.transfer_group ?? null,
    } as never,
  });
  if (card.decline !== undefined) return declineError(card).withMembers({ charge: charge.id });
  if (!isCaptured) ledger.schedule(ledger.now + captureSeconds, 'uncaptured-charge', charge.id);
  return ledger.save(charge, { source: oldCard(ledger, method) });
}

function capture(ledger: Ledger, charge: Stored, params: Params): Stored {
  if (charge.payment_intent !== null) {
    throw invalidRequest(
      `The charge ${charge.id} belongs to a payment intent. Capture ${charge.payment_intent}.`,
    );
  }
  if (charge.captured || charge.refunded || charge.status !== 'succeeded') {
    const isExpired = charge.refunded && !charge.captured;
    throw invalidRequest(`The charge ${charge.id} has nothing to capture.`, {
      code: isExpired ? 'charge_expired_for_capture' : 'charge_already_captured',
    });
  }
  const amount = params.amount ?? charge.amount;
  if (amount < 1 || amount > charge.amount) {
    const most = amountText(charge.amount, charge.currency);
    throw invalidRequest(`amount must be from 1 to ${most}, which is left to capture.`, {
      ...{ code: 'amount_too_large', param: 'amount' },
    });
  }
  ledger.unschedule('uncaptured-charge', charge.id);
  const names = ['receipt_email', 'statement_descriptor_suffix', 'transfer_group'];
  const captured = ledger.save(settle(ledger, charge, amount), {
    ...{ ...changesFrom(params, charge, names), amount_refunded: charge.amount - amount },
  });
  ledger.emit('charge.captured', captured);
  return captured;
}

/** Releases the money of a charge that was not captured in time. */
export function expireCharge(ledger: Ledger, id: string): void {
  const charge = ledger.find('charge', id);
  if (charge === undefined || charge.captured || charge.refunded) return;
  const released = { amount_refunded: charge.amount, refunded: true };
  ledger.emit('charge.expired', ledger.save(charge, released));
}

const shown = (result: Stored | ApiError) =>
  result instanceof ApiError ? result : visible(result);

export const tokenOperations: Operations = {
  'token.create': ({ ledger, params }) => visible(createToken(ledger, params)),
  'token.retrieve': ({ ledger, id }) => visible(ledger.get('token', id)),
  'charge.create': ({ ledger, params }) => shown(create(ledger, params)),
  'charge.capture': ({ ledger, params, id }) =>
    visible(capture(ledger, ledger.get('charge', id), params)),
};

/** Charges, and the balance that they change. */

import { changesFrom, nestedList, type Operations } from '../engine/call.js';
import type { Decline } from '../engine/declarations.js';
import type { Ledger } from '../engine/ledger.js';
import { isWithin, list, page, search } from '../engine/lists.js';
import { type Params, type Stored, type Value, visible } from '../engine/objects.js';
import { cardOf } from './payment-methods.js';

const daySeconds = 24 * 60 * 60;

/** An authorization of a card expires after a week. */
export const captureSeconds = 7 * daySeconds;

/** When payments become available. */
const availableAfter = 2 * daySeconds;

/** The fee of a payment: 2.9 % and 30 cents. */
const feeOf = (amount: number): number => Math.round(amount * 0.029) + 30;

/** Records a movement of money; `amount` is negative for refunds. */
export function move(ledger: Ledger, members: Params): Stored {
  const { fee = 0, amount, currency, isAvailable, ...more } = members;
  const detail = {
    amount: fee,
    application: null,
    currency,
    description: 'Fee of the payment',
  };
  const moved = ledger.create('balance_transaction', {
    ...more,
    ...{ amount, currency, fee, net: amount - fee },
    available_on: isAvailable ? ledger.now : ledger.now + availableAfter,
    fee_details: fee === 0 ? [] : [{ ...detail, type: 'stripe_fee' }],
    status: isAvailable ? 'available' : 'pending',
  });
  if (!isAvailable) ledger.schedule(moved.available_on, 'available', moved.id);
  return moved;
}

/** Makes pending money available. */
export function makeAvailable(ledger: Ledger, id: string): void {
  const moved = ledger.find('balance_transaction', id);
  if (moved === undefined) return;
  ledger.save(moved, { status: 'available' });
  ledger.emit('balance.available', balanceOf(ledger) as Stored);
}

function balanceOf(ledger: Ledger): Value {
  const sums = { available: new Map<string, number>(), pending: new Map<string, number>() };
  for (const { status, currency, net } of ledger.all('balance_transaction')) {
    const sum = status === 'available' ? sums.available : sums.pending;
    sum.set(currency, (sum.get(currency) ?? 0) + net);
  }
  const { id: _id, ...template } = ledger.draft('balance', { id: '' });
  const currencies = [...new Set(['usd', ...sums.available.keys(), ...sums.pending.keys()])];
  const shown = (sum: Map<string, number>) =>
    currencies.map((currency) => {
      const amount = sum.get(currency) ?? 0;
      return { amount, currency, source_types: { card: amount } };
    });
  return {
    ...template,
    ...{ available: shown(sums.available), pending: shown(sums.pending) },
    refund_and_dispute_prefunding: {
      available: currencies.map((currency) => ({ amount: 0, currency })),
      pending: currencies.map((currency) => ({ amount: 0, currency })),
    },
  };
}

export interface Charging {
  readonly amount: number;
  readonly intent: Stored;
  readonly method: Stored;
  readonly isCaptured: boolean;
  readonly isAuthenticated: boolean;
  readonly decline: Decline | undefined;
}

function detailsOf({ amount, method, isAuthenticated, isCaptured }: Charging, now: number): Value {
  const { brand, checks, country, exp_month, exp_year, fingerprint, funding, last4, networks } =
    method.card;
  return {
    card: {
      ...{ amount_authorized: amount, authorization_code: null, brand, checks, country },
      ...{ exp_month, exp_year, extended_authorization: { status: 'disabled' }, fingerprint },
      ...{ funding, incremental_authorization: { status: 'unavailable' }, installments: null },
      ...(!isCaptured && { capture_before: now + captureSeconds }),
      ...{ last4, mandate: null, multicapture: { status: 'unavailable' } },
      ...{ network: networks.available[0], network_token: { used: false } },
      ...{ network_transaction_id: null },
      overcapture: { maximum_amount_capturable: amount, status: 'unavailable' },
      regulated_status: 'unregulated',
      three_d_secure: isAuthenticated
        ? {
            ...{ authentication_flow: 'challenge', electronic_commerce_indicator: '05' },
            ...{ exemption_indicator: null, result: 'authenticated', result_reason: null },
            ...{ transaction_id: null, version: '2.2.0' },
          }
        : null,
      wallet: null,
    },
    type: 'card',
  };
}

function outcomeOf({ decline, method }: Charging): Value {
  const { risk } = cardOf(method);
  const isBlocked = risk === 'highest' && decline !== undefined;
  return {
    advice_code: decline?.advice_code ?? null,
    network_advice_code: null,
    network_decline_code: decline && !isBlocked ? '05' : null,
    network_status: isBlocked
      ? 'not_sent_to_network'
      : decline
        ? 'declined_by_network'
        : 'approved_by_network',
    reason: isBlocked ? 'highest_risk_level' : (decline?.decline_code ?? decline?.code ?? null),
    risk_level: risk ?? 'normal',
    risk_score: { elevated: 70, highest: 95 }[risk as string] ?? 20,
    seller_message: decline ? 'The bank did not say why.' : 'Payment complete.',
    type: isBlocked ? 'blocked' : decline ? 'issuer_declined' : 'authorized',
  };
}

/** Creates a charge, and publishes its event. */
export function createCharge(ledger: Ledger, charging: Charging): Stored {
  const { amount, intent, method, isCaptured, decline } = charging;
  const { currency, customer, description, metadata, receipt_email, shipping } = intent;
  const { statement_descriptor, statement_descriptor_suffix, transfer_group } = intent;
  const charge = ledger.create('charge', {
    ...{ amount, currency, customer, description, metadata, receipt_email, shipping },
    ...{ statement_descriptor, statement_descriptor_suffix, transfer_group },
    billing_details: method.billing_details,
    calculated_statement_descriptor: statement_descriptor ?? 'PRACTICE API',
    captured: isCaptured && decline === undefined,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    outcome: outcomeOf(charging),
    paid: decline === undefined,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: detailsOf(charging, ledger.now),
    status: decline === undefined ? 'succeeded' : 'failed',
    _card: method._card,
  });
  if (decline !== undefined) ledger.emit('charge.failed', charge);
  else if (!isCaptured) ledger.emit('charge.succeeded', charge);
  else {
    const paid = settle(ledger, charge, amount);
    ledger.emit('charge.succeeded', paid);
    return paid;
  }
  return charge;
}

/** Books the money of a captured charge. */
export function settle(ledger: Ledger, charge: Stored, amount: number): Stored {
  const card = cardOf(charge);
  const { currency, description } = charge;
  const moved = move(ledger, {
    ...{ amount, currency, description, fee: feeOf(amount), isAvailable: card.isAvailable },
    ...{ source: charge.id, type: 'charge', reporting_category: 'charge' },
  });
  if (card.dispute ?? card.fraudWarning) ledger.schedule(ledger.now, 'dispute', charge.id);
  return ledger.save(charge, {
    ...{ amount_captured: amount, captured: true, balance_transaction: moved.id },
  });
}

export const refundsOf = (ledger: Ledger, { id }: Stored): Value =>
  nestedList(
    ledger
      .all('refund')
      .filter(({ charge }) => charge === id)
      .map(visible)
      .reverse(),
    `/v1/charges/${id}/refunds`,
  );

export const chargeOperations: Operations = {
  'charge.retrieve': ({ ledger, id }) => visible(ledger.get('charge', id)),
  'charge.update': ({ ledger, params, id }) => {
    const charge = ledger.get('charge', id);
    if (params.customer && charge.customer === null) {
      ledger.get('customer', params.customer, 'customer');
    }
    return visible(ledger.change(charge, changesFrom(params, charge), 'charge.updated'));
  },
  'charge.list': (call) => list(call, 'charge', ['customer', 'payment_intent', 'transfer_group']),
  'charge.search': (call) => search(call, 'charge'),
  'balance.retrieve': ({ ledger }) => balanceOf(ledger),
  'balance_transaction.retrieve': ({ ledger, id }) =>
    visible(ledger.get('balance_transaction', id)),
  'balance_transaction.list': (call) =>
    list(call, 'balance_transaction', ['currency', 'source', 'type']),
  'event.retrieve': ({ ledger, id }) => visible(ledger.get('event', id)),
  'event.list': (call) => {
    const { type, types, created } = call.params;
    const pattern = type?.endsWith('*') ? type.slice(0, -1) : undefined;
    const isWanted = (each: string) =>
      (types?.includes(each) ?? true) &&
      (pattern === undefined ? (type ?? each) === each : each.startsWith(pattern));
    return page(
      call,
      call.ledger
        .all('event')
        .filter((each) => isWanted(each.type) && isWithin(each.created, created)),
    );
  },
};

/** Refunds. */

import { amountText, changesFrom, type Operations } from '../engine/call.js';
import type { Ledger } from '../engine/ledger.js';
import { list } from '../engine/lists.js';
import { type Params, type Stored, visible } from '../engine/objects.js';
import { invalidRequest } from '../wire/errors.js';
import { move } from './charges.js';
import { settleWarnings } from './disputes.js';
import { cardOf } from './payment-methods.js';

/** When a refund that is not done at once ends. */
const laterSeconds = 60 * 60;

function chargeFor(ledger: Ledger, { charge, payment_intent: intent }: Params): Stored {
  if (charge === undefined && intent === undefined) {
    throw invalidRequest('A refund needs payment_intent or charge.', { code: 'parameter_missing' });
  }
  if (charge !== undefined) return ledger.get('charge', charge, 'charge');
  const found = ledger.get('payment_intent', intent, 'payment_intent');
  const latest = found.latest_charge && ledger.get('charge', found.latest_charge);
  if (latest?.captured) return latest;
  throw invalidRequest(
    `This PaymentIntent (${intent}) does not have a successful charge to refund.`,
    { param: 'payment_intent' },
  );
}

export function createRefund(ledger: Ledger, params: Params): Stored {
  const charge = chargeFor(ledger, params);
  const { currency } = charge;
  if (!charge.paid || !charge.captured) {
    throw invalidRequest(`Charge ${charge.id} cannot be refunded, because it is not paid.`, {
      param: 'charge',
    });
  }
  if (charge.disputed) {
    throw invalidRequest(`Charge ${charge.id} is disputed, and cannot be refunded.`, {
      code: 'charge_disputed',
    });
  }
  const rest = charge.amount_captured - charge.amount_refunded;
  if (rest <= 0) {
    throw invalidRequest(`Charge ${charge.id} has already been refunded.`, {
      code: 'charge_already_refunded',
    });
  }
  const amount = params.amount ?? rest;
  if (amount < 1) {
    throw invalidRequest('Invalid positive integer', {
      ...{ code: 'parameter_invalid_integer', param: 'amount' },
    });
  }
  if (amount > rest) {
    const kind = charge.amount_refunded > 0 ? 'unrefunded amount on charge' : 'charge amount';
    throw invalidRequest(
      `Refund amount (${amountText(amount, currency)}) is greater than ${kind} (${amountText(rest, currency)})`,
      { param: 'amount' },
    );
  }
  return book(ledger, charge, amount, params);
}

function book(ledger: Ledger, charge: Stored, amount: number, params: Params): Stored {
  const { currency } = charge;
  const behaviour = cardOf(charge).refund;
  const id = ledger.newId('re');
  const moved = move(ledger, {
    ...{ amount: -amount, currency, source: id, type: 'refund', reporting_category: 'refund' },
    description: `Refund${charge.description ? ` (${charge.description})` : ''}`,
  });
  const card = {
    ...{ reference_status: 'pending', reference_type: 'acquirer_reference_number' },
    type: 'refund',
  };
  const refund = ledger.create('refund', {
    ...{ id, amount, currency, balance_transaction: moved.id, charge: charge.id },
    ...{ payment_intent: charge.payment_intent, reason: params.reason ?? null },
    ...{ destination_details: { card, type: 'card' } },
    ...changesFrom(params, {}, ['metadata']),
    status: behaviour === 'pending' ? 'pending' : 'succeeded',
  });
  const refunded = charge.amount_refunded + amount;
  const changed = ledger.save(charge, {
    ...{ amount_refunded: refunded, refunded: refunded === charge.amount_captured },
  });
  if (behaviour !== undefined) ledger.schedule(ledger.now + laterSeconds, 'refund', id);
  ledger.emit('refund.created', refund);
  ledger.emit('charge.refunded', changed, { amount_refunded: charge.amount_refunded });
  settleWarnings(ledger, changed);
  return refund;
}

/** Ends a refund that was not done at once. */
export function endRefund(ledger: Ledger, id: string): void {
  const refund = ledger.find('refund', id);
  const charge = refund && ledger.find('charge', refund.charge);
  if (refund === undefined || charge === undefined) return;
  if (cardOf(charge).refund === 'pending') {
    const done = ledger.change(refund, { status: 'succeeded' }, 'refund.updated');
    ledger.emit('charge.refund.updated', done, { status: 'pending' });
    return;
  }
  const { amount, currency } = refund;
  const moved = move(ledger, {
    ...{ amount, currency, source: id, type: 'refund_failure' },
    ...{
      description: 'Refund that failed',
      reporting_category: 'refund_failure',
      isAvailable: true,
    },
  });
  ledger.save(charge, { amount_refunded: charge.amount_refunded - amount, refunded: false });
  const failed = ledger.save(refund, {
    failure_balance_transaction: moved.id,
    ...{ failure_reason: 'expired_or_canceled_card', status: 'failed' },
  });
  ledger.emit('refund.failed', failed, { status: 'succeeded' });
  ledger.emit('charge.refund.updated', failed, { status: 'succeeded' });
}

export const refundOperations: Operations = {
  'refund.create': ({ ledger, params }) => visible(createRefund(ledger, params)),
  'refund.retrieve': ({ ledger, id }) => visible(ledger.get('refund', id)),
  'refund.update': ({ ledger, params, id }) => {
    const refund = ledger.get('refund', id);
    return visible(ledger.change(refund, changesFrom(params, refund), 'refund.updated'));
  },
  'refund.list': (call) => list(call, 'refund', ['charge', 'payment_intent']),
};

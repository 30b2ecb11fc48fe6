/** Disputes of charges, which test cards cause. */

import { changesFrom, type Operations } from '../engine/call.js';
import type { Ledger } from '../engine/ledger.js';
import { list } from '../engine/lists.js';
import { type Params, type Stored, type Value, visible } from '../engine/objects.js';
import { ApiError } from '../wire/errors.js';
import { move } from './charges.js';
import { cardOf } from './payment-methods.js';

const disputeFee = 1500;
const evidenceSeconds = 9 * 24 * 60 * 60;

/** When the bank decides about evidence. */
const decisionSeconds = 60 * 60;

function withdraw(ledger: Ledger, charge: Stored, source: string): Stored {
  const { amount_captured: amount, currency, id } = charge;
  return move(ledger, {
    ...{ amount: -amount, currency, fee: disputeFee, source, isAvailable: true },
    ...{ description: `Disputed: ${id}`, reporting_category: 'dispute' },
    type: 'adjustment',
  });
}

const movement = ({ id: _id, ...moved }: Stored): Value => ({ id: _id, ...moved });

export function openDispute(ledger: Ledger, chargeId: string): void {
  const charge = ledger.find('charge', chargeId);
  const cause = charge && cardOf(charge).dispute;
  if (charge === undefined || cause === undefined || charge.refunded) return;
  const { reason, network_reason_code, case_type } = cause;
  const isInquiry = case_type === 'inquiry';
  const id = ledger.newId('du');
  const moved = isInquiry ? [] : [withdraw(ledger, charge, id)];
  const { evidence_details: details } = ledger.draft('dispute', { id });
  const dispute = ledger.create('dispute', {
    ...{ id, amount: charge.amount_captured, charge: chargeId, currency: charge.currency, reason },
    balance_transactions: moved.map(movement),
    evidence_details: { ...details, due_by: ledger.now + evidenceSeconds },
    is_charge_refundable: isInquiry,
    payment_intent: charge.payment_intent,
    payment_method_details: {
      card: { brand: charge.payment_method_details.card.brand, case_type, network_reason_code },
      type: 'card',
    },
    status: isInquiry ? 'warning_needs_response' : 'needs_response',
  });
  ledger.save(charge, { disputed: !isInquiry });
  ledger.schedule(ledger.now + evidenceSeconds, 'dispute-due', id);
  ledger.emit('charge.dispute.created', dispute);
  if (!isInquiry) ledger.emit('charge.dispute.funds_withdrawn', dispute);
}

const needsResponse = (status: string) => status.endsWith('needs_response');

/** Decides a dispute: the time for evidence is over, or the bank has read it. */
export function decideDispute(ledger: Ledger, id: string, isOverdue: boolean): void {
  const dispute = ledger.find('dispute', id);
  if (dispute === undefined || (isOverdue && !needsResponse(dispute.status))) return;
  const isWon = dispute.evidence.uncategorized_text === 'winning_evidence';
  close(ledger, dispute, !isOverdue && isWon);
}

function close(ledger: Ledger, dispute: Stored, isWon: boolean): Stored {
  const isInquiry = dispute.status.startsWith('warning');
  const status = isInquiry ? 'warning_closed' : isWon ? 'won' : 'lost';
  ledger.unschedule('dispute-due', dispute.id);
  const { amount, currency, id, charge } = dispute;
  if (!isInquiry && isWon) {
    const moved = move(ledger, {
      ...{ amount, currency, fee: -disputeFee, source: id, type: 'adjustment', isAvailable: true },
      ...{
        description: `Dispute won: ${charge}`,
        reporting_category: 'dispute_reversal',
      },
    });
    const all = [...dispute.balance_transactions, movement(moved)];
    const won = ledger.save(dispute, { balance_transactions: all, status });
    ledger.emit('charge.dispute.funds_reinstated', won);
    ledger.emit('charge.dispute.closed', won);
    return won;
  }
  const closed = ledger.save(dispute, { status });
  ledger.emit('charge.dispute.closed', closed);
  return closed;
}

function update(ledger: Ledger, dispute: Stored, params: Params): Stored | ApiError {
  const { evidence, submit = true } = params;
  if (evidence && !needsResponse(dispute.status)) {
    return new ApiError('This dispute is already closed, or its evidence was submitted.', {
      param: 'evidence',
    });
  }
  const details = dispute.evidence_details;
  const isSubmitted = evidence !== undefined && submit;
  if (isSubmitted) ledger.schedule(ledger.now + decisionSeconds, 'dispute-decision', dispute.id);
  return ledger.change(
    dispute,
    {
      ...changesFrom(params, dispute, ['metadata']),
      ...(evidence && {
        evidence: { ...dispute.evidence, ...changesFrom(evidence, {}) },
        evidence_details: {
          ...{ ...details, has_evidence: true },
          submission_count: details.submission_count + Number(isSubmitted),
        },
      }),
      ...(isSubmitted && { status: dispute.status.replace('needs_response', 'under_review') }),
    },
    'charge.dispute.updated',
  );
}

const shown = (result: Stored | ApiError) =>
  result instanceof ApiError ? result : visible(result);

export const disputeOperations: Operations = {
  'dispute.retrieve': ({ ledger, id }) => visible(ledger.get('dispute', id)),
  'dispute.update': ({ ledger, params, id }) =>
    shown(update(ledger, ledger.get('dispute', id), params)),
  'dispute.close': ({ ledger, id }) => {
    const dispute = ledger.get('dispute', id);
    if (!needsResponse(dispute.status)) {
      return new ApiError('This dispute is already closed.', { code: undefined });
    }
    return visible(close(ledger, dispute, false));
  },
  'dispute.list': (call) => list(call, 'dispute', ['charge', 'payment_intent']),
};

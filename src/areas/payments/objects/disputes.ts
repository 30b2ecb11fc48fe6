/** Disputes of charges, and warnings of their issuers, which test cards cause. */

import { changesFrom, type Operations } from '../engine/call.js';
import type { DisputeCause } from '../engine/declarations.js';
import type { Ledger } from '../engine/ledger.js';
import { list } from '../engine/lists.js';
import { type Params, type Stored, type Value, visible } from '../engine/objects.js';
import { ApiError } from '../wire/errors.js';
import { move } from './charges.js';
import { cardOf } from './payment-methods.js';

const warnings = 'radar.early_fraud_warning';

const disputeFee = 1500;
const evidenceSeconds = 9 * 24 * 60 * 60;

/** When the bank decides about evidence. */
const decisionSeconds = 60 * 60;

function withdraw(ledger: Ledger, charge: Stored, amount: number, source: string): Stored {
  const { currency, id } = charge;
  return move(ledger, {
    ...{ amount: -amount, currency, fee: disputeFee, source, isAvailable: true },
    ...{ description: `Disputed: ${id}`, reporting_category: 'dispute' },
    type: 'adjustment',
  });
}

const movement = ({ id: _id, ...moved }: Stored): Value => ({ id: _id, ...moved });

/** Opens the disputes of a charge, or warns of it. */
export function openDispute(ledger: Ledger, chargeId: string): void {
  const charge = ledger.find('charge', chargeId);
  if (charge === undefined || charge.refunded) return;
  const { dispute: cause, fraudWarning } = cardOf(charge);
  if (fraudWarning !== undefined) warn(ledger, charge, fraudWarning);
  if (cause === undefined) return;
  const { amount_captured: whole } = charge;
  const { count = 1 } = cause;
  const part = Math.floor(whole / count);
  for (let place = 1; place < count; place++) open(ledger, charge, cause, part);
  open(ledger, charge, cause, whole - part * (count - 1));
  ledger.save(charge, { disputed: cause.case_type !== 'inquiry' });
}

function warn(ledger: Ledger, { id: charge, payment_intent: intent }: Stored, type: string): void {
  const warning = ledger.create(warnings, {
    ...{ charge, fraud_type: type, ...(intent && { payment_intent: intent }) },
  });
  ledger.emit(`${warnings}.created`, warning);
}

function open(ledger: Ledger, charge: Stored, cause: DisputeCause, amount: number): void {
  const { reason, network_reason_code, case_type, eligibility = {} } = cause;
  const isInquiry = case_type === 'inquiry';
  const id = ledger.newId('du');
  const moved = isInquiry ? [] : [withdraw(ledger, charge, amount, id)];
  const { evidence_details: details } = ledger.draft('dispute', { id });
  const dispute = ledger.create('dispute', {
    ...{ id, amount, charge: charge.id, currency: charge.currency, reason },
    balance_transactions: moved.map(movement),
    enhanced_eligibility_types: Object.keys(eligibility),
    evidence_details: {
      ...{ ...details, enhanced_eligibility: eligibility },
      due_by: ledger.now + evidenceSeconds,
    },
    is_charge_refundable: isInquiry,
    payment_intent: charge.payment_intent,
    payment_method_details: {
      card: { brand: charge.payment_method_details.card.brand, case_type, network_reason_code },
      type: 'card',
    },
    status: isInquiry ? 'warning_needs_response' : 'needs_response',
  });
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
  const isSubmitted = evidence !== undefined && submit;
  const details = acknowledged(dispute, evidence, isSubmitted);
  if (details instanceof ApiError) return details;
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

/** Returns the details of the evidence: the fee of a compliance dispute must be acknowledged before it is submitted. */
function acknowledged(dispute: Stored, evidence: Value, isSubmitted: boolean): Value | ApiError {
  const { evidence_details: details } = dispute;
  const { visa_compliance: compliance, ...others } = details.enhanced_eligibility;
  if (compliance === undefined) return details;
  const isKnown = compliance.status === 'fee_acknowledged';
  const isNow = evidence?.enhanced_evidence?.visa_compliance?.fee_acknowledged === true;
  if (isSubmitted && !isKnown && !isNow) {
    return new ApiError('Acknowledge the fee of the network before evidence is submitted.', {
      param: 'evidence[enhanced_evidence][visa_compliance][fee_acknowledged]',
    });
  }
  if (!isNow) return details;
  const status = 'fee_acknowledged';
  return { ...details, enhanced_eligibility: { ...others, visa_compliance: { status } } };
}

const shown = (result: Stored | ApiError) =>
  result instanceof ApiError ? result : visible(result);

/** A warning about a charge that was refunded as a whole is not actionable any more. */
export function settleWarnings(ledger: Ledger, charge: Stored): void {
  for (const warning of charge.refunded ? ledger.all(warnings) : []) {
    if (warning.charge !== charge.id) continue;
    ledger.change(warning, { actionable: false }, `${warnings}.updated`);
  }
}

export const disputeOperations: Operations = {
  [`${warnings}.retrieve`]: ({ ledger, id }) => visible(ledger.get(warnings, id)),
  [`${warnings}.list`]: (call) => list(call, warnings, ['charge', 'payment_intent']),
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

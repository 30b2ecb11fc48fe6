/** The cases of the test plan for clients of payments. */

import { type CaseText, casesOf, type SomeOf } from '#kit/misbehaviour/misbehaviour.js';
import { advice, cite } from '#kit/verdict/citations.js';
import {
  forgeEvent,
  type JudgeRecord,
  judgeForged,
  judgeRepeated,
  judgeSession,
  markSession,
  type Observe,
  observeAction,
  observeDecline,
  observePaged,
  type Play,
  repeatEvent,
} from './acts.js';

/** A response instead of the usual one, before the work, or after it. */
export interface SimulatedFailure {
  readonly isAfter?: true;
  /** Absent for a connection that is reset. */
  readonly status?: number;
  readonly code?: string;
  /** Whether the client knows that nothing was done. */
  readonly isUndone?: true;
}

/** The acts of a case, and how it observes the client. */
interface Effects {
  /** The response to the first request. */
  readonly failure: SimulatedFailure;
  readonly observe: Observe;
  readonly play: Play;
}

export type PlanCase = CaseText &
  SomeOf<Effects> & {
    /** The payment method that the client uses. */
    readonly paymentMethod?: string;
    readonly observePage?: typeof observePaged;
    /** Present if a record shows what the receiver of webhooks did. */
    readonly judgeRecord?: JudgeRecord;
  };

const oneKey = 'It sends the same request again, with the same Idempotency-Key.';
const record = 'It writes a record in the sandbox, with the id of the event in a field,';
const repeats = cite('Stripe documentation', 'Idempotent requests');

export const planCases = casesOf<PlanCase>()({
  'lost-response': {
    what: 'The connection ends after the work, without a response.',
    rightClient: oneKey,
    section: repeats,
    failure: { isAfter: true },
  },
  unavailable: {
    what: 'A response with 503.',
    rightClient: oneKey,
    section: repeats,
    failure: { status: 503 },
  },
  'proxy-error': {
    what: 'A proxy responds with 502, and HTML.',
    rightClient: oneKey,
    section: repeats,
    failure: { status: 502 },
  },
  'rate-limited': {
    what: 'A response with 429.',
    rightClient: 'It waits, and sends the request again.',
    section: cite('RFC 6585', '4'),
    failure: { status: 429, code: 'rate_limit', isUndone: true },
  },
  'key-in-use': {
    what: 'A response with 409: another request with the key is not done.',
    rightClient: 'It waits, and sends the same request again with the same key.',
    section: repeats,
    failure: { status: 409, code: 'idempotency_key_in_use' },
  },
  declined: {
    what: 'The bank declines the card as lost.',
    rightClient: 'It requests another card, or cancels the payment. It does not repeat it.',
    section: advice,
    paymentMethod: 'pm_card_visa_chargeDeclinedLostCard',
    observe: observeDecline,
  },
  'requires-action': {
    what: 'The payment needs 3D Secure.',
    rightClient: 'It leads the customer to the page of next_action, and does not confirm again.',
    section: advice,
    paymentMethod: 'pm_card_threeDSecure2Required',
    observe: observeAction,
    observePage: observePaged,
  },
  'unpaid-session': {
    what: 'A customer opens success_url of a Checkout session without paying.',
    rightClient: `${record} or the id of the session, once it is paid.`,
    section: advice,
    play: markSession,
    judgeRecord: judgeSession,
  },
  'forged-event': {
    what: 'A delivery with a wrong signature says that a payment succeeded.',
    rightClient: `It rejects the delivery. ${record} only for events that it has verified.`,
    section: cite('Standard Webhooks', 'Verifying signatures'),
    play: forgeEvent,
    judgeRecord: judgeForged,
  },
  'duplicate-event': {
    what: 'The event of a payment that succeeded is delivered twice.',
    rightClient: `${record} once.`,
    section: cite('Standard Webhooks', 'Webhook metadata'),
    play: repeatEvent,
    judgeRecord: judgeRepeated,
  },
});

export type CaseName = keyof typeof planCases;

export const caseNames = Object.keys(planCases) as readonly CaseName[];

export const caseNamed = (name: CaseName): PlanCase => planCases[name];

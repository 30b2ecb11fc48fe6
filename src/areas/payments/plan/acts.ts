/** Acts of the cases of the plan, and their observations: cards, deliveries, and records of the client. */

import type { TestCase } from '#kit/verdict/test-runs.js';
import {
  newEventId,
  publishEvent,
  publishTo,
  subscriptionsKey,
  subscriptionsSpace,
} from '#state/events/publish-event.js';
import type { Sandbox, Space, Transaction } from '#state/state.js';
import { apiVersion, spaceOf } from '../engine/ledger.js';
import type { Params, Stored, Value } from '../engine/objects.js';
import { changeStep, type Observed, observe } from './runs.js';

/** The case of an id that a record of the client may have: of an event, or of a session. */
export interface Mark extends TestCase {
  readonly kind: 'forged' | 'repeated' | 'session';
}

/** By the id. */
export const marksSpace: Space<Mark> = { name: 'payments-marks', maxKeys: 500 };

export const handled = (evidence: string): Observed => ({ outcome: 'handled', evidence });
export const mishandled = (evidence: string): Observed => ({ outcome: 'mishandled', evidence });

export interface Finished {
  readonly name: string;
  readonly params: Params;
  readonly requestId: string;
  readonly body: string;
}

/** The result of a request: its error, and the object that selects the case. */
export interface Result {
  readonly error: Value;
  readonly subject: Value;
}

/** Observes the result of a request. */
export type Observe = (
  sandbox: Sandbox,
  at: TestCase,
  finished: Finished,
  result: Result,
) => Promise<void>;

/** Returns what an object of the case sets off, once; `undefined` for an object of another kind. */
export type Play = (at: TestCase, object: Value) => ((view: Transaction) => void) | undefined;

/** A record of the client that has the id of a mark. */
export interface Recorded {
  readonly sandbox: Sandbox;
  readonly id: string;
  /** Whether another record has it, too. */
  readonly isSecond: boolean;
}

export type JudgeRecord = (recorded: Recorded) => Observed | Promise<Observed>;

export const observeDecline: Observe = async (sandbox, at, { requestId }, { error, subject }) => {
  const card: string | undefined = error?.payment_method?.card?.fingerprint;
  const isLost = error?.decline_code === 'lost_card';
  const isOther = subject.status === 'succeeded' || subject.status === 'canceled';
  if (!isOther && card === undefined) return;
  await changeStep(sandbox, at, (step) => {
    if (step.card === undefined) {
      return isLost ? { ...step, metBy: requestId, ...(card && { card }) } : step;
    }
    return observe(
      step,
      card === step.card
        ? mishandled('The lost card was sent again.')
        : handled('The payment was canceled, or another card was used.'),
    );
  });
};

export const observeAction: Observe = async (
  sandbox,
  at,
  { name, params, requestId },
  { subject: { status } },
) => {
  if (status !== 'requires_action') return;
  const isAgain = name === 'payment_intent.confirm';
  const isOther = params.payment_method || params.payment_method_data;
  await changeStep(sandbox, at, (step) => {
    if (step.metBy === undefined) return { ...step, metBy: requestId };
    if (!isAgain || isOther) return step;
    return observe(step, mishandled('The payment was confirmed again while it waited.'));
  });
};

/** Observes that a customer used the page of 3D Secure. */
export async function observePaged(
  sandbox: Sandbox,
  at: TestCase,
  { status }: Value,
): Promise<void> {
  await changeStep(sandbox, at, (step) =>
    step.metBy === undefined || status === 'requires_action'
      ? step
      : observe(step, handled('The customer used the page of 3D Secure.')),
  );
}

const isSession = ({ object }: Value) => object === 'checkout.session';
const isPaid = ({ status }: Value) => status === 'succeeded';

export const markSession: Play = (at, object) =>
  isSession(object)
    ? (view) => view.write(marksSpace, object.id, { ...at, kind: 'session' })
    : undefined;

export const forgeEvent: Play = (at, object) => {
  const isOfPayment = isSession(object) || object.object === 'payment_intent';
  if (!isOfPayment || isPaid(object)) return undefined;
  const id = newEventId();
  return (view) => forge(view, at, object, id);
};

export const repeatEvent: Play = (at, object) =>
  isPaid(object) ? (view) => repeat(view, at, object) : undefined;

/** Publishes an event that did not happen, with a wrong signature. */
function forge(view: Transaction, at: TestCase, object: Value, id: string): void {
  const type = isSession(object) ? 'checkout.session.completed' : 'payment_intent.succeeded';
  const paid = isSession(object)
    ? { ...object, status: 'complete', payment_status: 'paid' }
    : { ...object, status: 'succeeded', amount_received: object.amount };
  const event = {
    ...{ id, object: 'event', api_version: apiVersion, created: Math.floor(view.nowMs / 1000) },
    ...{ data: { object: paid }, livemode: false, pending_webhooks: 0 },
    ...{ request: { id: null, idempotency_key: null }, type },
  };
  view.write(marksSpace, id, { ...at, kind: 'forged' });
  for (const subscription of view.read(subscriptionsSpace, subscriptionsKey) ?? []) {
    if (subscription.scheme !== 'stripe') continue;
    publishTo(view, subscription.id, {
      ...{ source: 'payments', id, type, object: `payments/${object.id}/forged` },
      json: JSON.stringify(event),
      test: { run: at.run, case: 'wrong-signature', part: 0 },
    });
  }
}

/** Publishes the event of a payment again. */
function repeat(view: Transaction, at: TestCase, { id }: Value): void {
  const events = view
    .entries(spaceOf('event'))
    .map(([, event]: readonly [string, Stored]) => event);
  const found = events.findLast(
    ({ type, data }) => type === 'payment_intent.succeeded' && data.object.id === id,
  );
  if (found === undefined) return;
  view.write(marksSpace, found.id, { ...at, kind: 'repeated' });
  publishEvent(view, {
    ...{ source: 'payments', id: found.id, type: found.type, object: `payments/${id}` },
    json: JSON.stringify(found),
  });
}

export const judgeForged: JudgeRecord = () =>
  mishandled('A record has the id of the forged event.');

export const judgeRepeated: JudgeRecord = ({ isSecond }) =>
  isSecond ? mishandled('Two records have the id of the event.') : handled('One record.');

export const judgeSession: JudgeRecord = async ({ sandbox, id }) => {
  const session = await sandbox.read(spaceOf('checkout.session'), id);
  return session?.payment_status === 'unpaid'
    ? mishandled('A record has the id of the session, which is not paid.')
    : handled('The first record came after the payment.');
};

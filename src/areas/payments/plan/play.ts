/** Plays the cases of a run: failures of requests, cards, and deliveries; and observes the client. */

import { hash } from 'node:crypto';
import type { Reply, Request } from '#http/exchange.js';
import { resetConnectionOf } from '#kit/connection.js';
import { arrivalBefore, isAfterResponse } from '#kit/verdict/exchange.js';
import {
  newEventId,
  publishEvent,
  publishTo,
  subscriptionsKey,
  subscriptionsSpace,
} from '#state/events/publish-event.js';
import type { Sandbox, Space, Transaction } from '#state/state.js';
import { apiVersion, spaceOf } from '../engine/ledger.js';
import { type Params, type Stored, type Value, visible } from '../engine/objects.js';
import { markLost } from '../judge/watch.js';
import { ApiError } from '../wire/errors.js';
import { caseNamed, type SimulatedFailure } from './cases.js';
import {
  caseIn,
  changeStep,
  type First,
  metadataName,
  type Observed,
  observe,
  type RunCase,
  type Step,
} from './runs.js';

/** The case of an id that a record of the client may have: of an event, or of a session. */
export interface Mark extends RunCase {
  readonly kind: 'forged' | 'repeated' | 'session';
}

/** By the id. */
export const marksSpace: Space<Mark> = { name: 'payments-marks', maxKeys: 500 };

const handled = (evidence: string): Observed => ({ outcome: 'handled', evidence });
const mishandled = (evidence: string): Observed => ({ outcome: 'mishandled', evidence });

export interface Attempted {
  readonly name: string;
  readonly params: Params;
  readonly idempotencyKey: string | null;
}

/** A request that meets the failure of a case. */
export interface Met {
  readonly at: RunCase;
  readonly failure: SimulatedFailure;
}

/** Compares a request with the first of its case; the first one meets the failure. */
export async function meetFailure(
  { request, reply }: { readonly request: Request; readonly reply: Reply },
  { name, params, idempotencyKey: key }: Attempted,
): Promise<Met | undefined> {
  if (params.metadata?.[metadataName] === undefined) return undefined;
  const at = await caseIn(request.sandbox, params.metadata);
  const { failure } = at === undefined ? {} : caseNamed(at.name);
  if (at === undefined || failure === undefined) return undefined;
  const of = hash('sha256', JSON.stringify([name, request.url, params]), 'base64url');
  const next = { of, key };
  const arrival = arrivalBefore(reply, Date.now());
  const step = await changeStep(request.sandbox, at, (before) => {
    const { first } = before;
    if (first === undefined) return { ...before, metBy: request.id, first: next };
    const { respondedAtMs } = first;
    if (respondedAtMs === undefined || !isAfterResponse(arrival, respondedAtMs)) return before;
    return observe(before, judgeRepeat(first, next, failure));
  });
  return step?.metBy === request.id ? { at, failure } : undefined;
}

function judgeRepeat(
  first: First,
  next: First,
  { isUndone }: SimulatedFailure,
): Observed | undefined {
  const isSameKey = first.key !== null && first.key === next.key;
  if (first.of !== next.of) {
    return isSameKey ? mishandled('The key was sent again with other parameters.') : undefined;
  }
  if (isSameKey) return handled('The request was sent again with the same key.');
  if (isUndone) return handled('The request was sent again.');
  return mishandled(
    next.key === null
      ? 'The request was sent again without a key.'
      : 'The request was sent again with another key.',
  );
}

/** Sends the failure in place of the response. Throws errors of the API. */
export async function sendFailure(
  request: Request,
  reply: Reply,
  { at, failure: { status, code, isUndone } }: Met,
): Promise<Reply> {
  if (!isUndone) await markLost(request);
  await changeStep(request.sandbox, at, (step) => ({
    ...step,
    ...(step.first && { first: { ...step.first, respondedAtMs: Date.now() } }),
  }));
  if (status === undefined) {
    resetConnectionOf(request.raw);
    return reply;
  }
  if (status === 502) {
    return reply
      .code(status)
      .type('text/html; charset=utf-8')
      .serializer(String)
      .send('<!doctype html><title>502 Bad Gateway</title><h1>Bad Gateway</h1>\n');
  }
  throw new ApiError(`Simulated failure: case ${at.name} of a test run.`, {
    ...{ status, code, type: status >= 500 ? 'api_error' : 'invalid_request_error' },
  }).toHttpError();
}

export interface Finished {
  readonly name: string;
  readonly params: Params;
  readonly requestId: string;
  readonly body: string;
}

/** Observes the result of a request about an object whose metadata select a case. */
export async function observeResult(sandbox: Sandbox, finished: Finished): Promise<void> {
  if (!finished.body.includes(`"${metadataName}"`)) return;
  const { error, ...object } = JSON.parse(finished.body) as Value;
  const subject: Value = error?.payment_intent ?? object;
  const at = await caseIn(sandbox, subject.metadata);
  if (at === undefined) return;
  if (at.name === 'declined') await observeDecline(sandbox, at, finished, { error, subject });
  if (at.name === 'requires-action') await observeAction(sandbox, at, finished, subject);
  await deliverCase(sandbox, at, finished.requestId, subject);
}

async function observeDecline(
  sandbox: Sandbox,
  at: RunCase,
  { requestId }: Finished,
  { error, subject }: { readonly error: Value; readonly subject: Value },
): Promise<void> {
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
}

async function observeAction(
  sandbox: Sandbox,
  at: RunCase,
  { name, params, requestId }: Finished,
  { status }: Value,
): Promise<void> {
  if (status !== 'requires_action') return;
  const isAgain = name === 'payment_intent.confirm';
  const isOther = params.payment_method || params.payment_method_data;
  await changeStep(sandbox, at, (step) => {
    if (step.metBy === undefined) return { ...step, metBy: requestId };
    if (!isAgain || isOther) return step;
    return observe(step, mishandled('The payment was confirmed again while it waited.'));
  });
}

/** Observes that a customer used the page of 3D Secure. */
export async function observePage(
  sandbox: Sandbox,
  { type, id }: { readonly type: string; readonly id: string },
  requestId: string,
): Promise<void> {
  const object = await sandbox.read(spaceOf(type), id);
  const at = object && (await caseIn(sandbox, object.metadata));
  if (object === undefined || at === undefined) return;
  if (at.name === 'requires-action') {
    await changeStep(sandbox, at, (step) =>
      step.metBy === undefined || object.status === 'requires_action'
        ? step
        : observe(step, handled('The customer used the page of 3D Secure.')),
    );
  }
  await deliverCase(sandbox, at, requestId, visible(object));
}

/** Publishes the deliveries of a case, once. */
async function deliverCase(
  sandbox: Sandbox,
  at: RunCase,
  requestId: string,
  object: Value,
): Promise<void> {
  const isSession = object.object === 'checkout.session';
  const isPaid = object.status === 'succeeded';
  if (at.name === 'unpaid-session' && isSession) {
    await meet(sandbox, at, requestId, (view) =>
      view.write(marksSpace, object.id, { ...at, kind: 'session' }),
    );
  }
  if (at.name === 'forged-event' && (isSession || object.object === 'payment_intent') && !isPaid) {
    const id = newEventId();
    await meet(sandbox, at, requestId, (view) => forge(view, at, object, id));
  }
  if (at.name === 'duplicate-event' && isPaid) {
    await meet(sandbox, at, requestId, (view) => repeat(view, at, object));
  }
}

/** Acts on the first request of a case. */
async function meet(
  sandbox: Sandbox,
  at: RunCase,
  requestId: string,
  act: (view: Transaction) => void,
): Promise<void> {
  const met = await changeStep(sandbox, at, (step) =>
    step.metBy === undefined ? { ...step, metBy: requestId } : step,
  );
  if (met?.metBy === requestId) await sandbox.transact(act);
}

/** Publishes an event that did not happen, with a wrong signature. */
function forge(view: Transaction, at: RunCase, object: Value, id: string): void {
  const isSession = object.object === 'checkout.session';
  const type = isSession ? 'checkout.session.completed' : 'payment_intent.succeeded';
  const paid = isSession
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
function repeat(view: Transaction, at: RunCase, { id }: Value): void {
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

/** Observes a record of the client that has the id of a mark. */
export async function observeMarked(
  sandbox: Sandbox,
  id: string,
  mark: Mark,
  isSecond: boolean,
): Promise<void> {
  const observed = await judgeRecord(sandbox, id, mark, isSecond);
  await changeStep(sandbox, mark, (step: Step) => observe(step, observed));
}

async function judgeRecord(
  sandbox: Sandbox,
  id: string,
  { kind }: Mark,
  isSecond: boolean,
): Promise<Observed> {
  if (kind === 'forged') {
    return mishandled('A record has the id of the forged event.');
  }
  if (kind === 'repeated') {
    return isSecond ? mishandled('Two records have the id of the event.') : handled('One record.');
  }
  const session = await sandbox.read(spaceOf('checkout.session'), id);
  return session?.payment_status === 'unpaid'
    ? mishandled('A record has the id of the session, which is not paid.')
    : handled('The first record came after the payment.');
}

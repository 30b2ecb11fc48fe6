/** Plays the cases of a run: failures of requests, cards, and deliveries; and observes the client. */

import { hash } from 'node:crypto';
import type { Reply, Request } from '#http/exchange.js';
import { resetConnectionOf } from '#kit/connection.js';
import { arrivalBefore, isAfterResponse } from '#kit/verdict/exchange.js';
import type { TestCase } from '#kit/verdict/test-runs.js';
import type { Sandbox } from '#state/state.js';
import { spaceOf } from '../engine/ledger.js';
import { type Params, type Value, visible } from '../engine/objects.js';
import { markLost } from '../judge/watch.js';
import { ApiError } from '../wire/errors.js';
import { type Finished, handled, type Mark, mishandled, type Recorded } from './acts.js';
import {
  type CaseName,
  caseNamed,
  caseNames,
  type PlanCase,
  type SimulatedFailure,
} from './cases.js';
import {
  changeStep,
  type First,
  metadataName,
  type Observed,
  observe,
  paymentRuns,
} from './runs.js';

/** A case of a run, and its place. */
interface Selected {
  readonly at: TestCase;
  readonly selected: PlanCase;
}

/** Returns the case that metadata select; `undefined` for others. */
async function caseIn(sandbox: Sandbox, metadata: Value): Promise<Selected | undefined> {
  const text: unknown = metadata?.[metadataName];
  const [run = '', given = ''] = typeof text === 'string' ? text.split('/') : [];
  const name = caseNames.find((each) => each === given);
  if (name === undefined) return undefined;
  const stored = await sandbox.read(paymentRuns.space, run);
  if (stored === undefined || stored.cases?.includes(name) === false) return undefined;
  return { at: { run, name }, selected: caseNamed(name) };
}

export interface Attempted {
  readonly name: string;
  readonly params: Params;
  readonly idempotencyKey: string | null;
}

/** A request that meets the failure of a case. */
export interface Met {
  readonly at: TestCase;
  readonly failure: SimulatedFailure;
}

/** Compares a request with the first of its case; the first one meets the failure. */
export async function meetFailure(
  { request, reply }: { readonly request: Request; readonly reply: Reply },
  { name, params, idempotencyKey: key }: Attempted,
): Promise<Met | undefined> {
  if (params.metadata?.[metadataName] === undefined) return undefined;
  const { at, selected } = (await caseIn(request.sandbox, params.metadata)) ?? {};
  const failure = selected?.failure;
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

/** Observes the result of a request about an object whose metadata select a case. */
export async function observeResult(sandbox: Sandbox, finished: Finished): Promise<void> {
  if (!finished.body.includes(`"${metadataName}"`)) return;
  const { error, ...object } = JSON.parse(finished.body) as Value;
  const subject: Value = error?.payment_intent ?? object;
  const found = await caseIn(sandbox, subject.metadata);
  await found?.selected.observe?.(sandbox, found.at, finished, { error, subject });
  await play(sandbox, found, finished.requestId, subject);
}

/** Observes that a customer used a page. */
export async function observePage(
  sandbox: Sandbox,
  { type, id }: { readonly type: string; readonly id: string },
  requestId: string,
): Promise<void> {
  const object = await sandbox.read(spaceOf(type), id);
  const found = object && (await caseIn(sandbox, object.metadata));
  if (object === undefined || found === undefined) return;
  await found.selected.observePage?.(sandbox, found.at, object);
  await play(sandbox, found, requestId, visible(object));
}

/** Lets the first object of a case set off what the case is about. */
async function play(
  sandbox: Sandbox,
  found: Selected | undefined,
  requestId: string,
  object: Value,
): Promise<void> {
  const act = found?.selected.play?.(found.at, object);
  if (found === undefined || act === undefined) return;
  const met = await changeStep(sandbox, found.at, (step) =>
    step.metBy === undefined ? { ...step, metBy: requestId } : step,
  );
  if (met?.metBy === requestId) await sandbox.transact(act);
}

/** Observes a record of the client that has the id of a mark. */
export async function observeMarked(mark: Mark, recorded: Recorded): Promise<void> {
  const observed = await caseNamed(mark.name as CaseName).judgeRecord?.(recorded);
  await changeStep(recorded.sandbox, mark, (step) => observe(step, observed));
}

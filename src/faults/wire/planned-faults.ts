/** Applies the fault plan of a sandbox to its requests. */

import { originForm } from '#http/address/target.js';
import type { Reply, Request } from '#http/exchange.js';
import { rejectStored } from '#http/headers/settable-headers.js';
import { companionsOf } from '#http/status/status-companions.js';
import type { Area } from '#kit/area.js';
import type { Services } from '#kit/services.js';
import { arrivalOf } from '#kit/verdict/exchange.js';
import { CapacityError, type Sandbox, StateUnavailableError } from '#state/state.js';
import { endConnectionOf } from '#wire/request.js';
import type { FaultPlan } from '../plan/fault-plan.js';
import { applyPlan, type RuleMatch } from '../plan/plans-in-state.js';
import { type FailureResponse, failureHeaderFaults, failureResponse } from './failure-response.js';
import { FaultAct, forwardResponse } from './fault-act.js';
import { NotedAttempt } from './noted-attempt.js';

export interface FaultContext {
  readonly area: Pick<Area, 'defaults' | 'failures'>;
  readonly services: Services;
  readonly methodsAt: (target: string) => readonly string[] | undefined;
}

/** A request that may match a rule. */
export interface Arrived {
  readonly sandbox: Sandbox;
  readonly request: Request;
  readonly reply: Reply;
  readonly timeMs: number;
}

/** Applies a plan to a request, and returns whether its response is complete. */
export async function simulatePlannedFault(
  context: FaultContext,
  plan: FaultPlan,
  { sandbox, request, reply, timeMs }: Arrived,
): Promise<boolean> {
  const { held } = context.services.limits;
  const { clock, reportFailure } = context.services.runtime;
  const { method, headers, raw } = request;
  const path = resourcePath(request);
  const arrival = arrivalOf(request, timeMs);
  const match = await applyPlan(sandbox, plan, { method, path, headers }).catch(ignoreUnavailable);
  if (match === undefined) return false;
  const { deniedHeaders } = request.exchanges;
  const faults = failureHeaderFaults(match.fault ?? {}, `the rule ${match.rule}`, deniedHeaders);
  rejectStored(faults, `PUT the fault plan without it; it is in the rule ${match.rule}.`);
  const attempt = new NotedAttempt({ sandbox, clock }, request, match, path, arrival);
  const cutAfterFailure = (error: unknown): void => {
    reportFailure(request, error);
    endConnectionOf(raw);
  };
  if (match.fault === undefined) {
    forwardResponse({ reply, attempt }).catch(cutAfterFailure);
    return false;
  }
  const makeFailure = () => failureOf(context, match, request, reply);
  const on = { request, reply, held, attempt, makeFailure };
  const act = new FaultAct(match.fault, `${match.rule}#${match.act}`, on);
  if (!act.isBeforeWork) {
    act.actOnResponse().catch(cutAfterFailure);
    return false;
  }
  await act.actInstead();
  return true;
}

async function failureOf(
  { area, services, methodsAt }: FaultContext,
  { rule, fault = {} }: RuleMatch,
  request: Request,
  { raw }: Reply,
): Promise<FailureResponse> {
  const { status = 500, shape, body, bodyBase64 } = fault;
  const { negotiated } = area.failures ?? {};
  const isUsual =
    negotiated?.types.includes('application/json') &&
    body === undefined &&
    bodyBase64 === undefined;
  const message = `Simulated failure: planned by the rule ${rule}.`;
  return failureResponse(fault, {
    message,
    nowMs: services.runtime.clock(),
    companions: companionsOf(status, raw, () => methodsAt(request.url) ?? []),
    shaped: shape || isUsual ? await area.failures?.shape(request, { status, message }) : undefined,
  });
}

/** Returns the path of a request without scheme, host and query; escapes are unchanged. */
export function resourcePath({ url }: Request): string {
  return originForm(url).split('?', 1)[0] ?? '';
}

/** Skips the simulation while the plan cannot be read, or its acts cannot be counted. */
export function ignoreUnavailable(error: unknown): undefined {
  const isExpected = error instanceof StateUnavailableError || error instanceof CapacityError;
  if (!isExpected) throw error;
}

/** Applies the fault plan of a sandbox to its requests. */

import { originForm } from '../../http/address/target.js';
import type { Reply, Request } from '../../http/exchange.js';
import { rejectStored } from '../../http/headers/settable-headers.js';
import { companionsOf } from '../../http/status/status-companions.js';
import type { Area, Services } from '../../kit/area.js';
import { arrivalOf } from '../../kit/verdict/exchange.js';
import { CapacityError, type Sandbox, StateUnavailableError } from '../../state/state.js';
import { endConnectionOf } from '../../wire/request.js';
import type { FaultPlan } from '../plan/fault-plan.js';
import { type Meeting, meetPlan } from '../plan/plans-in-state.js';
import { type FailureResponse, failureHeaderFaults, failureResponse } from './failure-response.js';
import { FaultAct, passOn } from './fault-act.js';
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
export async function meetPlannedFault(
  context: FaultContext,
  plan: FaultPlan,
  { sandbox, request, reply, timeMs }: Arrived,
): Promise<boolean> {
  const { clock, held, reportFailure } = context.services;
  const { method, headers, raw } = request;
  const path = resourcePath(request);
  const arrival = arrivalOf(request, timeMs);
  const met = await meetPlan(sandbox, plan, { method, path, headers }).catch(noneWhileAway);
  if (met === undefined) return false;
  const { deniedHeaders } = request.exchanges;
  const faults = failureHeaderFaults(met.fault ?? {}, `the rule ${met.rule}`, deniedHeaders);
  rejectStored(faults, `PUT the fault plan without it; it is in the rule ${met.rule}.`);
  const attempt = new NotedAttempt({ sandbox, clock }, request, met, path, arrival);
  const orCut = (error: unknown): void => {
    reportFailure(request, error);
    endConnectionOf(raw);
  };
  if (met.fault === undefined) {
    passOn({ reply, attempt }).catch(orCut);
    return false;
  }
  const makeFailure = () => failureOf(context, met, request, reply);
  const on = { request, reply, held, attempt, makeFailure };
  const act = new FaultAct(met.fault, `${met.rule}#${met.act}`, on);
  if (!act.isBeforeWork) {
    act.actOnResponse().catch(orCut);
    return false;
  }
  await act.actInstead();
  return true;
}

function failureOf(
  { area, services, methodsAt }: FaultContext,
  { rule, fault = {} }: Meeting,
  request: Request,
  { raw }: Reply,
): FailureResponse {
  const { status = 500, shape, body, bodyBase64 } = fault;
  const isUsual = area.failures?.isUsual && body === undefined && bodyBase64 === undefined;
  const message = `Simulated failure: planned by the rule ${rule}.`;
  return failureResponse(fault, {
    message,
    nowMs: services.clock(),
    companions: companionsOf(status, raw, () => methodsAt(request.url) ?? []),
    shaped: shape || isUsual ? area.failures?.shape(request, { status, message }) : undefined,
  });
}

/** Returns the path of a request without scheme, host and query; escapes are unchanged. */
export function resourcePath({ url }: Request): string {
  return originForm(url).split('?', 1)[0] ?? '';
}

/** Skips the simulation while the plan cannot be read, or its acts cannot be counted. */
export function noneWhileAway(error: unknown): undefined {
  const isAway = error instanceof StateUnavailableError || error instanceof CapacityError;
  if (!isAway) throw error;
}

/** Lets requests meet the fault plan of their sandbox. */

import type { Awaitable } from '../../base/awaitable.js';
import type { Reply, Request } from '../../http/exchange.js';
import { isPreflight } from '../../http/preflight.js';
import { companionsOf } from '../../http/status/status-companions.js';
import type { Area, Services } from '../../kit/area.js';
import { CapacityError, StateUnavailableError, sharedSandboxName } from '../../state/state.js';
import { requestsOn } from '../../wire/receive-request.js';
import { endConnectionOf } from '../../wire/request.js';
import type { FaultPlan } from '../plan/fault-plan.js';
import { type Meeting, meetPlan, readPlan } from '../plan/plans-in-state.js';
import { type FailureResponse, failureResponse } from './failure-response.js';
import { FaultAct, passOn } from './fault-act.js';
import { NotedAttempt } from './noted-attempt.js';
import { resourcePath } from './resource-path.js';

export interface PlannedFaults {
  /** The plan that a request may meet; `undefined` at once where there cannot be one. */
  readonly planFor: (request: Request) => Awaitable<FaultPlan | undefined>;
  /** Lets a request meet a plan, and says whether nothing is left to do of it. */
  readonly meet: (plan: FaultPlan, request: Request, reply: Reply) => Promise<boolean>;
}

export function plannedFaults(
  { defaults: { isBeyondPlans } = {}, failures }: Pick<Area, 'defaults' | 'failures'>,
  { clock, config, held, sandboxOf, reportFailure }: Services,
  methodsAt: (target: string) => readonly string[] | undefined,
): PlannedFaults {
  const isAccountRequired = config.accounts === 'required';

  function planFor(request: Request): Awaitable<FaultPlan | undefined> {
    // A stranger has no sandbox.
    if (isBeyondPlans || (isAccountRequired && request.accountId === undefined)) return undefined;
    const sandbox = sandboxOf(request);
    if (sandbox.name === sharedSandboxName || isPreflight(request) || isPage(request)) {
      return undefined;
    }
    const plan = readPlan(sandbox);
    return plan instanceof Promise ? plan.catch(noneWhileAway) : plan;
  }

  function makeFailure(
    { rule, fault = {} }: Meeting,
    request: Request,
    { raw }: Reply,
  ): FailureResponse {
    const { status = 500, shape } = fault;
    const message = `This failure was planned by the rule ${rule}.`;
    return failureResponse(fault, {
      message,
      nowMs: clock(),
      companions: companionsOf(status, raw, () => methodsAt(request.url) ?? []),
      shaped: shape && failures?.shape(request, { status, message }),
    });
  }

  async function meet(plan: FaultPlan, request: Request, reply: Reply): Promise<boolean> {
    const sandbox = sandboxOf(request);
    const path = resourcePath(request);
    const arrival = { path, connectionReused: isConnectionReused(request), timeMs: clock() };
    const { method = '' } = request.raw;
    const { headers } = request;
    const met = await meetPlan(sandbox, plan, { method, path, headers }).catch(noneWhileAway);
    if (met === undefined) return false;
    const attempt = new NotedAttempt(sandbox, clock, request, met, arrival);
    const orCut = (error: unknown): void => {
      reportFailure(request, error);
      endConnectionOf(request.raw);
    };
    if (met.fault === undefined) {
      passOn({ reply, attempt }).catch(orCut);
      return false;
    }
    const on = {
      request,
      reply,
      held,
      attempt,
      makeFailure: () => makeFailure(met, request, reply),
    };
    const act = new FaultAct(met.fault, `${met.rule}#${met.act}`, on);
    if (!act.isBeforeWork) {
      act.actOnAnswer().catch(orCut);
      return false;
    }
    await act.actInstead();
    return true;
  }

  return { planFor, meet };
}

/** Faults stay away while nobody can tell what was planned, or count what was done. */
function noneWhileAway(error: unknown): undefined {
  const isAway = error instanceof StateUnavailableError || error instanceof CapacityError;
  if (!isAway) throw error;
}

/** What opens to a stranger as well is a page. */
function isPage(request: Request): boolean {
  return request.route?.spec.isOpenTo?.(request) ?? false;
}

function isConnectionReused({ raw }: Request): boolean {
  return requestsOn(raw.socket) > 1;
}

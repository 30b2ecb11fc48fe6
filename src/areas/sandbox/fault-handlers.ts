/** The fault plan of a sandbox: making it, looking at it, ending it, and reading what became of it. */

import type { GivenPlan, PlanView } from '../../faults/plan/fault-plan.js';
import { type Judgement, judgeAttempts } from '../../faults/plan/judge-attempts.js';
import {
  endPlan,
  logOf,
  putPlan,
  readAttempts,
  viewPlan,
} from '../../faults/plan/plans-in-state.js';
import type { Reply, Request } from '../../http/exchange.js';
import { HttpError } from '../../http/http-error.js';
import type { Services } from '../../kit/area.js';
import { waitForEntry } from '../../kit/sandbox/wait-for-entry.js';
import { type Sandbox, sharedSandboxName } from '../../state/state.js';
import { checkPlan } from './check-plan.js';

interface LogQuery {
  readonly after?: number;
  /** In seconds. */
  readonly wait?: number;
}

export function faultHandlers({ sandboxOf, clock, held }: Services) {
  function ownSandboxOf(request: Request): Sandbox {
    const sandbox = sandboxOf(request);
    if (sandbox.name === sharedSandboxName) throw sharedByAll();
    return sandbox;
  }

  return {
    async read(request: Request): Promise<PlanView> {
      return viewPlan(ownSandboxOf(request));
    },

    async plan(request: Request, given: GivenPlan): Promise<PlanView> {
      const sandbox = ownSandboxOf(request);
      const errors = checkPlan(given);
      if (errors.length > 0) {
        throw new HttpError(400, errors.map(({ message }) => message).join(' '), {
          body: { errors },
        });
      }
      const { seed, rules } = await putPlan(sandbox, given, clock());
      return { rules: rules.map((rule) => ({ ...rule, acted: 0 })), seed };
    },

    async end(request: Request, reply: Reply) {
      await endPlan(ownSandboxOf(request));
      return reply.code(204).send(null);
    },

    async readLog(
      request: Request,
      reply: Reply,
      { after, wait = 0 }: LogQuery,
    ): Promise<Judgement> {
      const sandbox = ownSandboxOf(request);
      if (wait > 0) {
        await waitForEntry(logOf(sandbox), after, held.hold(request, reply, wait * 1000));
      }
      return judgeAttempts(await readAttempts(sandbox), after);
    },
  };
}

function sharedByAll(): HttpError {
  return new HttpError(
    403,
    'Requests without X-Sandbox share one sandbox, in which faults cannot be planned. Send a header such as X-Sandbox: any-name to plan them in a sandbox of your own.',
  );
}

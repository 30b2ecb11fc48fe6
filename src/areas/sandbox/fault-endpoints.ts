/** Endpoints for the fault plan of a sandbox: plan, read and delete it, and read the log of attempts. */

import { Type } from 'typebox';
import type { Clock } from '#base/awaitable.js';
import { maxAttempts } from '#faults/plan/attempts.js';
import type { GivenPlan } from '#faults/plan/fault-plan.js';
import { judgeAttempts } from '#faults/plan/judge-attempts.js';
import { endPlan, logOf, putPlan, readAttempts, viewPlan } from '#faults/plan/plans-in-state.js';
import { DeniedHeaders } from '#http/denied-headers.js';
import type { Request } from '#http/exchange.js';
import type { HeldRequests } from '#http/held-requests.js';
import { HttpError, rejectFaults } from '#http/http-error.js';
import { failures } from '#http/schemas/error-schema.js';
import { CheckBudget } from '#json-schema/budget.js';
import { findFaults } from '#json-schema/find-faults.js';
import { endpoint, openExceptTypos } from '#kit/endpoint.js';
import { type Examples, inSandbox } from '#kit/example.js';
import { describeFaults } from '#kit/input/describe-faults.js';
import type { PlanFaults } from '#kit/offers/steering.js';
import { sequenceParameter, waitForEntry, waitParameter } from '#kit/sandbox/wait-for-entry.js';
import type { Runtime } from '#kit/services.js';
import { type Sandbox, sharedSandboxName } from '#state/state.js';
import { checkPlan } from './check-plan.js';
import { faultLogSchema } from './fault-log-schema.js';
import { givenPlanSchema, planViewSchema } from './fault-plan-schema.js';
import { withWarnings } from './plan-warnings.js';

const path = '/api/sandbox/faults';

const sharedRejection = 'Requires a named sandbox; the shared one gets 403.';

export const readFaults = endpoint('GET', path, {
  summary: 'Get the fault plan, and how often each rule applied',
  description: `Without a plan, returns no rules. ${sharedRejection}`,
  responses: { 200: planViewSchema, ...failures(403) },
  examples: { 'The plan': inSandbox('my-faults') },
  handle: async (request) => withWarnings(await viewPlan(ownSandboxOf(request))),
});

const plans: Examples = {
  'Two failures, and random ones': {
    ...inSandbox('my-faults'),
    json: {
      seed: 1,
      rules: [
        {
          name: 'flaky-books',
          match: { method: 'GET', path: '/api/Books/:id' },
          sequence: [
            { status: 503, retryAfter: 1 },
            { delayMs: { min: 10, max: 50 }, truncate: 20 },
          ],
        },
        { sequence: [{ probability: 0.1, fault: { reset: true } }], then: 'repeat' },
      ],
    },
  },
  'Two faults in one entry': {
    ...inSandbox('my-faults'),
    json: { rules: [{ sequence: [{ reset: true, empty: true }] }] },
  },
};

export const planFaults = (clock: Clock) =>
  endpoint('PUT', path, {
    summary: 'Plan faults for requests of the sandbox',
    description: `The first rule that matches a request applies the next fault of its sequence. Replaces the previous plan, and empties the log. ${sharedRejection}`,
    before: (request) => void ownSandboxOf(request),
    body: givenPlanSchema,
    // Enough for a plan with the maximum of rules and faults, and many members in each.
    maxJsonValues: 12_000,
    responses: { 200: planViewSchema, ...failures(403) },
    examples: plans,
    async handle(request) {
      const { deniedHeaders } = request.exchanges;
      return replacePlan(ownSandboxOf(request), request.body, clock(), deniedHeaders);
    },
  });

async function replacePlan(
  sandbox: Sandbox,
  given: GivenPlan,
  nowMs: number,
  denied: DeniedHeaders,
) {
  rejectFaults(checkPlan(given, denied));
  const { seed, rules } = await putPlan(sandbox, given, nowMs);
  return withWarnings({ rules: rules.map((rule) => ({ ...rule, acted: 0 })), seed });
}

/** Plans faults that another area has received. Throws 400 for an invalid plan. */
export function faultPlanner({ clock, config }: Runtime): PlanFaults {
  const denied = new DeniedHeaders(config.deniedHeaders);
  return async (sandbox, plan) => {
    const found = findFaults(givenPlanSchema, plan, new CheckBudget());
    if (found.isValid === undefined) throw new HttpError(400, 'The plan needs too many checks.');
    if (found.isValid === false) rejectFaults(describeFaults(found.faults, 'body'));
    return { ...(await replacePlan(sandbox, plan as unknown as GivenPlan, clock(), denied)) };
  };
}

export const endFaults = endpoint('DELETE', path, {
  summary: 'Delete the fault plan of the sandbox',
  description: `The log remains until the next plan, or a reset. ${sharedRejection}`,
  responses: { 204: Type.Null(), ...failures(403) },
  examples: { 'The end of a plan': inSandbox('my-faults') },
  async handle(request, reply) {
    await endPlan(ownSandboxOf(request));
    return reply.code(204).send(null);
  },
});

export const readFaultLog = (held: HeldRequests) =>
  endpoint('GET', `${path}/log`, {
    summary: "Get the attempts, and a report on the client's retries",
    description: `The newest ${maxAttempts} attempts that rules matched, in order. Attempts with the same method, path and Idempotency-Key are a series, which ends with a success. With ?wait=, the response is delayed until there is another attempt, or the time is over. ${sharedRejection}`,
    query: openExceptTypos({
      after: sequenceParameter('Returns only attempts after this id, and their series.'),
      wait: waitParameter('attempt'),
    }),
    responses: { 200: faultLogSchema, ...failures(403) },
    async handle(request, reply) {
      const sandbox = ownSandboxOf(request);
      const { after, wait = 0 } = request.query;
      if (wait > 0) {
        await waitForEntry(logOf(sandbox), after, held.hold(request, reply, wait * 1000));
      }
      return judgeAttempts(await readAttempts(sandbox), after);
    },
  });

function ownSandboxOf({ sandbox }: Request): Sandbox {
  if (sandbox.name !== sharedSandboxName) return sandbox;
  throw new HttpError(
    403,
    'Requests without X-Sandbox share one sandbox, where faults cannot be planned. Send a header such as X-Sandbox: any-name to plan them in a private sandbox.',
  );
}

/** Adds warnings to a fault plan, about parts of its responses that clients must ignore. */

import type { Fault, PlanView } from '#faults/plan/fault-plan.js';
import { retryAfterWarning, retryAfterWarnings } from '#http/headers/retry-after.js';

const maxWarnings = 20;

/** Adds the first warnings, each with the rule and the number of the fault. */
export function withWarnings(plan: PlanView) {
  const warnings = plan.rules.flatMap(({ name, sequence }) =>
    sequence.flatMap((fault, index) => {
      const said = faultWarnings(fault.fault ?? fault);
      return said.map((warning) => `Rule ${name}, fault ${index + 1}: ${warning}`);
    }),
  );
  return warnings.length === 0 ? plan : { ...plan, warnings: warnings.slice(0, maxWarnings) };
}

function faultWarnings({ retryAfter, headers = {} }: Fault): string[] {
  const { seconds, as } =
    typeof retryAfter === 'number' ? { seconds: retryAfter } : { ...retryAfter };
  const isSent = seconds !== undefined && as !== 'date';
  const own = isSent ? retryAfterWarning(String(seconds)) : undefined;
  return [...(own === undefined ? [] : [own]), ...retryAfterWarnings(headers)];
}

/** A judge that keeps findings in the sandbox, for the page of verdicts. */

import type { Sandbox } from '#state/state.js';
import { forgetFindings, type Rule, readFindings, readKept, readOutcomes } from './findings.js';
import type { Judge, SeenVerdict } from './judge.js';
import { maxEvidence } from './verdict.js';

interface FindingsJudge extends Pick<Judge, 'name' | 'title' | 'says' | 'guide' | 'log'> {
  readonly rules: readonly Rule[];
  /** Forgets what else the judge remembers. */
  readonly onClear?: (sandbox: Sandbox) => Promise<void>;
}

export function judgeByFindings({ rules, onClear, ...judge }: FindingsJudge): Judge {
  const plan = rules.map(({ name, level, section, right }) => ({
    ...{ rule: name, level, section, hint: right },
  }));
  return {
    ...judge,
    rules: plan,
    async read(sandbox) {
      const outcomes = await readOutcomes(sandbox, judge.name, rules);
      const found = await readFindings(sandbox, judge.name);
      const kept = await readKept(sandbox, judge.name);
      const verdicts = plan.map((rule, index): SeenVerdict => {
        const outcome = outcomes[index]?.outcome ?? 'not-reached';
        const shown = found.filter(
          ({ verdict }) => verdict.rule === rule.rule && verdict.outcome === outcome,
        );
        const newest = shown.at(-1);
        const keptBy = outcome === 'kept' ? kept[rule.rule] : undefined;
        const evidence =
          keptBy === undefined
            ? shown.flatMap(({ verdict }) => verdict.evidence).slice(-maxEvidence)
            : [keptBy];
        return {
          ...{ id: `${judge.name}-${rule.rule}`, ...rule, outcome, evidence },
          ...(newest && { seen: newest.sent }),
          ...(newest?.verdict.decidedBy && { decidedBy: newest.verdict.decidedBy }),
        };
      });
      return { verdicts };
    },
    async clear(sandbox) {
      await forgetFindings(sandbox, judge.name);
      await onClear?.(sandbox);
    },
  };
}

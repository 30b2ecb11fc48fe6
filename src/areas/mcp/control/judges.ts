/** The judge of all messages, and the newest run of the test plan, for the page of verdicts. */

import type { IssuerSteering } from '#kit/offers/issuer.js';
import { judgeByFindings } from '#kit/verdict/findings-judge.js';
import { byReport, type Judge, type SeenVerdict } from '#kit/verdict/judge.js';
import { type JudgedPart, type JudgedRule, verdictOn } from '#kit/verdict/verdict.js';
import type { Sandbox } from '#state/state.js';
import { addressesPath, planPath } from '../exchange/protect.js';
import { clientRules, judgeName } from '../judge/all-rules.js';
import { forgetMessages } from '../judge/watch.js';
import { caseOf, type MisbehaviourName, namesWith } from '../misbehaviour/misbehaviours.js';
import { looseRun, mcpRuns, type Run } from '../misbehaviour/runs.js';
import { type JudgedStep, judgeStep } from './judge-step.js';

export const rulesJudge = judgeByFindings({
  name: judgeName,
  title: 'MCP',
  says: 'Each message of an MCP client, in every revision.',
  guide: 'mcp/test-your-client',
  log: '/api/sandbox/mcp/messages',
  rules: clientRules,
  onClear: forgetMessages,
});

function ruleOf(name: MisbehaviourName): JudgedRule {
  const { what, rightClient, section, rule } = caseOf(name);
  return { rule: name, level: rule?.level ?? 'must', section, hint: `${what} ${rightClient}` };
}

/** Without an issuer, the cases of the login are absent. */
export function planJudge(issuer: IssuerSteering | undefined): Judge {
  const names = namesWith(issuer);
  return {
    name: 'mcp-misbehaviours',
    title: 'MCP: misbehaviours',
    says: 'The newest run of the test plan: what the client accepts from a server that misbehaves.',
    guide: 'mcp/test-your-client',
    rules: names.map(ruleOf),
    plan: { path: planPath, urls: { 'URL of the server': `${addressesPath}/{run}/{case}` } },
    async read(sandbox) {
      const all = await sandbox.entries(mcpRuns.space);
      const newest = all.findLast(([id]) => id !== looseRun);
      if (newest === undefined) return { verdicts: [] };
      const [id, run] = newest;
      const verdicts = names.map((name) => verdictOfStep(issuer, sandbox, run, name));
      return { run: id, verdicts: await Promise.all(verdicts) };
    },
  };
}

async function verdictOfStep(
  issuer: IssuerSteering | undefined,
  sandbox: Sandbox,
  run: Run,
  name: MisbehaviourName,
): Promise<SeenVerdict> {
  const judged = await judgeStep(issuer, sandbox, run, name);
  const { metBy, acceptedBy = metBy } = run.steps[name] ?? {};
  const requests = acceptedBy === undefined ? [] : [acceptedBy];
  const verdict = verdictOn('mcp-misbehaviours', ruleOf(name), [{ ...partOf(judged), requests }]);
  return judged.outcome === 'not-reached' ? verdict : { ...verdict, seen: judged.evidence };
}

function partOf({ outcome, isCertain }: JudgedStep): Omit<JudgedPart, 'requests'> {
  if (outcome === 'refused') return { isKept: true };
  if (outcome === 'not-reached') return { isKept: null };
  return outcome === 'accepted' && isCertain
    ? { isKept: false }
    : { isKept: null, decidedBy: byReport };
}

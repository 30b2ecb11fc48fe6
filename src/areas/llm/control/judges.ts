/** The judge of all requests, and the newest run of the test plan, for the page of verdicts. */

import { judgeByFindings } from '#kit/verdict/findings-judge.js';
import { byReport, type SeenVerdict } from '#kit/verdict/judge.js';
import { judgeByRuns } from '#kit/verdict/plan-judge.js';
import { type JudgedPart, type JudgedRule, verdictOn } from '#kit/verdict/verdict.js';
import { clientRules, judgeName, streaming } from '../judge/rules.js';
import { planPath } from '../messages/mount.js';
import { llmRuns, outcomeOf, type Step } from '../plan/runs.js';
import { brokenStream, cases, type Misbehaviour, rightClient } from '../streams/cases.js';

export const rulesJudge = judgeByFindings({
  name: judgeName,
  title: 'Language models',
  says: 'Each request of a client of OpenAI, Anthropic, Gemini or Ollama, compared with the responses before it.',
  guide: 'llm/test-your-error-handling',
  rules: clientRules,
});

/** Running a tool with arguments that never were whole is certain; believing a text may be a choice. */
const ruleOf = ([name, { name: stream, at }]: readonly [string, Misbehaviour]): JudgedRule => ({
  rule: name,
  level: at === 'arguments' ? 'must' : 'should',
  section: streaming,
  hint: `${brokenStream(stream).what} ${rightClient[brokenStream(stream).nature]}`,
});

const rules = [...cases].map(ruleOf);

export const planJudge = judgeByRuns<Step>({
  name: 'llm-streams',
  title: 'Language models: broken streams',
  says: 'The newest run of the test plan: what the client does with a stream that breaks.',
  guide: 'llm/test-your-error-handling',
  rules,
  plan: {
    path: planPath,
    urls: {
      OpenAI: `${planPath}/runs/{run}/{case}/openai/v1`,
      Anthropic: `${planPath}/runs/{run}/{case}/anthropic`,
      Gemini: `${planPath}/runs/{run}/{case}/gemini`,
      Ollama: `${planPath}/runs/{run}/{case}/ollama`,
    },
  },
  runs: llmRuns,
  verdictOf: verdictOfStep,
});

function verdictOfStep(rule: JudgedRule, step: Step = {}): SeenVerdict {
  const { metBy, observed } = step;
  const verdict = verdictOn('llm-streams', rule, [
    { ...judgeStep(rule, step), requests: metBy === undefined ? [] : [metBy] },
  ]);
  return observed === undefined ? verdict : { ...verdict, seen: observed.evidence };
}

function judgeStep({ level }: JudgedRule, step: Step): Omit<JudgedPart, 'requests'> {
  const outcome = outcomeOf(step);
  if (outcome === 'not-reached') return { isKept: null };
  if (outcome === 'unclear') return { isKept: null, decidedBy: byReport };
  if (outcome !== 'mishandled') return { isKept: true };
  const isCertain = step.observed?.isCertain === true || step.reported === 'mishandled';
  return isCertain || level !== 'must' ? { isKept: false } : { isKept: null, decidedBy: byReport };
}

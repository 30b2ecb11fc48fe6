/** The test plan for clients of payments, its runs, and its judge. */

import { Type } from 'typebox';
import { oneOf } from '#kit/describe/value-schemas.js';
import { setWatch } from '#kit/recording/exchange-record.js';
import { judgeByRuns, metOutcomes, metReports, verdictOfMet } from '#kit/verdict/plan-judge.js';
import { testPlanEndpoints } from '#kit/verdict/test-plan.js';
import type { JudgedRule } from '#kit/verdict/verdict.js';
import { type CaseName, caseNamed, caseNames } from './cases.js';
import { metadataName, outcomeOf, paymentRuns, type Step } from './runs.js';

const path = '/payments/test-plan';
const text = Type.String();

const stepSchema = Type.Object(
  {
    case: text,
    metadata: Type.Record(text, text, { description: 'Metadata of the object that you create.' }),
    paymentMethod: Type.Optional(text),
    outcome: oneOf(metOutcomes),
    evidence: text,
    reported: Type.Optional(oneOf(metReports)),
  },
  { title: 'PaymentsTestStep' },
);

const shownCard = (name: CaseName) => {
  const { paymentMethod } = caseNamed(name);
  return paymentMethod === undefined ? {} : { paymentMethod };
};

export const planEndpoints = testPlanEndpoints({
  path,
  isHidden: true,
  texts: {
    list: { summary: 'List the cases of payments, and what clients should do' },
    start: {
      summary: 'Start a run of the test plan for payments',
      description: 'Metadata of an object selects its case. A run is stored for a day.',
    },
    read: { summary: 'Show what a client did with each case' },
    report: { summary: 'Report what a client did with a case' },
  },
  list: {
    schema: Type.Array(
      Type.Object({
        ...{ case: text, what: text, rightClient: text, section: text },
        paymentMethod: Type.Optional(text),
      }),
    ),
    entries: caseNames.map((name) => {
      const { what, rightClient, section } = caseNamed(name);
      return { case: name, what, rightClient, section, ...shownCard(name) };
    }),
  },
  cases: caseNames,
  hasChoice: true,
  runs: paymentRuns,
  async started(sandbox) {
    await setWatch(sandbox, { isObserved: true });
  },
  reported: metReports,
  step: {
    schema: stepSchema,
    describe: ({ name, step, runId }) => ({
      case: name,
      metadata: { [metadataName]: `${runId}/${name}` },
      ...shownCard(name),
      outcome: outcomeOf(step),
      evidence: evidenceOf(name, step),
      ...(step.reported && { reported: step.reported }),
    }),
  },
});

function evidenceOf(name: CaseName, { observed, reported, metBy }: Step): string {
  if (observed !== undefined) return observed.evidence;
  if (reported !== undefined) return 'The client reported it.';
  if (metBy === undefined) return 'The client has not met it.';
  const { judgeRecord } = caseNamed(name);
  return `Request ${metBy} met it. ${judgeRecord ? 'No record' : 'Nothing'} shows yet what the client did.`;
}

const rules: readonly JudgedRule[] = caseNames.map((rule) => {
  const { what, rightClient, section } = caseNamed(rule);
  return { rule, level: 'should', section, hint: `${what} ${rightClient}` };
});

const judge = 'payments-plan';

export const planJudge = judgeByRuns<Step>({
  name: judge,
  title: 'Payments: test plan',
  says: 'The newest run of the test plan: what the client does with each case.',
  guide: 'payments',
  rules,
  plan: { path, urls: {} },
  runs: paymentRuns,
  verdictOf: (rule, step = {}) => verdictOfMet(judge, rule, step, outcomeOf(step)),
});

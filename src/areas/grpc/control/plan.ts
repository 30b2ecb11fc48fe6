/** The test plan for clients of gRPC, its runs, and both judges. */

import { Type } from 'typebox';
import { oneOf } from '#kit/describe/value-schemas.js';
import type { CaseText } from '#kit/misbehaviour/misbehaviour.js';
import { judgeByFindings } from '#kit/verdict/findings-judge.js';
import { judgeByRuns, metOutcomes, metReports, verdictOfMet } from '#kit/verdict/plan-judge.js';
import { testPlanEndpoints } from '#kit/verdict/test-plan.js';
import type { JudgedRule } from '#kit/verdict/verdict.js';
import { plays } from '../judge/plays.js';
import { clientRules, judgeName } from '../judge/rules.js';
import { grpcRuns, outcomeOf, type Step } from '../judge/runs.js';
import { misbehaviours } from '../misbehaviour/cases.js';

const planPath = '/grpc/test-plan';
const guide = 'grpc/test-your-error-handling';
const text = Type.String();

const cases: ReadonlyMap<string, CaseText> = new Map<string, CaseText>([
  ...misbehaviours,
  ...plays,
]);

const entries = [...cases].map(([name, { what, rightClient, section }]) => ({
  ...{ case: name, what, rightClient, section },
  kind: plays.has(name) ? 'two-calls' : 'misbehaviour',
}));

const metadataSchema = Type.Object(
  { 'x-test-run': text },
  { description: 'Metadata of the calls, beside x-sandbox.' },
);

const stepSchema = Type.Object(
  {
    case: text,
    metadata: metadataSchema,
    outcome: oneOf(metOutcomes),
    evidence: text,
    reported: Type.Optional(oneOf(metReports)),
  },
  { title: 'GrpcTestStep' },
);

export const planEndpoints = testPlanEndpoints({
  path: planPath,
  isHidden: true,
  texts: {
    list: { summary: 'List the cases of gRPC, and what clients should do' },
    start: {
      summary: 'Start a run of the test plan for gRPC',
      description: 'Metadata of the call selects its case. A run is stored for a day.',
    },
    read: { summary: 'Show what a client did with each case' },
    report: { summary: 'Report what a client did with a case' },
  },
  list: {
    schema: Type.Array(
      Type.Object({ case: text, what: text, rightClient: text, section: text, kind: text }),
    ),
    entries,
  },
  cases: [...cases.keys()],
  hasChoice: true,
  runs: grpcRuns,
  reported: metReports,
  step: {
    schema: stepSchema,
    describe: ({ name, step, runId }) => ({
      case: name,
      metadata: { 'x-test-run': `${runId}/${name}` },
      outcome: outcomeOf(step),
      evidence: evidenceOf(step),
      ...(step.reported && { reported: step.reported }),
    }),
  },
});

function evidenceOf({ observed, reported, metBy }: Step): string {
  if (observed !== undefined) return observed.evidence;
  if (reported !== undefined) return 'The client reported it.';
  if (metBy === undefined) return 'The client has not met it.';
  return `Call ${metBy} met it. Nothing shows yet what the client did.`;
}

export const rulesJudge = judgeByFindings({
  name: judgeName,
  title: 'gRPC',
  says: 'Each call of the sandbox: deadlines, retries, pushback, etags and page tokens.',
  guide,
  rules: clientRules,
});

const planRules: readonly JudgedRule[] = [...cases].map(
  ([rule, { what, rightClient, section }]) => ({
    rule,
    level: 'should',
    section,
    hint: `${what} ${rightClient}`,
  }),
);

const judge = 'grpc-plan';

export const planJudge = judgeByRuns<Step>({
  name: judge,
  title: 'gRPC: test plan',
  says: 'The newest run of the test plan: what the client does with each case.',
  guide,
  rules: planRules,
  plan: { path: planPath, urls: {} },
  runs: grpcRuns,
  verdictOf: (rule, step = {}) => verdictOfMet(judge, rule, step, outcomeOf(step)),
});

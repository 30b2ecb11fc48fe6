/** The test plan: a run has an issuer for every misbehaviour, and observes the client. */

import { Type } from 'typebox';
import type { Request } from '#http/exchange.js';
import { oneOf } from '#kit/describe/value-schemas.js';
import { testPlanEndpoints } from '#kit/verdict/test-plan.js';
import { readTestRun } from '#kit/verdict/test-runs.js';
import { verdictSchema } from '#kit/verdict/verdict.js';
import { Issuer, type StepParameters } from '../messages/issuer.js';
import { paths } from '../messages/paths.js';
import { text } from '../messages/schemas.js';
import { caseKinds, expectations } from '../misbehaviour/case.js';
import { misbehaviourNames, misbehaviours } from '../misbehaviour/misbehaviours.js';
import {
  observedIn,
  outcomeOf,
  outcomes,
  reportedOutcomes,
  runs,
  stepVerdict,
} from '../misbehaviour/runs.js';

const expected = oneOf(expectations);
const kind = oneOf(caseKinds);

const listSchema = Type.Array(
  Type.Object(
    {
      name: text,
      kind,
      what: text,
      rightClient: text,
      expected,
      optionalBecause: Type.Optional(
        Type.String({ description: 'The standard that makes the check optional.' }),
      ),
    },
    { title: 'Misbehaviour' },
  ),
);

const entries = misbehaviourNames.map((name) => {
  const { kind = 'misbehaviour', ...texts } = misbehaviours[name];
  const { what, rightClient, expected, optionalBecause } = texts;
  return { name, kind, what, rightClient, expected, optionalBecause };
});

const stepSchema = Type.Object(
  {
    name: text,
    kind,
    issuer: Type.String({ description: 'The issuer that the client logs in at for this step.' }),
    outcome: oneOf(outcomes),
    observed: oneOf(outcomes),
    reported: Type.Optional(oneOf(reportedOutcomes)),
    expected,
    verdict: verdictSchema,
  },
  { title: 'TestStep' },
);

export const oidcTestPlan = testPlanEndpoints({
  path: paths.testPlan,
  parameter: 'misbehaviour',
  texts: {
    list: {
      summary: 'List misbehaviours, and what clients must accept',
      description:
        'Each name is a value of misbehave in PUT /api/sandbox/oidc; most are also values of the parameter misbehave of authorize and token.',
    },
    start: {
      summary: 'Start a run of the test plan',
      description:
        'Creates an issuer for each misbehaviour. A run is stored for a day; the newest hundred are stored.',
    },
    read: {
      summary: 'Show how a client handled each misbehaviour',
      description: 'A client accepts by continuing, and rejects by stopping.',
    },
    report: {
      summary: 'Report behaviour that the issuer cannot observe',
      description: 'Overrides what the issuer inferred, and not what it observed.',
    },
  },
  list: { schema: listSchema, entries },
  cases: misbehaviourNames,
  runs,
  reported: reportedOutcomes,
  step: {
    schema: stepSchema,
    describe({ name, step, url }) {
      const { kind = 'misbehaviour', expected } = misbehaviours[name];
      return {
        name,
        kind,
        issuer: new Issuer(`${url}/${name}`).url,
        outcome: outcomeOf(step),
        observed: observedIn(step),
        reported: step.reported,
        expected,
        verdict: stepVerdict(name, step),
      };
    },
  },
});

/** Throws 404 for an issuer of an unknown run or step. */
export async function checkStep({ params, sandbox }: Request): Promise<void> {
  const { run = '', misbehaviour: name = '' } = params as StepParameters;
  await readTestRun(runs, sandbox, run, { name, cases: misbehaviourNames });
}

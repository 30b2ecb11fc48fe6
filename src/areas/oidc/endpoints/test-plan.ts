/** The test plan and its runs: a run has an issuer for every misbehaviour, and observes the client. */

import { Type } from 'typebox';
import type { Request } from '../../../http/exchange.js';
import { HttpError } from '../../../http/http-error.js';
import { errorSchema, failures } from '../../../http/schemas/error-schema.js';
import { endpoint } from '../../../kit/endpoint.js';
import { verdictSchema } from '../../../kit/verdict/verdict.js';
import { Issuer, paths, type StepParameters } from '../messages/issuer.js';
import { oneOf, text } from '../messages/schemas.js';
import { caseKinds, expectations } from '../misbehaviour/case.js';
import { isMisbehaviour, misbehaviourNames, misbehaviours } from '../misbehaviour/misbehaviours.js';
import {
  beginRun,
  changeStep,
  observedIn,
  outcomeOf,
  outcomes,
  type Run,
  reportedOutcomes,
  runs,
  stepVerdict,
} from '../misbehaviour/runs.js';

const expected = oneOf(expectations);
const kind = oneOf(caseKinds);

const readPlan = endpoint('GET', paths.testPlan, {
  summary: 'List misbehaviours, and what clients must accept',
  description:
    'Each name is a value of misbehave in PUT /api/sandbox/oidc; most are also values of the parameter misbehave of authorize and token.',
  responses: {
    200: Type.Array(
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
    ),
  },
  handle: () =>
    misbehaviourNames.map((name) => {
      const { kind = 'misbehaviour', ...texts } = misbehaviours[name];
      const { what, rightClient, expected, optionalBecause } = texts;
      return { name, kind, what, rightClient, expected, optionalBecause };
    }),
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

const startRun = endpoint('POST', paths.runs, {
  summary: 'Start a run of the test plan',
  description:
    'Creates an issuer for each misbehaviour. A run is stored for a day; the newest hundred are stored.',
  responses: { 201: Type.Array(stepSchema) },
  responseHeaders: { 201: { Location: text } },
  async handle(request, reply) {
    const url = urlOf(request, await beginRun(request.sandbox));
    return reply.code(201).header('location', url).send(describeRun(url));
  },
});

const readRun = endpoint('GET', paths.run, {
  summary: 'Show how a client handled each misbehaviour',
  description: 'A client accepts by continuing, and rejects by stopping.',
  params: { run: text },
  responses: { 200: Type.Array(stepSchema), 404: errorSchema },
  async handle(request) {
    const { run } = request.params;
    return describeRun(urlOf(request, run), await findRun(request, run));
  },
});

const reportStep = endpoint('PUT', paths.step, {
  summary: 'Report behaviour that the issuer cannot observe',
  description: 'Overrides what the issuer inferred, and not what it observed.',
  params: { run: text, misbehaviour: text },
  body: Type.Object({ outcome: oneOf(reportedOutcomes) }, { additionalProperties: false }),
  responses: { 200: stepSchema, ...failures(400, 404, 413, 415) },
  async handle(request) {
    const { run: id, misbehaviour: name } = request.params;
    const { outcome: reported } = request.body;
    if (!isMisbehaviour(name)) throw noStep();
    const run = await changeStep(request.sandbox, id, name, (step) => ({ ...step, reported }));
    if (run === undefined) throw noRun();
    return describeRun(urlOf(request, id), run).find((step) => step.name === name);
  },
});

export const testPlanEndpoints = [readPlan, startRun, readRun, reportStep];

/** Throws 404 for an issuer of an unknown run or step. */
export async function checkStep(request: Request): Promise<void> {
  const { run = '', misbehaviour = '' } = request.params as StepParameters;
  if (!isMisbehaviour(misbehaviour)) throw noStep();
  await findRun(request, run);
}

async function findRun({ sandbox }: Request, id: string): Promise<Run> {
  const run = await sandbox.read(runs, id);
  if (run === undefined) throw noRun();
  return run;
}

function urlOf({ baseUrl }: Request, run: string): string {
  return `${baseUrl}${paths.runs}/${run}`;
}

function describeRun(url: string, run?: Run) {
  return misbehaviourNames.map((name) => {
    const { kind = 'misbehaviour', expected } = misbehaviours[name];
    const step = run?.steps[name] ?? {};
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
  });
}

function noRun(): HttpError {
  return new HttpError(
    404,
    'Unknown run in this sandbox; each expires after a day. Start one with POST /oidc/test-plan/runs.',
  );
}

function noStep(): HttpError {
  const known = misbehaviourNames.join(', ');
  return new HttpError(404, `Unknown misbehaviour. Use ${known}.`);
}

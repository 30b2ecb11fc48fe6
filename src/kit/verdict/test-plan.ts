/** A test plan for clients: the list of its cases, and runs in which a client meets each of them. */

import { type TSchema, Type } from 'typebox';
import type { Awaitable } from '#base/awaitable.js';
import type { Request } from '#http/exchange.js';
import { HttpError } from '#http/http-error.js';
import { failures } from '#http/schemas/error-schema.js';
import type { Sandbox } from '#state/state.js';
import { oneOf } from '../describe/value-schemas.js';
import { type Endpoint, endpoint } from '../endpoint.js';
import type { Examples } from '../example.js';
import {
  beginTestRun,
  changeTestStep,
  type ReportedStep,
  readTestRun,
  type TestRun,
  type TestRuns,
} from './test-runs.js';

interface Texts {
  readonly summary: string;
  readonly description?: string;
}

/** A case of a run, of which the client has done nothing at first. */
export interface RunStep<Step, Name extends string, Run = TestRun<Step>> {
  readonly name: Name;
  readonly step: Step;
  readonly runId: string;
  /** URL of the run. */
  readonly url: string;
  readonly request: Request;
  /** Absent in the response that begins it. */
  readonly run?: Run;
}

export interface TestPlan<Step extends ReportedStep, Name extends string> {
  /** Path of the list, such as `/mcp/test-plan`; runs are below it. */
  readonly path: string;
  /** Name of the case in paths. Default: `name`. */
  readonly parameter?: string;
  /** Left out of the API description. */
  readonly isHidden?: true;
  readonly texts: Readonly<Record<'list' | 'start' | 'read' | 'report', Texts>>;
  readonly list: { readonly schema: TSchema; readonly entries: readonly object[] };
  readonly cases: readonly Name[];
  /** Whether a run can have some of the cases only. */
  readonly hasChoice?: true;
  readonly runs: TestRuns<TestRun<Step>>;
  /** Returns further properties of a new run. */
  readonly begin?: (sandbox: Sandbox) => Awaitable<object | undefined>;
  /** The two outcomes that a test can report. */
  readonly reported: readonly NonNullable<Step['reported']>[];
  /** Returns further properties of a step that is reported. */
  readonly note?: (step: Step, nowMs: number) => Partial<Step>;
  readonly step: {
    readonly schema: TSchema;
    readonly describe: (at: RunStep<Step, Name>) => Awaitable<object>;
  };
}

const text = Type.String();

/** Returns the endpoints: the list, the start of a run, its steps, and the report of a step. */
export function testPlanEndpoints<Step extends ReportedStep, Name extends string>(
  plan: TestPlan<Step, Name>,
): readonly Endpoint[] {
  const { path, parameter = 'name', hasChoice, cases, runs, step, note } = plan;
  const shown = (texts: Texts) => ({ ...(plan.isHidden && { hide: true }), ...texts });
  const steps = Type.Array(step.schema);
  return [
    endpoint('GET', path, {
      ...shown(plan.texts.list),
      responses: { 200: plan.list.schema },
      handle: () => plan.list.entries,
    }),
    endpoint('POST', `${path}/runs`, {
      ...shown(plan.texts.start),
      ...(hasChoice && { body: choiceOf(cases) }),
      responses: { 201: steps },
      responseHeaders: { 201: { Location: text } },
      examples: { 'A run': { isNoExample: true, keeps: { run: { header: 'Location' } } } },
      async handle(request, reply) {
        const { sandbox, body } = request;
        const chosen = hasChoice && { cases: chosenIn(plan, body) };
        const more = { ...chosen, ...(await plan.begin?.(sandbox)) };
        const run = await beginTestRun(runs, sandbox, more);
        const location = `${request.baseUrl}${path}/runs/${run}`;
        const begun = await describe(plan, request, run, chosen?.cases ?? cases);
        return reply.code(201).header('location', location).send(begun);
      },
    }),
    endpoint('GET', `${path}/runs/:run`, {
      ...shown(plan.texts.read),
      params: { run: text },
      responses: { 200: steps, ...failures(404) },
      examples: { 'The report of a run': { path: { run: '{{run}}' }, isNoExample: true } },
      async handle(request) {
        const { run } = request.params;
        const stored = await readTestRun(runs, request.sandbox, run);
        return describe(plan, request, run, stored.cases ?? cases, stored);
      },
    }),
    endpoint('PUT', `${path}/runs/:run/:${parameter}`, {
      ...shown(plan.texts.report),
      params: { run: text, [parameter]: text },
      body: Type.Object({ outcome: oneOf(plan.reported) }, { additionalProperties: false }),
      responses: { 200: step.schema, ...failures(404) },
      examples: reportsOf(plan, parameter),
      async handle(request) {
        const { run = '', [parameter]: name = '' } = request.params;
        const reported = request.body.outcome;
        await readTestRun(runs, request.sandbox, run, { name, cases });
        const stored = await changeTestStep(
          runs,
          request.sandbox,
          { run, name },
          (before: Step, nowMs) => ({ ...before, reported, ...note?.(before, nowMs) }),
        );
        return (await describe(plan, request, run, [name], stored))[0];
      },
    }),
  ];
}

function reportsOf(
  { cases, reported }: Pick<TestPlan<ReportedStep, string>, 'cases' | 'reported'>,
  parameter: string,
): Examples {
  const path = { run: '{{run}}', [parameter]: cases[0] ?? '' };
  return {
    'A reported outcome': { path, json: { outcome: reported[0] ?? '' }, isNoExample: true },
    'No outcome': { path, json: { outcome: 'maybe' } },
  };
}

function describe<Step extends ReportedStep, Name extends string>(
  { path, step: { describe } }: TestPlan<Step, Name>,
  request: Request,
  runId: string,
  names: readonly string[],
  run?: TestRun<Step>,
): Promise<readonly object[]> {
  const url = `${request.baseUrl}${path}/runs/${runId}`;
  const steps = names.map((name) => {
    const step = run?.steps[name] ?? ({} as Step);
    return describe({ name: name as Name, step, runId, url, request, ...(run && { run }) });
  });
  return Promise.all(steps);
}

const choiceOf = ({ length }: readonly string[]) =>
  Type.Object(
    { cases: Type.Optional(Type.Array(text, { minItems: 1, maxItems: 2 * length })) },
    { additionalProperties: false, default: {} },
  );

/** Throws 400 for names that are no cases. */
function chosenIn(
  { path, cases }: { readonly path: string; readonly cases: readonly string[] },
  body: unknown,
): readonly string[] {
  const { cases: wanted = cases } = body as { readonly cases?: readonly string[] };
  const unknown = wanted.find((each) => !cases.includes(each));
  if (unknown === undefined) return [...new Set(wanted)];
  throw new HttpError(400, `cases must be names of cases in GET ${path}.`, {
    body: { errors: [{ field: 'cases', message: `Unknown case: ${unknown.slice(0, 100)}` }] },
  });
}

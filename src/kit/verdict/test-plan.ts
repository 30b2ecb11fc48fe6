/** A test plan for clients: the list of its cases, and runs in which a client meets each of them. */

import { type TSchema, Type } from 'typebox';
import type { Awaitable } from '#base/awaitable.js';
import type { JsonObject } from '#base/json-object.js';
import type { Fields, Request } from '#http/exchange.js';
import { HttpError } from '#http/http-error.js';
import { failures } from '#http/schemas/error-schema.js';
import type { Sandbox } from '#state/state.js';
import { oneOf } from '../describe/value-schemas.js';
import { type Endpoint, endpoint } from '../endpoint.js';
import type { ExampleRequest, Examples } from '../example.js';
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
  readonly list: {
    readonly schema: TSchema;
    /** Depends on the request if entries have URLs. */
    readonly entries: readonly object[] | ((request: Request) => readonly object[]);
  };
  readonly cases: readonly Name[];
  /** Whether a run can have some of the cases only. */
  readonly hasChoice?: true;
  readonly runs: TestRuns<TestRun<Step>>;
  /** Further members of the body that starts a run, with examples. The first starts one, and other requests have its headers. */
  readonly input?: {
    readonly fields: Fields;
    readonly first: ExampleRequest;
    readonly others: Examples;
  };
  /** Returns further properties of a new run, by the validated body. */
  readonly begin?: (
    sandbox: Sandbox,
    body: JsonObject,
    chosen: readonly string[],
  ) => Awaitable<object | undefined>;
  /** Called once the run is stored. */
  readonly started?: (sandbox: Sandbox, run: string) => Awaitable<void>;
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
  const { path, hasChoice, input, cases, runs, step } = plan;
  const shown = (texts: Texts) => ({ ...(plan.isHidden && { hide: true }), ...texts });
  const steps = Type.Array(step.schema);
  const sandbox = input?.first.headers && { headers: input.first.headers };
  return [
    endpoint('GET', path, {
      ...shown(plan.texts.list),
      responses: { 200: plan.list.schema },
      handle(request) {
        const { entries } = plan.list;
        return typeof entries === 'function' ? entries(request) : entries;
      },
    }),
    endpoint('POST', `${path}/runs`, {
      ...shown(plan.texts.start),
      ...((hasChoice || input) && { body: choiceOf(cases, input?.fields) }),
      responses: { 201: steps, ...(input && failures(403, 404)) },
      responseHeaders: { 201: { Location: text } },
      examples: {
        'A run': { isNoExample: true, keeps: { run: { header: 'Location' } }, ...input?.first },
        ...input?.others,
      },
      async handle(request, reply) {
        const { sandbox, body } = request;
        const chosen = hasChoice ? { cases: chosenIn(plan, body) } : undefined;
        const given = (body ?? {}) as JsonObject;
        const more = await plan.begin?.(sandbox, given, chosen?.cases ?? cases);
        const run = await beginTestRun(runs, sandbox, { ...chosen, ...more });
        await plan.started?.(sandbox, run);
        const location = `${request.baseUrl}${path}/runs/${run}`;
        const begun = await describe(plan, request, run, chosen?.cases ?? cases);
        return reply.code(201).header('location', location).send(begun);
      },
    }),
    endpoint('GET', `${path}/runs/:run`, {
      ...shown(plan.texts.read),
      params: { run: text },
      responses: { 200: steps, ...failures(404) },
      examples: {
        'The report of a run': { ...sandbox, path: { run: '{{run}}' }, isNoExample: true },
      },
      async handle(request) {
        const { run } = request.params;
        const stored = await readTestRun(runs, request.sandbox, run);
        return describe(plan, request, run, stored.cases ?? cases, stored);
      },
    }),
    reportEndpoint(plan, shown),
  ];
}

/** The endpoint by which a client corrects the outcome of a case. */
function reportEndpoint<Step extends ReportedStep, Name extends string>(
  plan: TestPlan<Step, Name>,
  shown: (texts: Texts) => Texts,
): Endpoint {
  const { path, parameter = 'name', input, cases, runs, step, note } = plan;
  const sandbox = input?.first.headers && { headers: input.first.headers };
  return endpoint('PUT', `${path}/runs/:run/:${parameter}`, {
    ...shown(plan.texts.report),
    params: { run: text, [parameter]: text },
    body: Type.Object({ outcome: oneOf(plan.reported) }, { additionalProperties: false }),
    responses: { 200: step.schema, ...failures(404) },
    examples: reportsOf(plan, parameter, sandbox),
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
  });
}

function reportsOf(
  { cases, reported }: Pick<TestPlan<ReportedStep, string>, 'cases' | 'reported'>,
  parameter: string,
  sandbox: Pick<ExampleRequest, 'headers'> = {},
): Examples {
  const path = { run: '{{run}}', [parameter]: cases[0] ?? '' };
  return {
    'A reported outcome': {
      ...sandbox,
      path,
      json: { outcome: reported[0] ?? '' },
      isNoExample: true,
    },
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

/** The body is optional unless some of the fields are required. */
const choiceOf = ({ length }: readonly string[], fields: Fields = {}) =>
  Type.Object(
    {
      ...fields,
      cases: Type.Optional(Type.Array(text, { minItems: 1, maxItems: 2 * length })),
    },
    { additionalProperties: false, ...(Object.keys(fields).length === 0 && { default: {} }) },
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

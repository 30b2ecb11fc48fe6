/** The test plan for clients of language models, and its runs. */

import { Type } from 'typebox';
import type { Request } from '../../../http/exchange.js';
import { HttpError } from '../../../http/http-error.js';
import { failures } from '../../../http/schemas/error-schema.js';
import { oneOf } from '../../../kit/describe/value-schemas.js';
import { type Endpoint, endpoint } from '../../../kit/endpoint.js';
import { generationPaths, planPath, runsPath } from '../messages/mount.js';
import {
  beginRun,
  changeStep,
  checkCase,
  observedOutcomes,
  outcomeOf,
  outcomes,
  readRun,
  reportedOutcomes,
  type Step,
} from '../plan/runs.js';
import type { Kind } from '../streams/broken-stream.js';
import { brokenStream, cases, type Misbehaviour, rightClient } from '../streams/cases.js';
import { nextMessage, playedTool, resultOf } from '../streams/played-case.js';

const text = Type.String();
const caseNames = [...cases.keys()];

const nature = oneOf(['broken', 'odd', 'either']);

const planSchema = Type.Array(
  Type.Object(
    {
      ...{ case: text, misbehave: text, at: text, what: text, rightClient: text },
      endpoints: Type.Array(text),
      nature,
      natureAt: Type.Optional(
        Type.Record(text, nature, { description: 'The nature at some endpoints, if it differs.' }),
      ),
      next: Type.String({ description: 'Text of the user after a response without calls.' }),
      tool: Type.Optional(
        Type.Unsafe<object>({ type: 'object', description: 'The tool of a case about arguments.' }),
      ),
      result: Type.Optional(Type.String({ description: 'What an execution of the tool returns.' })),
    },
    { title: 'LlmTest' },
  ),
);

const stepSchema = Type.Object(
  {
    case: text,
    openai: Type.String({ description: 'Base URL for clients of OpenAI.' }),
    anthropic: Type.String({
      description: 'Base URL for clients of Anthropic, which may add /v1 to it.',
    }),
    outcome: oneOf(outcomes),
    evidence: text,
    observed: Type.Optional(oneOf(observedOutcomes)),
    reported: Type.Optional(oneOf(reportedOutcomes)),
  },
  { title: 'LlmTestStep' },
);

function describeCase([name, { name: misbehave, at }]: readonly [string, Misbehaviour]) {
  const { what, nature, natureAt = {}, kinds } = brokenStream(misbehave);
  const others = Object.entries(natureAt).map(([kind, each]) => [
    generationPaths[kind as Kind],
    each,
  ]);
  return {
    ...{ case: name, misbehave, at, what, nature, rightClient: rightClient[nature] },
    endpoints: kinds.map((kind) => generationPaths[kind]),
    ...(others.length > 0 && { natureAt: Object.fromEntries(others) }),
    next: nextMessage,
    ...(at === 'arguments' && { tool: playedTool, result: resultOf({ name: misbehave, at }) }),
  };
}

export const plan = [...cases].map(describeCase);

const bodySchema = Type.Object(
  { cases: Type.Optional(Type.Array(text, { minItems: 1, maxItems: 2 * caseNames.length })) },
  { additionalProperties: false, default: {} },
);

export const planEndpoints: readonly Endpoint[] = [
  endpoint('GET', planPath, {
    hide: true,
    summary: 'List broken streams, and what clients should do',
    description: '`misbehave` and `at` are parameters of the endpoints.',
    responses: { 200: planSchema },
    handle: () => plan,
  }),
  endpoint('POST', runsPath, {
    hide: true,
    summary: 'Start a run of the test plan for language models',
    description: 'Each case has its own base URLs. A run is stored for a day.',
    body: bodySchema,
    responses: { 201: Type.Array(stepSchema), ...failures(400, 413, 415) },
    responseHeaders: { 201: { Location: text } },
    async handle({ body, sandbox, baseUrl }, reply) {
      const { cases: wanted = caseNames } = body;
      const unknown = wanted.find((each) => !cases.has(each));
      if (unknown !== undefined) {
        throw new HttpError(400, 'cases must be names of cases in GET /llm/test-plan.', {
          body: { errors: [{ field: 'cases', message: `Unknown case: ${unknown.slice(0, 100)}` }] },
        });
      }
      const names = [...new Set(wanted)];
      const run = await beginRun(sandbox, names);
      const location = `${baseUrl}${runsPath}/${run}`;
      const steps = names.map((name) => describe(location, name, {}));
      return reply.code(201).header('location', location).send(steps);
    },
  }),
  endpoint('GET', `${runsPath}/:run`, {
    hide: true,
    summary: 'Show what a client did with each broken stream',
    params: { run: text },
    responses: { 200: Type.Array(stepSchema), ...failures(404) },
    async handle({ params: { run: id }, sandbox, baseUrl }) {
      const run = await readRun(sandbox, id);
      return run.cases.map((name) =>
        describe(`${baseUrl}${runsPath}/${id}`, name, run.steps[name] ?? {}),
      );
    },
  }),
  endpoint('PUT', `${runsPath}/:run/:name`, {
    hide: true,
    summary: 'Report what a client did with a broken stream',
    description: 'A report overrides what the service inferred, but nothing that is certain.',
    params: { run: text, name: text },
    body: Type.Object({ outcome: oneOf(reportedOutcomes) }, { additionalProperties: false }),
    responses: { 200: stepSchema, ...failures(400, 404, 413, 415) },
    handle: report,
  }),
];

async function report({
  params: { run: id, name },
  body,
  sandbox,
  baseUrl,
}: Request<{
  Params: { run: string; name: string };
  Body: { outcome: (typeof reportedOutcomes)[number] };
}>) {
  await checkCase(sandbox, { run: id, name });
  const { outcome: reported } = body;
  await changeStep(sandbox, { run: id, name }, (step) => ({ ...step, reported }));
  const { steps } = await readRun(sandbox, id);
  return describe(`${baseUrl}${runsPath}/${id}`, name, steps[name] ?? {});
}

function describe(location: string, name: string, step: Step) {
  const { observed, reported } = step;
  return {
    case: name,
    openai: `${location}/${name}/openai/v1`,
    anthropic: `${location}/${name}/anthropic`,
    outcome: outcomeOf(step),
    evidence: evidenceOf(step),
    ...(observed && { observed: observed.outcome }),
    ...(reported && { reported }),
  };
}

function evidenceOf({ observed, reported, metBy }: Step): string {
  if (observed !== undefined) return observed.evidence;
  if (reported !== undefined) return 'The client reported it.';
  if (metBy === undefined) return 'The client has not sent a request.';
  return `Request ${metBy} met it. Nothing shows yet what the client did.`;
}

/** The test plan for clients of language models, and its runs. */

import { Type } from 'typebox';
import { oneOf } from '#kit/describe/value-schemas.js';
import { testPlanEndpoints } from '#kit/verdict/test-plan.js';
import { generationPaths, planPath } from '../messages/mount.js';
import {
  llmRuns,
  observedOutcomes,
  outcomeOf,
  outcomes,
  reportedOutcomes,
  type Step,
} from '../plan/runs.js';
import type { Kind } from '../streams/broken-stream.js';
import { brokenStream, cases, type Misbehaviour, rightClient } from '../streams/cases.js';
import { nextMessage, playedTool, resultOf } from '../streams/played-case.js';

const text = Type.String();

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
    gemini: Type.String({ description: 'Base URL for clients of Gemini, which add /v1beta.' }),
    ollama: Type.String({ description: 'Base URL for clients of Ollama, which add /api.' }),
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

export const planEndpoints = testPlanEndpoints({
  path: planPath,
  isHidden: true,
  texts: {
    list: {
      summary: 'List broken streams, and what clients should do',
      description: '`misbehave` and `at` are parameters of the endpoints.',
    },
    start: {
      summary: 'Start a run of the test plan for language models',
      description: 'Each case has its own base URLs. A run is stored for a day.',
    },
    read: { summary: 'Show what a client did with each broken stream' },
    report: {
      summary: 'Report what a client did with a broken stream',
      description: 'A report overrides what the service inferred, but nothing that is certain.',
    },
  },
  list: { schema: planSchema, entries: plan },
  cases: [...cases.keys()],
  hasChoice: true,
  runs: llmRuns,
  reported: reportedOutcomes,
  step: {
    schema: stepSchema,
    describe: ({ name, step, url }) => ({
      case: name,
      openai: `${url}/${name}/openai/v1`,
      anthropic: `${url}/${name}/anthropic`,
      gemini: `${url}/${name}/gemini`,
      ollama: `${url}/${name}/ollama`,
      outcome: outcomeOf(step),
      evidence: evidenceOf(step),
      ...(step.observed && { observed: step.observed.outcome }),
      ...(step.reported && { reported: step.reported }),
    }),
  },
});

function evidenceOf({ observed, reported, metBy }: Step): string {
  if (observed !== undefined) return observed.evidence;
  if (reported !== undefined) return 'The client reported it.';
  if (metBy === undefined) return 'The client has not sent a request.';
  return `Request ${metBy} met it. Nothing shows yet what the client did.`;
}

/** Endpoints that read and clear the verdicts of a sandbox. */

import { Type } from 'typebox';
import type { Request } from '#http/exchange.js';
import { HttpError, rejectField } from '#http/http-error.js';
import { errorSchema, failures } from '#http/schemas/error-schema.js';
import { oneOf, optionalText } from '#kit/describe/value-schemas.js';
import { endpoint } from '#kit/endpoint.js';
import { inSandbox } from '#kit/example.js';
import { ownSandbox } from '#kit/sandbox/own-sandbox.js';
import type { Judge } from '#kit/verdict/judge.js';
import { type RuleOutcome, verdictSchema } from '#kit/verdict/verdict.js';
import type { Sandbox } from '#state/state.js';
import { path } from './paths.js';

const sandboxOf = (request: Request) => ownSandbox(request, 'Verdicts need');

/** Outcomes that fail, each with the ones before it. */
const failing = ['broken', 'against-advice', 'unclear'] as const satisfies readonly RuleOutcome[];

const count = Type.Integer({ minimum: 0 });

const judgedSchema = Type.Object(
  {
    judge: Type.String(),
    title: Type.String(),
    run: Type.Optional(Type.String({ description: 'The newest run of its test plan.' })),
    counts: Type.Object({
      kept: count,
      broken: count,
      'against-advice': count,
      unclear: count,
      'not-reached': count,
    }),
    verdicts: Type.Array(
      Type.Object(
        {
          ...verdictSchema.properties,
          seen: Type.Optional(Type.String({ description: 'The newest observation.' })),
        },
        { title: 'SeenVerdict' },
      ),
      { description: 'Rules that were reached.' },
    ),
  },
  { title: 'JudgedClient' },
);

const judges = Type.Array(judgedSchema);

const judgeParameter = optionalText(
  'Names of judges in GET /verdicts, separated by commas. Default: all.',
);

async function judgedBy(judge: Judge, sandbox: Sandbox) {
  const { verdicts, run } = await judge.read(sandbox);
  const reached = verdicts.filter(({ outcome }) => outcome !== 'not-reached');
  const countOf = (outcome: RuleOutcome) =>
    reached.filter((each) => each.outcome === outcome).length;
  return {
    judge: judge.name,
    title: judge.title,
    ...(run !== undefined && { run }),
    counts: {
      kept: countOf('kept'),
      broken: countOf('broken'),
      'against-advice': countOf('against-advice'),
      unclear: countOf('unclear'),
      'not-reached': judge.rules.length - reached.length,
    },
    verdicts: reached,
  };
}

type JudgedClient = Awaited<ReturnType<typeof judgedBy>>;

export const readVerdicts = (all: readonly Judge[]) =>
  endpoint('GET', path, {
    summary: 'Get what all judges have observed of the client',
    description:
      'With fail, the response is 409 if a rule has such an outcome, or if a judge has observed nothing: a test in CI then fails. The shared sandbox gets 403.',
    query: {
      judge: judgeParameter,
      fail: Type.Optional(
        oneOf(failing, { description: 'against-advice includes broken; unclear includes both.' }),
      ),
    },
    responses: {
      200: Type.Object({ judges }),
      409: Type.Object({ ...errorSchema.properties, judges }),
      ...failures(403),
    },
    examples: {
      'All judges': inSandbox('my-verdicts'),
      'One judge': { ...inSandbox('my-verdicts'), query: { judge: 'retries' } },
      'A test that observed nothing': {
        ...inSandbox('my-verdicts'),
        query: { judge: 'retries', fail: 'broken' },
      },
      'An unknown judge': { ...inSandbox('my-verdicts'), query: { judge: 'none' } },
    },
    async handle(request) {
      const sandbox = sandboxOf(request);
      const { judge, fail } = request.query;
      const chosen = chosenIn(all, judge);
      const judged = await Promise.all(chosen.map((each) => judgedBy(each, sandbox)));
      if (fail !== undefined) failIfWrong(judged, fail, judge !== undefined);
      return { judges: judged };
    },
  });

export const clearVerdicts = (all: readonly Judge[]) =>
  endpoint('DELETE', path, {
    summary: 'Clear what the judges have observed',
    description:
      'Runs of test plans, exercises and challenges remain; DELETE /api/sandbox ends them, too. The shared sandbox gets 403.',
    query: { judge: judgeParameter },
    responses: { 204: Type.Null(), ...failures(403) },
    examples: { 'All judges': inSandbox('my-verdicts') },
    async handle(request, reply) {
      const sandbox = sandboxOf(request);
      for (const { clear } of chosenIn(all, request.query.judge)) await clear?.(sandbox);
      return reply.code(204).send();
    },
  });

function chosenIn(all: readonly Judge[], names: string | undefined): readonly Judge[] {
  if (names === undefined) return all;
  const wanted = new Set(names.split(','));
  const chosen = all.filter(({ name }) => wanted.has(name));
  if (chosen.length === wanted.size) return chosen;
  const known = all.map(({ name }) => name).join(', ');
  return rejectField('judge', `judge must be one or more of ${known}, separated by commas.`);
}

/** Throws 409. Chosen judges must each have observed something, otherwise one of them. */
function failIfWrong(
  judged: readonly JudgedClient[],
  fail: (typeof failing)[number],
  isChosen: boolean,
): void {
  const outcomes: readonly RuleOutcome[] = failing.slice(0, failing.indexOf(fail) + 1);
  const wrong = judged.flatMap(({ verdicts }) =>
    verdicts.filter(({ outcome }) => outcomes.includes(outcome)),
  );
  const idle = judged.filter(({ verdicts }) => verdicts.length === 0);
  const isIdle = isChosen ? idle.length > 0 : idle.length === judged.length;
  if (wrong.length === 0 && !isIdle) return;
  const message =
    wrong.length > 0
      ? `${wrong.length === 1 ? 'A rule was' : `${wrong.length} rules were`} not kept: ${wrong
          .slice(0, 5)
          .map(({ id, outcome }) => `${id} (${outcome})`)
          .join(', ')}${wrong.length > 5 ? ', …' : ''}.`
      : `Nothing was observed in this sandbox by ${isChosen ? idle.map(({ judge }) => judge).join(', ') : 'any judge'}. Let your client send its requests to this sandbox first.`;
  throw new HttpError(409, message, { body: { judges: judged } });
}

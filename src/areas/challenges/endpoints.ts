/** Endpoints of challenges: the list, one challenge, its start and hints, and the progress. */

import { Type } from 'typebox';
import type { Clock } from '#base/awaitable.js';
import type { Request } from '#http/exchange.js';
import { HttpError } from '#http/http-error.js';
import { failures } from '#http/schemas/error-schema.js';
import { oneOf } from '#kit/describe/value-schemas.js';
import { endpoint } from '#kit/endpoint.js';
import { inSandbox } from '#kit/example.js';
import { ownSandbox } from '#kit/sandbox/own-sandbox.js';
import type { Judge } from '#kit/verdict/judge.js';
import { type Verdict, verdictOn, verdictSchema } from '#kit/verdict/verdict.js';
import { sharedSandboxName } from '#state/state.js';
import { challenges, findChallenge } from './all-challenges.js';
import { missingOf } from './attempt.js';
import { type Challenge, tracks } from './challenge.js';
import {
  hintCostOf,
  type Progress,
  pointsOf,
  readProgress,
  resetProgress,
  startChallenge,
  sumOf,
  takeHint,
} from './progress.js';

const path = '/api/challenges';

const challengeFields = {
  id: Type.String(),
  track: Type.String({ enum: [...tracks] }),
  level: Type.Integer({ minimum: 1, maximum: 3 }),
  title: Type.String(),
  goal: Type.String(),
  points: Type.Integer({ description: 'Points for solving it.' }),
  hints: Type.Array(Type.String(), { description: 'The hints that this sandbox took.' }),
  section: Type.String({ description: 'Section of the standard.' }),
  solved: Type.Boolean({ description: 'Whether this sandbox solved it.' }),
};

const challengeSchema = Type.Object(challengeFields, { title: 'Challenge' });

const challengeViewSchema = Type.Object(
  {
    ...challengeFields,
    started: Type.Boolean({ description: 'Whether it is the current challenge.' }),
    missing: Type.Array(Type.String(), {
      description: 'What the last request lacked; before the first attempt, the goal.',
    }),
    hintsLeft: Type.Integer(),
    hintCost: Type.Integer({ description: 'Points that the next hint costs.' }),
    explanation: { type: ['string', 'null'], description: 'Null until it is solved.' },
    verdict: verdictSchema,
  },
  { title: 'ChallengeView' },
);

const progressSchema = Type.Object(
  {
    solved: Type.Array(Type.String(), { description: 'Ids, in the order of solving.' }),
    points: Type.Integer({ description: 'Of solved challenges, less what their hints cost.' }),
    hintCost: Type.Integer({
      description: 'What all hints cost, each only at its challenge. No reset returns it.',
    }),
    current: { type: ['string', 'null'], description: 'The id of the current challenge.' },
  },
  { title: 'ChallengeProgress' },
);

const what = 'Challenges are solved in';

const nothing: Progress = { current: undefined, solved: {}, hints: {}, points: 0, costs: {} };

function progressIn({ sandbox }: Pick<Request, 'sandbox'>): Promise<Progress> | Progress {
  return sandbox.name === sharedSandboxName ? nothing : readProgress(sandbox);
}

const ofHead = { path: { id: 'http-head' }, ...inSandbox() };

export const listChallenges = endpoint('GET', path, {
  summary: 'List the challenges',
  description: 'A named sandbox also shows what it has solved.',
  query: {
    track: Type.Optional(oneOf(tracks, {})),
    level: Type.Optional(Type.Integer({ minimum: 1, maximum: 3 })),
    solved: Type.Optional(Type.Boolean()),
  },
  responses: { 200: Type.Array(challengeSchema) },
  examples: {
    'A track': { query: { track: 'soap', level: 3 } },
    'An unknown track': { query: { track: 'none' } },
  },
  async handle(request) {
    const { track, level, solved } = request.query;
    const progress = await progressIn(request);
    return challenges
      .filter((each) => track === undefined || each.track === track)
      .filter((each) => level === undefined || each.level === level)
      .map((each) => shown(each, progress))
      .filter((each) => solved === undefined || each.solved === solved);
  },
});

const params = { id: Type.String() };

export const readChallenge = endpoint('GET', `${path}/:id`, {
  summary: 'Get a challenge, and what is still missing',
  description:
    '`missing` says what the last relevant request lacked; before the first attempt, it repeats the goal.',
  params,
  responses: { 200: challengeViewSchema, ...failures(404) },
  examples: { 'A challenge': { path: { id: 'http-head' } } },
  handle: async (request) => viewOf(challengeOf(request.params.id), await progressIn(request)),
});

export const start = (clock: Clock) =>
  endpoint('POST', `${path}/:id/start`, {
    summary: 'Start a challenge',
    description:
      'Prepares the sandbox: its clock and, if the challenge has some, its faults. Only later requests count. Another challenge is no longer the current one. The shared sandbox gets 403.',
    params,
    responses: { 200: challengeViewSchema, ...failures(403, 404) },
    examples: { 'A challenge': ofHead },
    async handle(request) {
      const sandbox = ownSandbox(request, what);
      const challenge = challengeOf(request.params.id);
      await startChallenge(sandbox, challenge, clock());
      return viewOf(challenge, await readProgress(sandbox));
    },
  });

export const hint = endpoint('POST', `${path}/:id/hint`, {
  summary: 'Take the next hint, for points',
  description:
    'It costs points of this challenge only, when it is solved. Nothing returns its cost. 409 after the last hint. The shared sandbox gets 403.',
  params,
  responses: {
    200: Type.Object(
      {
        number: Type.Integer(),
        hint: Type.String(),
        cost: Type.Integer(),
        left: Type.Integer(),
      },
      { title: 'Hint' },
    ),
    ...failures(403, 404, 409),
  },
  examples: {
    'The first hint': ofHead,
    'The second hint': ofHead,
    'The third hint': ofHead,
    'No more hints': ofHead,
  },
  async handle(request) {
    const sandbox = ownSandbox(request, what);
    const challenge = challengeOf(request.params.id);
    const number = await takeHint(sandbox, challenge);
    if (number === undefined) throw new HttpError(409, 'You have every hint of this challenge.');
    return {
      number,
      hint: challenge.hints[number - 1],
      cost: hintCostOf(challenge),
      left: challenge.hints.length - number,
    };
  },
});

export const showProgress = endpoint('GET', `${path}/progress`, {
  summary: 'Get the progress of the sandbox',
  description: 'In the shared sandbox, nothing is ever solved.',
  responses: { 200: progressSchema },
  examples: { 'The progress': inSandbox() },
  handle: async (request) => progressView(await progressIn(request)),
});

export const deleteProgress = endpoint('DELETE', `${path}/progress`, {
  summary: 'Reset the progress of the sandbox',
  description: 'The cost of hints remains. The shared sandbox gets 403.',
  responses: { 204: Type.Null(), ...failures(403) },
  async handle(request, reply) {
    await resetProgress(ownSandbox(request, what));
    return reply.code(204).send(null);
  },
});

function challengeOf(id: string): Challenge {
  const challenge = findChallenge(id);
  if (challenge !== undefined) return challenge;
  throw new HttpError(404, `There is no challenge ${id.slice(0, 60)}. GET ${path} lists all.`);
}

function shown(challenge: Challenge, { solved, hints: taken }: Progress) {
  const { id, track, level, title, goal, hints, section } = challenge;
  return {
    ...{ id, track, level, title, goal, points: pointsOf(challenge) },
    hints: hints.slice(0, taken[id] ?? 0),
    section,
    solved: solved[id] !== undefined,
  };
}

function viewOf(challenge: Challenge, progress: Progress) {
  const { id, hints, explanation } = challenge;
  const current = progress.current?.id === id ? progress.current : undefined;
  const view = shown(challenge, progress);
  return {
    ...view,
    started: current !== undefined,
    missing: view.solved ? [] : missingOf(current, challenge),
    hintsLeft: hints.length - view.hints.length,
    hintCost: hintCostOf(challenge),
    explanation: view.solved ? explanation : null,
    verdict: verdictOf(challenge, progress),
  };
}

/**
 * The outcome of a challenge in the form of every judge. A request that lacks something decides
 * nothing: a right client may have sent it on its way.
 */
export function verdictOf(challenge: Challenge, progress: Progress): Verdict {
  const { id, section, explanation, goal } = challenge;
  const current = progress.current?.id === id ? progress.current : undefined;
  const solved = progress.solved[id];
  const fault = current?.spoilt ?? current?.lack;
  const hint = solved === undefined ? (fault ?? '') : explanation;
  const isKept = solved !== undefined || (current?.isBroken === true ? false : null);
  // The steps so far are evidence too.
  const evidence = solved?.evidence ?? current?.evidence ?? [];
  const parts = [
    { isKept, requests: evidence, ...(fault !== undefined && !isKept && { decidedBy: goal }) },
  ];
  return { ...verdictOn('challenge', { rule: id, level: 'must', section, hint }, parts), evidence };
}

/** All challenges, for the page of verdicts. The texts say no more than the goal until one is solved. */
export const challengeJudge: Judge = {
  name: 'challenges',
  title: 'Challenges',
  says: 'Each challenge is a rule, which the request that solves it keeps.',
  guide: 'challenges',
  log: `${path}/progress`,
  rules: challenges.map(({ id, section, goal }) => ({
    ...{ rule: id, level: 'must', section, hint: goal },
  })),
  async read(sandbox) {
    const progress = await readProgress(sandbox);
    return { verdicts: challenges.map((each) => verdictOf(each, progress)) };
  },
};

function progressView({ solved, points, costs, current }: Progress) {
  const inOrder = Object.entries(solved).sort(([, one], [, other]) => one.atMs - other.atMs);
  return {
    solved: inOrder.map(([id]) => id),
    points,
    hintCost: sumOf(costs),
    current: current?.id ?? null,
  };
}

/** Endpoints of the bugs of a sandbox: switch on, count, give up, and list what a seed chooses. */

import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import {
  defectsIn,
  drawBugs,
  keyOfSeed,
  maxBugs,
  maxHuntSeed,
  newHunt,
  pointsOf,
  readHunt,
  readHunts,
  replaceHunt,
} from '#defects/hunts-in-state.js';
import { routeTemplate } from '#http/address/route-path.js';
import { HttpError } from '#http/http-error.js';
import { failures } from '#http/schemas/error-schema.js';
import { endpoint } from '#kit/endpoint.js';
import { inSandbox } from '#kit/example.js';
import type { Hunt, HuntLevel } from '#kit/sandbox/hunts-space.js';
import { sharedSandboxName } from '#state/state.js';
import {
  bugMembers,
  describeBug,
  describeHunt,
  huntSchema,
  levels,
  named,
  pointsMembers,
  sandboxOf,
} from './bug-schemas.js';
import { path } from './path.js';

const count = Type.Integer({ minimum: 1, maximum: maxBugs, default: 5 });
const seed = Type.Integer({ minimum: 0, maximum: maxHuntSeed });

export const readBugs = endpoint('GET', path, {
  summary: 'Get how many bugs are left',
  description: 'Names only the bugs that were found. The shared sandbox has no bugs.',
  responses: { 200: huntSchema },
  examples: { 'The bugs': inSandbox('my-bugs') },
  async handle({ sandbox }) {
    return describeHunt(sandbox.name === sharedSandboxName ? undefined : await readHunt(sandbox));
  },
});

/** Only the teacher ends the hunt of a class, so that no pupil reveals its bugs. */
const isOwn = ({ isOfClass }: Hunt) => !isOfClass;

const ofTeacher = () =>
  new HttpError(409, 'The teacher of the class has switched on these bugs, and ends the search.');

export const switchOnBugs = endpoint('PUT', path, {
  summary: 'Set the bugs of the sandbox',
  description: `Replaces the earlier bugs. The same seed chooses the same bugs; without one, they are random. A level also has the bugs of the levels below it; none has no bugs. If a level has fewer, all are switched on. ${named}`,
  before: (request) => void sandboxOf(request),
  body: Type.Object(
    {
      level: Type.String({ enum: [...levels] }),
      count: Type.Optional(count),
      seed: Type.Optional({ ...seed, description: 'Default: random.' }),
    },
    { additionalProperties: false },
  ),
  responses: { 200: huntSchema, ...failures(403, 409) },
  examples: {
    'One bug': { ...inSandbox('my-bugs'), json: { level: 'junior', count: 1, seed: 4 } },
    'Too many': { ...inSandbox('my-bugs'), json: { level: 'junior', count: 51 } },
    'Random bugs': { ...inSandbox('my-search'), json: { level: 'senior' } },
  },
  async handle(request) {
    const { count = 5, seed } = request.body;
    const level = request.body.level as HuntLevel;
    // A secret that nothing shows, so that no other sandbox can have the same bugs.
    const key = seed === undefined ? randomUUID() : keyOfSeed(seed);
    const hunt: Hunt = { ...newHunt(level, drawBugs(level, count, key)), seed: seed ?? null };
    const { isDone } = await replaceHunt(sandboxOf(request), hunt, isOwn);
    if (!isDone) throw ofTeacher();
    return describeHunt(hunt);
  },
});

export const giveUp = endpoint('DELETE', path, {
  summary: 'End the search, and name all bugs',
  description: `Names each bug with the endpoints that it changed. ${named}`,
  responses: {
    200: Type.Object({
      bugs: Type.Array(Type.Object({ ...bugMembers, kind: Type.String(), found: Type.Boolean() })),
      ...pointsMembers,
    }),
    ...failures(403, 409),
  },
  examples: { 'All bugs': inSandbox('my-bugs') },
  async handle(request) {
    const { isDone, ended } = await replaceHunt(sandboxOf(request), undefined, isOwn);
    if (!isDone) throw ofTeacher();
    const bugs = defectsIn(ended?.bugs ?? []);
    return {
      bugs: bugs.map((bug) => ({ ...describeBug(bug), found: ended?.found.includes(bug.id) })),
      wrongReports: ended?.wrongReports ?? 0,
      points: ended === undefined ? 0 : pointsOf(ended),
    };
  },
});

export const getGroundTruth = endpoint('GET', '/api/bugs/ground-truth', {
  summary: 'List the bugs that a seed chooses, to score a scanner',
  description:
    'Without a seed, lists the bugs of the last search that has ended in this sandbox. While bugs are switched on, the response is 409. A scanner must find nothing if none are switched on.',
  query: {
    level: Type.Optional(Type.String({ enum: [...levels], default: 'senior' })),
    count: Type.Optional(count),
    seed: Type.Optional(seed),
  },
  responses: {
    200: Type.Object(
      {
        level: Type.Union([Type.String(), Type.Null()]),
        count: Type.Integer(),
        seed: Type.Union([Type.Integer(), Type.Null()]),
        bugs: Type.Array(
          Type.Object({
            id: Type.String(),
            method: Type.String(),
            path: Type.String({ description: 'With {names} of parameters, as in /openapi.json.' }),
            kind: Type.String({ description: 'As in Bug.' }),
          }),
          { description: 'One entry for each endpoint that a bug changes.' },
        ),
      },
      { title: 'GroundTruth' },
    ),
    ...failures(400, 409),
  },
  examples: {
    'A seed': { query: { level: 'junior', count: 2, seed: 4 } },
    'The last search': { ...inSandbox('my-bugs'), isNoExample: true },
    'Without a seed': {},
    'During a search': inSandbox('my-search'),
  },
  async handle({ sandbox, query }) {
    const isShared = sandbox.name === sharedSandboxName;
    const { current, ended } = isShared ? noHunts : await readHunts(sandbox);
    if (current !== undefined) {
      throw new HttpError(409, `Bugs are switched on in this sandbox. DELETE ${path} first.`);
    }
    const { seed, level = 'senior', count = 5 } = query;
    if (seed !== undefined) {
      return truthOf(level, seed, drawBugs(level as HuntLevel, count, keyOfSeed(seed)));
    }
    const last = ended?.hunts.at(-1);
    if (last !== undefined) return truthOf(last.level, null, ended?.lastBugs ?? []);
    throw new HttpError(400, 'Send seed: no search for bugs has ended in this sandbox.');
  },
});

const noHunts = { current: undefined, ended: undefined };

function truthOf(level: string, seed: number | null, ids: readonly string[]) {
  const bugs = defectsIn(ids).flatMap(({ id, kind, endpoints }) =>
    endpoints.map((each) => {
      const [method = '', route = ''] = each.split(' ');
      return { id, method, path: routeTemplate(route), kind };
    }),
  );
  return { level, count: ids.length, seed, bugs };
}

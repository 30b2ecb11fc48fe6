/** The hunt that a teacher starts for all pupils of a class: each has the same bugs in their sandbox. */

import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { failures } from '#http/schemas/error-schema.js';
import { endpoint } from '#kit/endpoint.js';
import type { ClassHunts } from '#kit/offers/hunts-of.js';
import { type ClassRecord, pupilsSpace, type StartedHunt } from '../class-record.js';
import { sandboxOfPupil } from '../class-sandboxes.js';
import type { ClassServices } from '../class-services.js';
import { changeClass, type OpenClass } from '../manage-class.js';
import { timeOf } from '../pupil-row.js';
import { classOf, noClass, ofClass, ofTeacher } from './teacher-endpoints.js';

const path = `${ofClass}/hunt`;
const params = { id: Type.String() };

const nullable = (type: string) => ({ type: [type, 'null'] });

const text = Type.String();
const classHuntSchema = Type.Object(
  {
    id: Type.Unsafe<string | null>(nullable('string')),
    level: Type.Unsafe<string | null>({
      ...nullable('string'),
      description: 'null if the class has had no hunt.',
    }),
    count: Type.Integer(),
    seed: Type.Unsafe<number | null>({
      ...nullable('integer'),
      description: 'Only if the teacher sent it.',
    }),
    startedAt: Type.Unsafe<string | null>(nullable('string')),
    endedAt: Type.Unsafe<string | null>(nullable('string')),
    bugs: Type.Array(
      Type.Object({
        ...{ id: text, level: text, kind: text, area: text, wrong: text, right: text },
        endpoints: Type.Array(text),
      }),
      { description: 'Empty until the hunt has ended.' },
    ),
  },
  { title: 'ClassHunt' },
);

function huntView(hunt: StartedHunt | undefined, hunts: ClassHunts) {
  const isEnded = hunt?.endedAtMs !== undefined;
  return {
    id: hunt?.id ?? null,
    level: hunt?.level ?? null,
    count: hunt?.count ?? 0,
    seed: hunt?.seed ?? null,
    startedAt: hunt === undefined ? null : timeOf(hunt.startedAtMs),
    endedAt: hunt?.endedAtMs === undefined ? null : timeOf(hunt.endedAtMs),
    bugs: isEnded
      ? hunts.bugsOf(hunt).map((bug) => ({ ...bug, endpoints: [...bug.endpoints] }))
      : [],
  };
}

export const huntEndpoints = (services: ClassServices, hunts: ClassHunts) => [
  getHunt(services, hunts),
  putHunt(services, hunts),
];

const getHunt = (services: ClassServices, hunts: ClassHunts) =>
  endpoint('GET', path, {
    summary: 'Get the hunt for bugs of a class',
    description: 'Names the bugs once the hunt has ended.',
    ...ofTeacher,
    params,
    responses: { 200: classHuntSchema, ...failures(404) },
    async handle(request) {
      const { record } = await classOf(request, services);
      return huntView(record.hunt, hunts);
    },
  });

const putHunt = (services: ClassServices, hunts: ClassHunts) =>
  endpoint('PUT', path, {
    summary: 'Start or end the hunt for bugs of a class',
    description:
      'Switches on the same bugs for all pupils, also for those who join later. Pupils cannot end it, and see no seed: the same seed chooses other bugs outside of the class. Replaces the earlier hunt. The level null ends it, and names the bugs.',
    ...ofTeacher,
    params,
    body: Type.Object(
      {
        level: Type.Unsafe<string | null>({ enum: [...hunts.levels, null] }),
        count: Type.Optional(Type.Integer({ minimum: 1, maximum: hunts.maxBugs, default: 5 })),
        seed: Type.Optional(
          Type.Integer({ minimum: 0, maximum: hunts.maxSeed, description: 'Default: random.' }),
        ),
      },
      { additionalProperties: false },
    ),
    responses: { 200: classHuntSchema, ...failures(404) },
    async handle(request) {
      const found = await classOf(request, services);
      const { level, count = 5, seed } = request.body;
      const hunt =
        level === null
          ? ended(found.record.hunt, services.clock())
          : started({ level, count, seed }, found.record, services.clock());
      // First, so that pupils who join meanwhile get it.
      if (
        (await changeClass(found.board, { ...(hunt && { hunt }) }, services.clock())) === undefined
      )
        throw noClass();
      await changePupils(services, found, level === null ? undefined : hunt, hunts);
      return huntView(hunt, hunts);
    },
  });

interface Wanted {
  readonly level: string;
  readonly count: number;
  readonly seed: number | undefined;
}

/** The hash of the teacher's key is the secret of the class, so that a seed can be repeated in it. */
function started({ level, count, seed }: Wanted, record: ClassRecord, nowMs: number): StartedHunt {
  const secret = seed === undefined ? randomUUID() : record.keyHash;
  return { id: randomUUID(), level, count, seed: seed ?? null, secret, startedAtMs: nowMs };
}

const ended = (hunt: StartedHunt | undefined, nowMs: number) =>
  hunt && { ...hunt, endedAtMs: hunt.endedAtMs ?? nowMs };

async function changePupils(
  { owned }: ClassServices,
  { board, record }: OpenClass,
  hunt: StartedHunt | undefined,
  hunts: ClassHunts,
): Promise<void> {
  for (const [pupil] of await board.entries(pupilsSpace)) {
    const sandbox = sandboxOfPupil(owned, record, pupil);
    await (hunt === undefined ? hunts.end(sandbox) : hunts.begin(sandbox, hunt));
  }
}

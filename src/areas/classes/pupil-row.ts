/** The row of a pupil on the board. */

import { Type } from 'typebox';
import type { Clock } from '#base/awaitable.js';
import { text } from '#kit/describe/value-schemas.js';
import type { HuntSummary, HuntsOf } from '#kit/offers/hunts-of.js';
import type { Challenges } from '#kit/recording/challenges.js';
import type { OwnedSandboxes } from '#state/owned-sandboxes.js';
import type { ClassRecord, Current, Hunting, PupilRecord } from './class-record.js';
import { sandboxOfPupil } from './class-sandboxes.js';

/** A pupil who works on a challenge for longer is stuck. */
const stuckMs = 5 * 60_000;

const nullableObject = (description: string) =>
  Type.Unsafe<object | null>({ type: ['object', 'null'], description });

const huntSchema = Type.Object(
  {
    id: Type.String(),
    level: Type.String(),
    count: Type.Integer({ description: 'Bugs that are or were switched on.' }),
    found: Type.Integer(),
    points: Type.Integer({ description: 'Of the found bugs, less a point per wrong report.' }),
    endedAt: Type.Optional(text('Absent while the hunt is on.')),
  },
  { title: 'PupilHunt' },
);

export const pupilSchema = Type.Object(
  {
    pupil: text('Number of the pupil in the class.'),
    name: Type.String(),
    label: text('The name, with the number of the pupil if another one has the same name.'),
    joinedAt: Type.String(),
    requests: Type.Integer(),
    failures: Type.Integer({ description: 'Responses of 400 and more.' }),
    last: nullableObject('The last request: `{time, method, path, query, status}`.'),
    points: Type.Integer({ description: 'Of solved challenges, less what their hints cost.' }),
    hintCost: Type.Integer({
      description: 'What all hints cost, each at most the points of its challenge.',
    }),
    solved: Type.Array(Type.Object({ id: Type.String(), at: Type.String() }), {
      description: 'Challenges with the time of the solution, in the order of solving.',
    }),
    wrongReports: Type.Integer({ description: 'Reports of bugs that were wrong.' }),
    hunts: Type.Array(huntSchema, { description: 'Hunts for bugs, the oldest first.' }),
    tried: Type.Array(Type.String(), { description: 'Started, not solved.' }),
    current: nullableObject('The challenge in work: `{id, missing, since, stuck}`.'),
  },
  { title: 'Pupil' },
);

/** Services that the rows of the board need. */
export interface RowNeeds {
  readonly owned: OwnedSandboxes;
  readonly challenges: Challenges | undefined;
  readonly huntsOf: HuntsOf | undefined;
  readonly clock: Clock;
}

export type Row = readonly [pupil: string, record: PupilRecord];

export const timeOf = (ms: number) => new Date(ms).toISOString();

/** Returns a label that no other pupil of the class has. */
export const labelOf = ([pupil, { name, label }]: Row) => label ?? `${name} (${pupil})`;

/** The part of a class that decides who is stuck. */
type Pause = Pick<ClassRecord, 'isFrozen' | 'thawedAtMs'>;

/** Makes the function that shows the row of a pupil at a time. */
export function pupilViewer(
  { challenges, clock }: Pick<RowNeeds, 'challenges' | 'clock'>,
  ofClass: Pause = { isFrozen: false },
) {
  const nowMs = clock();
  const worth = new Map(challenges?.list.map(({ id, points }) => [id, points]));
  return (row: Row) => {
    const [pupil, record] = row;
    const { name, joinedAtMs, requests, failures, last, hintCosts, hunting, current } = record;
    const { started = [] } = record;
    const solved = Object.entries(record.solved)
      .sort(([, one], [, other]) => one.order - other.order)
      .map(([id, { atMs }]) => ({ id, at: timeOf(atMs) }));
    // Hints cost only at their challenge.
    const worthOf = (id: string) => (worth.get(id) ?? 0) - (hintCosts[id] ?? 0);
    return {
      ...{ pupil, name, label: labelOf(row), joinedAt: timeOf(joinedAtMs), requests, failures },
      last: last
        ? {
            time: timeOf(last.atMs),
            ...{ method: last.method, path: last.path, query: last.query ?? '' },
            status: last.status,
          }
        : null,
      points: solved.reduce((sum, { id }) => sum + Math.max(0, worthOf(id)), 0),
      hintCost: Object.values(hintCosts).reduce((sum, cost) => sum + cost, 0),
      solved,
      wrongReports: (hunting?.earlierWrongReports ?? 0) + (hunting?.wrongReports ?? 0),
      hunts: [...(hunting?.hunts ?? [])],
      tried: started.filter((id) => record.solved[id] === undefined),
      current: current ? currentView(current, ofClass, nowMs) : null,
    };
  };
}

/** Returns when a pupil becomes stuck. Nothing counts while the class is frozen, and the time begins again after it. */
export function stuckAtMs(sinceMs: number, { isFrozen, thawedAtMs = 0 }: Pause): number {
  return isFrozen ? Number.POSITIVE_INFINITY : Math.max(sinceMs, thawedAtMs) + stuckMs;
}

function currentView({ id, missing, sinceMs }: Current, ofClass: Pause, nowMs: number) {
  const isStuck = sinceMs !== undefined && nowMs > stuckAtMs(sinceMs, ofClass);
  return { id, missing, since: sinceMs === undefined ? null : timeOf(sinceMs), stuck: isStuck };
}

export type PupilView = ReturnType<ReturnType<typeof pupilViewer>>;

/** The newest hunts of a pupil that the board shows. */
const maxHunts = 20;

type Told = Awaited<ReturnType<HuntsOf>>;

/** Adds what a sandbox tells to what the board has: a pupil who resets the sandbox erases nothing. */
export function mergeHunting(before: Hunting | undefined, told: Told): Hunting | undefined {
  const { hunts = [], wrongReports = 0, earlierWrongReports = 0 } = before ?? {};
  if (before === undefined && told.hunts.length === 0 && told.wrongReports === 0) return undefined;
  const isReset = told.wrongReports < wrongReports;
  const all = new Map<string, HuntSummary>();
  for (const hunt of [...hunts, ...told.hunts]) all.set(hunt.id, hunt);
  return {
    hunts: [...all.values()].slice(-maxHunts),
    wrongReports: told.wrongReports,
    earlierWrongReports: earlierWrongReports + (isReset ? wrongReports : 0),
  };
}

/** Adds what the sandboxes tell now: the teacher may have begun or ended a hunt since the last request. */
export async function withHunts(
  rows: readonly Row[],
  { record: ofClass }: { readonly record: ClassRecord },
  { owned, huntsOf }: Pick<RowNeeds, 'owned' | 'huntsOf'>,
): Promise<readonly Row[]> {
  if (huntsOf === undefined) return rows;
  return Promise.all(
    rows.map(async ([pupil, record]): Promise<Row> => {
      const told = await huntsOf(sandboxOfPupil(owned, ofClass, pupil));
      const hunting = mergeHunting(record.hunting, told);
      return [pupil, { ...record, ...(hunting && { hunting }) }];
    }),
  );
}

/** The board of the teacher: a row for each pupil, who was first, and where many are stuck. */

import { Type } from 'typebox';
import { text } from '#kit/describe/value-schemas.js';
import type { Challenges } from '#kit/recording/challenges.js';
import type { Sandbox } from '#state/state.js';
import {
  type ClassRecord,
  type Message,
  messagesSpace,
  type PupilRecord,
  pupilsSpace,
} from './class-record.js';
import type { OpenClass } from './manage-class.js';
import {
  labelOf,
  pupilSchema,
  pupilViewer,
  type Row,
  type RowNeeds,
  timeOf,
  withHunts,
} from './pupil-row.js';

export const messageSchema = Type.Object(
  { id: Type.Integer(), text: Type.String(), time: Type.String() },
  { title: 'ClassMessage' },
);

export const classFields = {
  id: Type.String(),
  name: Type.String(),
  joinCode: text('Pupils join with it.'),
  addresses: Type.Array(Type.String(), {
    description: 'Base URLs that other machines can use; empty if none can.',
  }),
  createdAt: Type.String(),
  endsAt: text('The class and its sandboxes are deleted then, by the real clock.'),
  frozen: Type.Boolean({ description: 'Nothing counts while it is true.' }),
  ranking: Type.Boolean({ description: 'Whether pupils see the ranking.' }),
  assigned: Type.Array(Type.String(), { description: 'Ids of the assigned challenges.' }),
};

export const classSchema = Type.Object(classFields, { title: 'Class' });

export const boardSchema = Type.Object(
  {
    ...classFields,
    pupils: Type.Array(pupilSchema),
    firsts: Type.Array(
      Type.Object({
        challenge: Type.String(),
        pupil: Type.String(),
        name: Type.String(),
        label: Type.String(),
        time: Type.String(),
      }),
      { description: 'Who solved each challenge first.' },
    ),
    stuck: Type.Array(
      Type.Object({ challenge: Type.String(), title: Type.String(), pupils: Type.Integer() }),
      { description: 'Challenges that pupils have started and not solved, the most pupils first.' },
    ),
    messages: Type.Array(messageSchema),
    challenges: Type.Array(
      Type.Object({
        ...{ id: Type.String(), track: Type.String(), title: Type.String() },
        ...{ level: Type.Integer(), points: Type.Integer() },
      }),
      { description: 'All challenges, in their order.' },
    ),
  },
  { title: 'ClassBoard' },
);

export function classView(record: ClassRecord, addresses: readonly string[]) {
  const { id, name, joinCode, createdAtMs, endsAtMs, isFrozen, isRankingShown, assigned } = record;
  return {
    ...{ id, name, joinCode, addresses, assigned },
    createdAt: timeOf(createdAtMs),
    endsAt: timeOf(endsAtMs),
    frozen: isFrozen,
    ranking: isRankingShown,
  };
}

export const messageView = ({ id, text: words, atMs }: Message) => ({
  id,
  text: words,
  time: timeOf(atMs),
});

export async function readPupils(found: OpenClass, needs: RowNeeds): Promise<readonly Row[]> {
  return withHunts(await found.board.entries(pupilsSpace), found, needs);
}

export async function readMessages(board: Sandbox) {
  return (await board.entries(messagesSpace)).map(([, message]) => messageView(message));
}

/** Reads the whole board. */
export async function readBoard(found: OpenClass, needs: RowNeeds, addresses: readonly string[]) {
  const { challenges } = needs;
  const [rows, messages] = await Promise.all([readPupils(found, needs), readMessages(found.board)]);
  return {
    ...classView(found.record, addresses),
    pupils: rows.map(pupilViewer(needs, found.record)),
    ...summaryOf(rows, challenges),
    messages,
    challenges: (challenges?.list ?? []).map(({ goal: _goal, ...listed }) => listed),
  };
}

export function summaryOf(rows: readonly Row[], challenges: Challenges | undefined) {
  return { firsts: firstsOf(rows), stuck: stuckOf(rows, challenges) };
}

function firstsOf(rows: readonly Row[]) {
  const firsts = new Map<string, { readonly order: number; readonly view: object }>();
  for (const row of rows) {
    const [pupil, { name, solved }] = row;
    const who = { pupil, name, label: labelOf(row) };
    for (const [challenge, { atMs, order }] of Object.entries(solved)) {
      const earlier = firsts.get(challenge);
      if (earlier !== undefined && earlier.order < order) continue;
      firsts.set(challenge, { order, view: { challenge, ...who, time: timeOf(atMs) } });
    }
  }
  return [...firsts.values()].sort((one, other) => one.order - other.order).map(({ view }) => view);
}

function stuckOf(rows: readonly Row[], challenges: Challenges | undefined) {
  const counts = new Map<string, number>();
  for (const [, { current }] of rows) {
    if (current !== undefined) counts.set(current.id, (counts.get(current.id) ?? 0) + 1);
  }
  const titles = new Map(challenges?.list.map(({ id, title }) => [id, title]));
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([challenge, pupils]) => ({
      challenge,
      title: titles.get(challenge) ?? challenge,
      pupils,
    }));
}

/** Returns the pupils by points, with the earliest last success first. */
export function rankingOf(rows: readonly Row[], needs: Pick<RowNeeds, 'challenges' | 'clock'>) {
  const viewOf = pupilViewer(needs);
  const lastSuccess = ({ solved }: PupilRecord) =>
    Math.max(0, ...Object.values(solved).map(({ order }) => order));
  const ordered = rows
    .map((row) => ({ view: viewOf(row), last: lastSuccess(row[1]) }))
    .sort((one, other) => other.view.points - one.view.points || one.last - other.last);
  return ordered.map(({ view: { pupil, label, points, solved } }, index) => ({
    rank: index + 1,
    pupil,
    name: label,
    points,
    solved: solved.length,
  }));
}

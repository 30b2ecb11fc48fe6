/** The columns of the board, beside the name and the challenges. */

import type { Pupil } from '../api.js';
import { lastOf, requestText, shortTime } from '../cells.js';

export interface Column {
  readonly name: string;
  readonly label: string;
  /** The cell is changed only if this text changes. */
  readonly textOf: (pupil: Pupil) => string;
  /** Parts of the cell; without them, the text. */
  readonly partsOf?: (pupil: Pupil) => readonly (Node | string)[];
  readonly compare: (one: Pupil, other: Pupil) => number;
  readonly isNumber?: true;
}

const counted = (name: string, label: string, numberOf: (pupil: Pupil) => number): Column => ({
  name,
  label,
  isNumber: true,
  textOf: (pupil) => String(numberOf(pupil)),
  compare: (one, other) => numberOf(other) - numberOf(one),
});

const sumOf = ({ hunts }: Pupil, part: 'found' | 'count') =>
  hunts.reduce((sum, hunt) => sum + hunt[part], 0);

const lastTime = ({ last }: Pupil) => (last === null ? 0 : Date.parse(last.time));

/** The column that orders the board at first. */
export const usualOrder = 'current';

/** Returns the columns of a class with challenges of these titles. */
export const columnsOf = (titleOf: (id: string) => string): readonly Column[] => [
  counted('points', 'Points', ({ points }) => points),
  counted('solved', 'Solved', ({ solved }) => solved.length),
  {
    name: 'current',
    label: 'Works on',
    textOf: ({ current }) => (current === null ? '' : currentText(current, titleOf)),
    compare: byNeed,
  },
  counted('hintCost', 'Hint cost', ({ hintCost }) => hintCost),
  counted('wrongReports', 'Wrong reports', ({ wrongReports }) => wrongReports),
  {
    ...counted('hunts', 'Bugs found', (pupil) => sumOf(pupil, 'found')),
    textOf: (pupil) =>
      pupil.hunts.length === 0 ? '' : `${sumOf(pupil, 'found')} of ${sumOf(pupil, 'count')}`,
  },
  {
    ...counted('failures', 'Failures', ({ failures }) => failures),
    textOf: ({ failures, requests }) => `${failures} of ${requests}`,
  },
  {
    name: 'last',
    label: 'Last request',
    textOf: ({ last }) => (last === null ? 'none yet' : `${last.time} ${requestText(last)}`),
    partsOf: ({ last }) => (last === null ? ['none yet'] : lastOf(last)),
    compare: (one, other) => lastTime(other) - lastTime(one),
  },
];

function currentText(
  { id, since, stuck }: NonNullable<Pupil['current']>,
  titleOf: (id: string) => string,
): string {
  if (since === null) return titleOf(id);
  return `${titleOf(id)}, ${stuck ? 'stuck since' : 'since'} ${shortTime(since)}`;
}

const startOf = ({ current }: Pupil) =>
  current === null ? Number.POSITIVE_INFINITY : Date.parse(current.since ?? '') || 0;

/** Pupils who are stuck come first, the longest before the others; then the points decide. */
function byNeed(one: Pupil, other: Pupil): number {
  const stuckSince = (pupil: Pupil) =>
    pupil.current?.stuck ? startOf(pupil) : Number.MAX_SAFE_INTEGER;
  return stuckSince(one) - stuckSince(other) || other.points - one.points;
}

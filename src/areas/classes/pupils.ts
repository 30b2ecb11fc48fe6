/** Pupils: they join, act by their path, are counted, and are reset. */

import { randomBytes } from 'node:crypto';
import type { Shown } from '../../base/text/redact.js';
import type { FindPupil } from '../../http/address/pupil.js';
import { keyOf } from '../../http/credentials/secret-text.js';
import type { Services } from '../../kit/area.js';
import type { Observer } from '../../kit/recording/exchange-record.js';
import { resetKeepingHints } from '../../kit/sandbox/hints-taken.js';
import type { OwnedSandboxes } from '../../kit/sandbox/owned-sandboxes.js';
import type { Sandbox } from '../../state/state.js';
import {
  classKey,
  classSpace,
  noteChange,
  type PupilRecord,
  pathsSpace,
  pupilsSpace,
  solvesKey,
  solvesSpace,
} from './class-record.js';
import { boardOf, pupilOf, sandboxOfPupil } from './class-sandboxes.js';
import { type OpenClass, openClass } from './manage-class.js';

const maxPathLength = 100;

/** Requests that pages send by themselves, or that start a challenge. */
const uncountedRequest = /^(?:GET|HEAD) \/api\/sandbox(?:\/|$)|^\w+ \/api\/challenges\//i;

export interface Joined {
  readonly pupil: string;
  readonly record: PupilRecord;
}

/** Adds a pupil; `undefined` if the class has just ended. Throws a `CapacityError` if it is full. */
export async function joinClass(
  board: Sandbox,
  name: string,
  nowMs: number,
): Promise<Joined | undefined> {
  const secret = randomBytes(16).toString('base64url');
  return board.transact((view) => {
    const found = view.read(classSpace, classKey);
    if (found === undefined) return undefined;
    const pupil = String(found.nextPupil);
    const record: PupilRecord = {
      ...{ name, secret, joinedAtMs: nowMs },
      ...{ requests: 0, failures: 0, solved: {}, hintCost: 0 },
    };
    view.write(classSpace, classKey, { ...found, nextPupil: found.nextPupil + 1 });
    view.write(pupilsSpace, pupil, record);
    view.write(pathsSpace, keyOf(secret), pupil);
    noteChange(view, pupil);
    return { pupil, record };
  });
}

/** Makes the function that finds the pupil of a path. */
export const findPupilIn =
  ({
    clock,
    owned,
    sandboxHolding,
  }: Pick<Services, 'clock' | 'owned' | 'sandboxHolding'>): FindPupil =>
  async (secret) => {
    const key = keyOf(secret);
    const board = await sandboxHolding(pathsSpace, key);
    if (board === undefined) return undefined;
    const [found, pupil] = await Promise.all([
      openClass(owned, board, clock()),
      board.read(pathsSpace, key),
    ]);
    if (found === undefined || pupil === undefined) return undefined;
    const { id, isFrozen } = found.record;
    return { sandbox: sandboxOfPupil(owned, id, pupil), isFrozen };
  };

/** Counts a request of a pupil, and what it solved. The board then shows it. */
export const observePupil: Observer = async (sandbox, exchange, { owned, challenges }) => {
  const known = pupilOf(sandbox);
  if (known === undefined) return;
  const { id, pupil } = known;
  const board = boardOf(owned, id);
  const progress = await challenges?.progressOf(sandbox);
  const isCounted = !uncountedRequest.test(`${exchange.method} ${exchange.path}`);
  const { method, status } = exchange;
  const path = exchange.shownPath.slice(0, maxPathLength) as Shown;
  await board.transact((view) => {
    const record = view.read(pupilsSpace, pupil);
    // The teacher may have frozen the class during the request.
    if (record === undefined || view.read(classSpace, classKey)?.isFrozen !== false) return;
    const { current: _before, ...rest } = record;
    const current = progress?.current;
    let order = view.read(solvesSpace, solvesKey) ?? 0;
    const fresh = Object.entries(progress?.solved ?? {})
      .filter(([solved]) => record.solved[solved] === undefined)
      .map(([solved, atMs]) => [solved, { atMs, order: ++order }] as const);
    if (fresh.length > 0) view.write(solvesSpace, solvesKey, order);
    const counted = isCounted && {
      requests: record.requests + 1,
      failures: record.failures + (status >= 400 ? 1 : 0),
      last: { atMs: exchange.endMs, method, path, status },
    };
    view.write(pupilsSpace, pupil, {
      ...rest,
      ...counted,
      solved: { ...record.solved, ...Object.fromEntries(fresh) },
      hintCost: Math.max(record.hintCost, progress?.hintCost ?? 0),
      ...(current && { current }),
    });
    noteChange(view, pupil);
  });
};

/** Empties the sandboxes of pupils, and what the board shows of them. The cost of hints remains. */
export async function resetPupils(
  owned: OwnedSandboxes,
  board: Sandbox,
  id: string,
  pupils: readonly string[],
): Promise<void> {
  for (const pupil of pupils) await resetKeepingHints(sandboxOfPupil(owned, id, pupil));
  await board.transact((view) => {
    for (const pupil of pupils) {
      const record = view.read(pupilsSpace, pupil);
      if (record === undefined) continue;
      const { name, secret, joinedAtMs, hintCost } = record;
      view.write(pupilsSpace, pupil, {
        ...{ name, secret, joinedAtMs, hintCost },
        ...{ requests: 0, failures: 0, solved: {} },
      });
      noteChange(view, pupil);
    }
  });
}

/** Removes a pupil, whose path is unknown from then on. */
export async function removePupil(
  owned: OwnedSandboxes,
  { board, record: { id } }: OpenClass,
  pupil: string,
  record: PupilRecord,
): Promise<void> {
  await board.transact((view) => {
    view.write(pupilsSpace, pupil, undefined);
    view.write(pathsSpace, keyOf(record.secret), undefined);
    noteChange(view, pupil);
  });
  await sandboxOfPupil(owned, id, pupil).reset();
}

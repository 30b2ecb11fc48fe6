/** Pupils: they join, act by their path, are counted, and are reset. */

import { randomBytes } from 'node:crypto';
import { addressOwner } from '../../base/shares/owner.js';
import type { Shown } from '../../base/text/redact.js';
import type { FindPupil } from '../../http/address/pupil.js';
import { keyOf } from '../../http/credentials/secret-text.js';
import type { Challenges } from '../../kit/recording/challenges.js';
import type { Observer } from '../../kit/recording/exchange-record.js';
import { keptOfPupils } from '../../kit/sandbox/reset-sandbox.js';
import type { Services } from '../../kit/services.js';
import type { OwnedSandboxes } from '../../state/owned-sandboxes.js';
import type { Transaction } from '../../state/state.js';
import {
  classKey,
  classSpace,
  maxPupils,
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

/** A pupil who has sent no request for this long makes room in a full class. */
const unusedMs = 10 * 60 * 1000;

export interface Joined {
  readonly pupil: string;
  readonly record: PupilRecord;
}

interface Joining {
  readonly name: string;
  /** Address of the request. */
  readonly ip: string;
  readonly nowMs: number;
}

/**
 * Adds a pupil; `undefined` if the class has just ended. In a full class, a pupil who has sent no request makes room, so
 * that no client fills it by joining. Throws a `CapacityError` if there is none.
 */
export async function joinClass(
  owned: OwnedSandboxes,
  { board, record: ofClass }: OpenClass,
  { name, ip, nowMs }: Joining,
): Promise<Joined | undefined> {
  const secret = randomBytes(16).toString('base64url');
  const from = keyOf(addressOwner(ip));
  const joined = await board.transact((view) => {
    const found = view.read(classSpace, classKey);
    if (found === undefined) return undefined;
    const pupil = String(found.nextPupil);
    const record: PupilRecord = {
      ...{ name, secret, from, joinedAtMs: nowMs },
      ...{ requests: 0, failures: 0, solved: {}, hintCosts: {} },
    };
    // Numbers only grow, so a class with lower ones has never been full.
    const left =
      found.nextPupil > maxPupils ? makingRoom(view.entries(pupilsSpace), record) : undefined;
    if (left !== undefined) remove(view, ...left);
    view.write(classSpace, classKey, { ...found, nextPupil: found.nextPupil + 1 });
    view.write(pupilsSpace, pupil, record);
    view.write(pathsSpace, keyOf(secret), pupil);
    noteChange(view, pupil);
    return { pupil, record, left: left?.[0] };
  });
  if (joined?.left !== undefined) await sandboxOfPupil(owned, ofClass, joined.left).reset();
  return joined;
}

type Row = readonly [pupil: string, record: PupilRecord];

/**
 * Returns the pupil who leaves a full class for a new one: of those who have sent no request, the oldest from the
 * address with most pupils, unless the new one's would then have as many, or the oldest who joined long ago.
 */
function makingRoom(rows: readonly Row[], { from, joinedAtMs }: PupilRecord): Row | undefined {
  if (rows.length < maxPupils) return undefined;
  const counts = new Map<string | undefined, number>();
  for (const [, row] of rows) counts.set(row.from, (counts.get(row.from) ?? 0) + 1);
  const countOf = ([, row]: Row) => counts.get(row.from) ?? 0;
  const unused = rows.filter(([, row]) => row.isUsed !== true && row.requests === 0);
  const most = Math.max(0, ...unused.map(countOf));
  if (most > (counts.get(from) ?? 0) + 1) return unused.find((row) => countOf(row) === most);
  return unused.find(([, row]) => joinedAtMs - row.joinedAtMs >= unusedMs);
}

/** Makes the function that finds the pupil of a path. */
export const findPupilIn =
  ({ runtime: { clock }, sandboxes: { owned, sandboxHolding } }: Services): FindPupil =>
  async (secret) => {
    const key = keyOf(secret);
    const board = await sandboxHolding(pathsSpace, key);
    if (board === undefined) return undefined;
    const [found, pupil] = await Promise.all([
      openClass(owned, board, clock()),
      board.read(pathsSpace, key),
    ]);
    if (found === undefined || pupil === undefined) return undefined;
    const sandbox = sandboxOfPupil(owned, found.record, pupil);
    return { sandbox, owner: sandbox.caller(), isFrozen: found.record.isFrozen };
  };

/** Makes the observer that counts a request of a pupil, and what it solved. The board then shows it. */
export const pupilObserver =
  (owned: OwnedSandboxes, challenges: Challenges | undefined): Observer =>
  async (sandbox, exchange) => {
    const known = pupilOf(sandbox);
    if (known === undefined) return;
    const { id, pupil } = known;
    const board = boardOf(owned, { id });
    const progress = await challenges?.progressOf(sandbox);
    const isCounted = !uncountedRequest.test(`${exchange.method} ${exchange.path}`);
    const { method, status } = exchange;
    const path = exchange.shownPath.slice(0, maxPathLength) as Shown;
    await board.transact((view) => {
      const record = view.read(pupilsSpace, pupil);
      // The teacher may have frozen the class during the request.
      if (record === undefined || view.read(classSpace, classKey)?.isFrozen !== false) return;
      const { current: _before, ...rest } = { ...record, isUsed: true };
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
        hintCosts: highest(record.hintCosts, progress?.hintCosts),
        ...(current && { current }),
      });
      noteChange(view, pupil);
    });
  };

type Costs = PupilRecord['hintCosts'];

/** Hints are not given back, even if the sandbox has lost them. */
function highest(before: Costs, now: Costs = {}): Costs {
  const grown = Object.entries(now).filter(([id, cost]) => cost > (before[id] ?? 0));
  return { ...before, ...Object.fromEntries(grown) };
}

/** Empties the sandboxes of pupils with their recorded requests, and what the board shows of them. The cost of hints remains. */
export async function resetPupils(
  owned: OwnedSandboxes,
  { board, record: ofClass }: OpenClass,
  pupils: readonly string[],
): Promise<void> {
  for (const pupil of pupils) await sandboxOfPupil(owned, ofClass, pupil).reset(keptOfPupils);
  await board.transact((view) => {
    for (const pupil of pupils) {
      const record = view.read(pupilsSpace, pupil);
      if (record === undefined) continue;
      const { last: _last, current: _current, ...rest } = record;
      view.write(pupilsSpace, pupil, {
        ...rest,
        ...{ requests: 0, failures: 0, solved: {} },
      });
      noteChange(view, pupil);
    }
  });
}

/** Removes a pupil, whose path is unknown from then on. */
export async function removePupil(
  owned: OwnedSandboxes,
  { board, record: ofClass }: OpenClass,
  pupil: string,
  record: PupilRecord,
): Promise<void> {
  await board.transact((view) => remove(view, pupil, record));
  await sandboxOfPupil(owned, ofClass, pupil).reset();
}

function remove(view: Transaction, pupil: string, { secret }: PupilRecord): void {
  view.write(pupilsSpace, pupil, undefined);
  view.write(pathsSpace, keyOf(secret), undefined);
  noteChange(view, pupil);
}

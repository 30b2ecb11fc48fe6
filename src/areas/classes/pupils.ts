/** Pupils: they act by their path, are counted, and are reset. */

import type { Shown } from '#base/text/redact.js';
import type { FindPupil } from '#http/address/pupil.js';
import { keyOf } from '#http/credentials/secret-text.js';
import type { Observer } from '#kit/recording/exchange-record.js';
import { queryText } from '#kit/recording/shown-exchange.js';
import { keptOfPupils } from '#kit/sandbox/reset-sandbox.js';
import type { Services } from '#kit/services.js';
import type { OwnedSandboxes } from '#state/owned-sandboxes.js';
import {
  type Current,
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
import { mergeHunting, type RowNeeds } from './pupil-row.js';

const maxPathLength = 100;
const maxQueryBytes = 200;

/** Requests that pages send by themselves, or that start a challenge. */
const uncountedRequest = /^(?:GET|HEAD) \/api\/sandbox(?:\/|$)|^\w+ \/api\/challenges\//i;

/** Makes the function that finds the pupil of a path. */
export const findPupilIn =
  ({ runtime: { clock }, sandboxes: { owned, sandboxHolding } }: Services): FindPupil =>
  async (secret, moment) => {
    const key = keyOf(secret);
    const board = await sandboxHolding(pathsSpace, key);
    if (board === undefined) return undefined;
    const [found, pupil] = await Promise.all([
      openClass(owned, board, clock()),
      board.read(pathsSpace, key),
    ]);
    if (found === undefined || pupil === undefined) return undefined;
    const sandbox = sandboxOfPupil(owned, found.record, pupil, moment);
    return { sandbox, owner: sandbox.caller(), isFrozen: found.record.isFrozen };
  };

/** Makes the observer that counts a request of a pupil, and what it solved. The board then shows it. */
export const observePupil =
  ({ owned, challenges, huntsOf }: Omit<RowNeeds, 'clock'>): Observer =>
  async (sandbox, exchange) => {
    const known = pupilOf(sandbox);
    if (known === undefined) return;
    const { id, pupil } = known;
    const board = boardOf(owned, { id });
    const [progress, told] = await Promise.all([
      challenges?.progressOf(sandbox),
      huntsOf?.(sandbox),
    ]);
    const isCounted = !uncountedRequest.test(`${exchange.method} ${exchange.path}`);
    const { method, status } = exchange;
    const path = exchange.shownPath.slice(0, maxPathLength) as Shown;
    const query = queryText(exchange.shownQuery, maxQueryBytes);
    await board.transact((view) => {
      const record = view.read(pupilsSpace, pupil);
      // The teacher may have frozen the class during the request.
      if (record === undefined || view.read(classSpace, classKey)?.isFrozen !== false) return;
      const { current: before, started = [], ...rest } = { ...record, isUsed: true };
      const current = progress?.current && workedOn(before, progress.current, exchange.endMs);
      let order = view.read(solvesSpace, solvesKey) ?? 0;
      const fresh = Object.entries(progress?.solved ?? {})
        .filter(([solved]) => record.solved[solved] === undefined)
        .map(([solved, atMs]) => [solved, { atMs, order: ++order }] as const);
      if (fresh.length > 0) view.write(solvesSpace, solvesKey, order);
      const hunting = told && mergeHunting(record.hunting, told);
      const counted = isCounted && {
        requests: record.requests + 1,
        failures: record.failures + (status >= 400 ? 1 : 0),
        last: { atMs: exchange.endMs, method, path, query, status },
      };
      view.write(pupilsSpace, pupil, {
        ...rest,
        ...counted,
        solved: { ...record.solved, ...Object.fromEntries(fresh) },
        hintCosts: highest(record.hintCosts, progress?.hintCosts),
        ...(hunting && { hunting }),
        started: [...new Set([...started, ...(current ? [current.id] : [])])],
        ...(current && { current }),
      });
      noteChange(view, pupil);
    });
  };

function workedOn(before: Current | undefined, now: Current, atMs: number): Current {
  const isSame = before?.id === now.id;
  return { ...now, sinceMs: (isSame ? before.sinceMs : undefined) ?? atMs };
}

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
      const { last: _last, current: _current, hunting: _hunting, ...rest } = record;
      view.write(pupilsSpace, pupil, {
        ...rest,
        ...{ requests: 0, failures: 0, solved: {}, started: [] },
      });
      noteChange(view, pupil);
    }
  });
}

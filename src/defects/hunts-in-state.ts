/** The defects that are switched on in a sandbox, and which of them were found. */

import { hash, randomUUID } from 'node:crypto';
import { type Awaitable, whenKnown } from '#base/awaitable.js';
import type { HuntSummary } from '#kit/offers/hunts-of.js';
import {
  type EndedHunts,
  type Hunt,
  type HuntLevel,
  type Hunts,
  huntLevels,
  huntsKey,
  huntsSpace,
} from '#kit/sandbox/hunts-space.js';
import type { Sandbox } from '#state/state.js';
import { allDefects } from './catalogue/all-defects.js';
import type { Defect } from './defect.js';

export const maxBugs = 50;
export const maxHuntSeed = 0x7fff_ffff;

/** Older hunts of a sandbox are forgotten, but not their wrong reports. */
export const maxEndedHunts = 20;

/** Points of a found bug. A wrong report costs one. */
const pointsByLevel = { junior: 1, middle: 2, senior: 3 } as const;

export function readHunt(sandbox: Sandbox): Awaitable<Hunt | undefined> {
  return whenKnown(sandbox.read(huntsSpace, huntsKey), (hunts) => hunts?.current);
}

const noneEnded: EndedHunts = { hunts: [], wrongReports: 0, lastBugs: [] };

export async function readHunts(sandbox: Sandbox) {
  const { current, ended = noneEnded } = (await sandbox.read(huntsSpace, huntsKey)) ?? {};
  return { current, ended };
}

/** Changes the hunt that is on. `change` must be pure. */
export function changeHunt<Result>(
  sandbox: Sandbox,
  change: (hunt: Hunt | undefined) => { readonly value: Hunt | undefined; readonly result: Result },
): Awaitable<Result> {
  return sandbox.update(huntsSpace, huntsKey, (hunts = {}) => {
    const { value, result } = change(hunts.current);
    const { current: _current, ...rest } = hunts;
    return { value: { ...rest, ...(value && { current: value }) }, result };
  });
}

interface Replaced {
  readonly isDone: boolean;
  readonly ended: Hunt | undefined;
}

/**
 * Ends the hunt that is on, and begins the next one, if there is one. Changes nothing if `mayEnd` returns
 * false.
 */
export function replaceHunt(
  sandbox: Sandbox,
  next: Hunt | undefined,
  mayEnd: (hunt: Hunt) => boolean,
): Awaitable<Replaced> {
  return sandbox.update<Hunts, Replaced>(huntsSpace, huntsKey, (hunts = {}, nowMs) => {
    const { current, ended } = hunts;
    if (current !== undefined && !mayEnd(current)) {
      return { value: hunts, result: { isDone: false, ended: undefined } };
    }
    const value = {
      ...(next && { current: next }),
      ...(current === undefined ? ended && { ended } : { ended: withEnded(ended, current, nowMs) }),
    };
    return { value, result: { isDone: true, ended: current } };
  });
}

function withEnded(before: EndedHunts = noneEnded, hunt: Hunt, nowMs: number): EndedHunts {
  const summary = { ...summaryOf(hunt), endedAt: new Date(nowMs).toISOString() };
  return {
    hunts: [...before.hunts, summary].slice(-maxEndedHunts),
    wrongReports: before.wrongReports + hunt.wrongReports,
    lastBugs: hunt.bugs,
  };
}

export function summaryOf(hunt: Hunt): HuntSummary {
  const { id, level, bugs, found } = hunt;
  return { id, level, count: bugs.length, found: found.length, points: pointsOf(hunt) };
}

/** Wrong reports never cost more than the hunt's points. */
export function pointsOf({ found, wrongReports }: Pick<Hunt, 'found' | 'wrongReports'>): number {
  const won = defectsIn(found).reduce((sum, { level }) => sum + pointsByLevel[level], 0);
  return Math.max(0, won - wrongReports);
}

/** Switches on exactly these defects in a copy of a sandbox. */
export function setBugs(copy: Sandbox, bugs: readonly string[]): Awaitable<void> {
  return changeHunt(copy, (hunt) => ({
    value: { ...(hunt ?? newHunt('none', [])), bugs },
    result: undefined,
  }));
}

export function newHunt(level: HuntLevel, bugs: readonly string[]): Hunt {
  return {
    ...{ id: randomUUID(), level, seed: null, bugs, found: [], digests: {} },
    ...{ reports: 0, wrongReports: 0, met: [], isOfClass: false },
  };
}

/** The same key always draws the same defects. A level includes the levels below it. */
export function drawBugs(level: HuntLevel, count: number, key: string): readonly string[] {
  const levels = level === 'none' ? [] : huntLevels.slice(0, huntLevels.indexOf(level) + 1);
  return allDefects
    .filter((each) => levels.includes(each.level))
    .map(({ id }) => ({ id, place: hash('sha256', JSON.stringify([key, id]), 'hex') }))
    .sort((one, other) => (one.place < other.place ? -1 : 1))
    .slice(0, count)
    .map(({ id }) => id);
}

/** The first number keeps the bugs of the seeds that the guide uses. */
export const keyOfSeed = (seed: number) => `draw 154, seed ${seed}`;

const byId = new Map(allDefects.map((defect) => [defect.id, defect]));

/** Ids of defects that this version no longer has are ignored. */
export function defectsIn(ids: readonly string[]): readonly Defect[] {
  return ids.flatMap((id) => byId.get(id) ?? []);
}

export function digestOf(report: unknown): string {
  return hash('sha256', JSON.stringify(report), 'base64url').slice(0, 22);
}

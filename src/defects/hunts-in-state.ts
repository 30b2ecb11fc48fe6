/** The defects that are switched on in a sandbox, and which of them were found. */

import { hash } from 'node:crypto';
import type { Awaitable } from '../base/awaitable.js';
import { drawsAt } from '../faults/plan/seeded-draws.js';
import type { Sandbox, Space } from '../state/state.js';
import { allDefects } from './catalogue/all-defects.js';
import type { Defect, DefectLevel } from './defect.js';

/** Without defects, every report is about right behaviour. */
export type HuntLevel = DefectLevel | 'none';

export interface Hunt {
  readonly level: HuntLevel;
  readonly seed: number;
  readonly bugs: readonly string[];
  readonly found: readonly string[];
  /** Hashes of the reports by the bug that they found. */
  readonly digests: Readonly<Record<string, string>>;
  readonly reports: number;
}

export const maxBugs = 50;
export const maxHuntSeed = 0x7fff_ffff;

const hunts: Space<Hunt> = { name: 'bug-hunts', maxKeys: 1 };
const key = 'all';

export function readHunt(sandbox: Sandbox): Awaitable<Hunt | undefined> {
  return sandbox.read(hunts, key);
}

export function changeHunt<Result>(
  sandbox: Sandbox,
  change: (hunt: Hunt | undefined) => { readonly value: Hunt | undefined; readonly result: Result },
): Awaitable<Result> {
  return sandbox.update(hunts, key, change);
}

/** Switches on exactly these defects in a copy of a sandbox. */
export function setBugs(copy: Sandbox, bugs: readonly string[]): Awaitable<void> {
  return copy.update(hunts, key, (hunt) => ({
    value: { ...(hunt ?? emptyHunt), bugs },
    result: undefined,
  }));
}

const emptyHunt: Hunt = { level: 'none', seed: 0, bugs: [], found: [], digests: {}, reports: 0 };

/** The same seed always draws the same defects. */
export function beginHunt(level: HuntLevel, count: number, seed: number): Hunt {
  const pool = allDefects.filter((each) => level === 'senior' || each.level === level);
  const draw = drawsAt(seed, 0, 0);
  const drawn = pool
    .map(({ id }) => ({ id, place: draw() }))
    .sort((one, other) => one.place - other.place)
    .slice(0, count)
    .map(({ id }) => id);
  return { ...emptyHunt, level, seed, bugs: drawn };
}

const byId = new Map(allDefects.map((defect) => [defect.id, defect]));

/** Ids of defects that this version no longer has are ignored. */
export function defectsIn(ids: readonly string[]): readonly Defect[] {
  return ids.flatMap((id) => byId.get(id) ?? []);
}

export function digestOf(report: unknown): string {
  return hash('sha256', JSON.stringify(report), 'base64url').slice(0, 22);
}

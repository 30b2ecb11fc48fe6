/** Stores the progress of a sandbox: its current challenge, what it solved, and the cost of hints. */

import { endPlan, putPlan } from '#faults/plan/plans-in-state.js';
import type { Challenges } from '#kit/recording/challenges.js';
import { type Observer, setWatch } from '#kit/recording/exchange-record.js';
import { type HintsTaken, hintsKey, hintsSpace } from '#kit/sandbox/hints-taken.js';
import type { Sandbox, Space } from '#state/state.js';
import { challenges, findChallenge } from './all-challenges.js';
import { type Attempt, advance, isSolved, missingOf, startAttempt } from './attempt.js';
import type { Challenge } from './challenge.js';

export interface Solved {
  /** By the clock of the process. */
  readonly atMs: number;
  readonly evidence: readonly string[];
}

interface State {
  readonly current?: Attempt;
  readonly solved: Readonly<Record<string, Solved>>;
  /** Whether the fault plan is the current challenge's. */
  readonly isPlanned?: true;
}

const progressSpace: Space<State> = { name: 'challenge-progress', maxKeys: 1 };
const progressKey = 'progress';

export interface Progress {
  readonly current: Attempt | undefined;
  readonly solved: Readonly<Record<string, Solved>>;
  readonly hints: HintsTaken;
  readonly points: number;
  /** Cost of the hints of each challenge, solved or not. */
  readonly costs: Readonly<Record<string, number>>;
}

/** Points of a challenge by its level. */
export const pointsOf = ({ level }: Pick<Challenge, 'level'>): number => level * 10;

/** Cost of the next hint of a challenge. */
export const hintCostOf = ({ level }: Pick<Challenge, 'level'>): number => level * 2;

export const sumOf = (costs: Readonly<Record<string, number>>): number =>
  Object.values(costs).reduce((sum, cost) => sum + cost, 0);

/** Returns what a sandbox has solved, and its points: hints cost only at their challenge. */
export async function readProgress(sandbox: Sandbox): Promise<Progress> {
  const [state, hints = {}] = await Promise.all([
    sandbox.read(progressSpace, progressKey),
    sandbox.read(hintsSpace, hintsKey),
  ]);
  const solved = state?.solved ?? {};
  const costs = costsOf(hints);
  const points = Object.keys(solved).reduce((sum, id) => sum + worth(id) - (costs[id] ?? 0), 0);
  return { current: state?.current, solved, hints, points, costs };
}

/** Returns what hints cost, at most the points of their challenge. */
function costsOf(hints: HintsTaken): Readonly<Record<string, number>> {
  const costs = Object.entries(hints).flatMap(([id, count]) => {
    const challenge = findChallenge(id);
    if (challenge === undefined || count === 0) return [];
    return [[id, Math.min(pointsOf(challenge), count * hintCostOf(challenge))] as const];
  });
  return Object.fromEntries(costs);
}

function worth(id: string): number {
  const challenge = findChallenge(id);
  return challenge === undefined ? 0 : pointsOf(challenge);
}

/** Prepares the sandbox, and makes the challenge the current one. Earlier requests do not count. */
export async function startChallenge(
  sandbox: Sandbox,
  challenge: Challenge,
  nowMs: number,
): Promise<void> {
  const before = await sandbox.read(progressSpace, progressKey);
  if (challenge.faults !== undefined) await putPlan(sandbox, challenge.faults, nowMs);
  else if (before?.isPlanned) await endPlan(sandbox);
  if (((await sandbox.status())?.clockOffsetMs ?? 0) !== 0) await sandbox.setClockOffset(0);
  await sandbox.update(progressSpace, progressKey, (state) => ({
    value: {
      solved: state?.solved ?? {},
      current: startAttempt(challenge.id, nowMs),
      ...(challenge.faults !== undefined && { isPlanned: true as const }),
    },
    result: undefined,
  }));
  await setWatch(sandbox, { isObserved: true });
}

/** Counts the next hint as taken, and returns its number from 1; `undefined` after the last. */
export async function takeHint(
  sandbox: Sandbox,
  { id, hints }: Challenge,
): Promise<number | undefined> {
  return sandbox.update(hintsSpace, hintsKey, (taken = {}) => {
    const count = (taken[id] ?? 0) + 1;
    if (count > hints.length) return { value: taken, result: undefined };
    return { value: { ...taken, [id]: count }, result: count };
  });
}

/** Forgets what was solved and the current challenge; the cost of hints remains. */
export async function resetProgress(sandbox: Sandbox): Promise<void> {
  const before = await sandbox.read(progressSpace, progressKey);
  if (before === undefined) return;
  if (before.isPlanned) await endPlan(sandbox);
  await sandbox.update(progressSpace, progressKey, () => ({ value: undefined, result: undefined }));
  await setWatch(sandbox, { isObserved: false });
}

/** Advances the current challenge by an exchange. Writes nothing if it does not concern it. */
export const observeExchange: Observer = async (sandbox, exchange) => {
  const state = await sandbox.read(progressSpace, progressKey);
  const challenge = findChallenge(state?.current?.id ?? '');
  const seen = state?.current;
  // Its start is not a part of a challenge.
  if (exchange.path.startsWith('/api/challenges/')) return;
  if (challenge === undefined || seen === undefined || isSolved(seen, challenge)) return;
  // A request that arrived before the start does not count.
  if (exchange.atMs < seen.startedAtMs) return;
  if (advance(seen, challenge, exchange) === seen) return;
  await sandbox.update(progressSpace, progressKey, (latest) => {
    const { current } = latest ?? {};
    if (latest === undefined || current?.id !== challenge.id) {
      return { value: latest, result: undefined };
    }
    const next = advance(current, challenge, exchange);
    const isNew = isSolved(next, challenge) && latest.solved[next.id] === undefined;
    const solved = isNew
      ? { ...latest.solved, [next.id]: { atMs: exchange.endMs, evidence: next.evidence } }
      : latest.solved;
    return { value: { ...latest, current: next, solved }, result: undefined };
  });
};

export const forClasses: Challenges = {
  list: challenges.map((each) => {
    const { id, track, level, title, goal } = each;
    return { id, track, level, title, goal, points: pointsOf(each) };
  }),
  async progressOf(sandbox) {
    const { solved, costs, current } = await readProgress(sandbox);
    const challenge = findChallenge(current?.id ?? '');
    const isOpen = challenge !== undefined && solved[challenge.id] === undefined;
    return {
      solved: Object.fromEntries(Object.entries(solved).map(([id, { atMs }]) => [id, atMs])),
      hintCosts: costs,
      current: isOpen ? { id: challenge.id, missing: missingOf(current, challenge) } : undefined,
    };
  },
};

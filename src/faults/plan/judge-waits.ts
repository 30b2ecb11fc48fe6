/** Judges how long a client waits between attempts: longer each time, and by chance. */

import type { Attempt } from './attempts.js';
import { toleranceMs } from './series.js';

/** `null` if there is nothing to judge. */
export type Conclusion = 'kept' | 'against' | 'unclear' | null;

/** A wait that the response did not prescribe, at its place in the series. */
export interface Gap {
  readonly place: number;
  readonly ms: number;
}

/** Shorter gaps count as equal: they are the duration of a request, not a wait. */
const shortestWaitMs = 50;

/** Minimum ratio of a later gap to the first of a client that backs off. */
const growth = 1.2;

/** Gaps that differ by more than both are not equal. */
const sameness = 0.05;
const samenessMs = 50;

/** Number of gaps that are not equal by chance. */
const certainGaps = 3;

export interface Patience {
  readonly honoured: boolean;
  readonly askedMs: number;
  readonly waitedMs: number;
}

/** Returns how long the client waited after a response with Retry-After. */
export function patienceAfter(
  { retryAfterMs: askedMs, respondedAtMs }: Attempt,
  next: Attempt | undefined,
): Patience | null {
  if (askedMs === undefined || next === undefined) return null;
  const waitedMs = Math.max(0, next.timeMs - respondedAtMs);
  return { honoured: waitedMs + toleranceMs >= askedMs, askedMs, waitedMs };
}

/** Returns the wait that exceeds Retry-After by the least. */
export function judgePatience(attempts: readonly Attempt[]): Patience | null {
  const waits = attempts.flatMap((each, index) => patienceAfter(each, attempts[index + 1]) ?? []);
  const excess = ({ waitedMs, askedMs }: Patience) => waitedMs - askedMs;
  return waits.sort((one, other) => excess(one) - excess(other))[0] ?? null;
}

export function gapsOf(attempts: readonly Attempt[]): readonly Gap[] {
  return attempts.slice(1).flatMap(({ timeMs }, index) => {
    const { respondedAtMs = timeMs, retryAfterMs } = attempts[index] ?? {};
    const ms = Math.max(timeMs - respondedAtMs, shortestWaitMs);
    return retryAfterMs === undefined ? [{ place: index, ms }] : [];
  });
}

/**
 * A constant maximum and full jitter are right, so only at least three equal gaps are against it.
 */
export function judgeBackingOff(gaps: readonly Gap[]): Conclusion {
  const waits = gaps.map(({ ms }) => ms);
  const [first = 0] = waits;
  if (waits.length < 2) return null;
  if (waits.some((ms) => ms >= growth * first)) return 'kept';
  return waits.length >= certainGaps && areEqual(spreadOf(waits)) ? 'against' : 'unclear';
}

/** Gaps at the same place of all series. */
export interface Spread {
  readonly count: number;
  readonly min: number;
  readonly max: number;
}

function spreadOf(waits: readonly number[]): Spread {
  return { count: waits.length, min: Math.min(...waits), max: Math.max(...waits) };
}

export function areEqual({ min, max }: Spread): boolean {
  return max - min <= sameness * min && max - min <= samenessMs;
}

function areDifferent({ min, max }: Spread): boolean {
  return max - min >= sameness * min && max - min >= samenessMs;
}

export function spreadsOf(gapsOfAll: readonly (readonly Gap[])[]): ReadonlyMap<number, Spread> {
  const spreads = new Map<number, Spread>();
  for (const { place, ms } of gapsOfAll.flat()) {
    const { count, min, max } = spreads.get(place) ?? { count: 0, min: ms, max: ms };
    spreads.set(place, { count: count + 1, min: Math.min(min, ms), max: Math.max(max, ms) });
  }
  return spreads;
}

/** Compares gaps at the same place of several series; at half of the places they must differ. */
export function judgeJitter(
  gaps: readonly Gap[],
  spreads: ReadonlyMap<number, Spread>,
): Conclusion {
  const compared = gaps
    .flatMap(({ place }) => spreads.get(place) ?? [])
    .filter(({ count }) => count >= 2);
  if (compared.length === 0) return null;
  if (2 * compared.filter(areDifferent).length >= compared.length) return 'kept';
  const isCertain = compared.every((each) => each.count >= certainGaps && areEqual(each));
  return isCertain ? 'against' : 'unclear';
}

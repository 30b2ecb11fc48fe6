/** The entries of a space that have not expired, as a list that stays the same while they do. */

export interface LiveEntries {
  readonly entries: readonly (readonly [key: string, value: unknown])[];
  /** From then until then, by the sandbox's clock, these are the ones: none ends and none would be back. */
  readonly fromMs: number;
  readonly untilMs: number;
}

interface Expiring {
  readonly value: unknown;
  /** Infinity for never. */
  readonly expiresAtMs: number;
}

export function listLive(all: Iterable<readonly [string, Expiring]>, nowMs: number): LiveEntries {
  const entries: [string, unknown][] = [];
  let fromMs = Number.NEGATIVE_INFINITY;
  let untilMs = Number.POSITIVE_INFINITY;
  for (const [key, entry] of all) {
    if (nowMs < entry.expiresAtMs) {
      entries.push([key, entry.value]);
      untilMs = Math.min(untilMs, entry.expiresAtMs);
    } else {
      fromMs = Math.max(fromMs, entry.expiresAtMs);
    }
  }
  return { entries, fromMs, untilMs };
}

export function isListed(listed: LiveEntries | undefined, nowMs: number): listed is LiveEntries {
  return listed !== undefined && nowMs >= listed.fromMs && nowMs < listed.untilMs;
}

export const noEntries: readonly never[] = Object.freeze([]);

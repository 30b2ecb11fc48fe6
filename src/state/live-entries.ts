/** Lists of the unexpired entries of a space. They stay the same array while they are valid. */

export interface LiveEntries {
  readonly entries: readonly (readonly [key: string, value: unknown])[];
  /** The list is valid between these times of the sandbox's clock, which can be moved back. */
  readonly fromMs: number;
  readonly untilMs: number;
}

interface Expiring {
  readonly value: unknown;
  readonly expiresAtMs: number;
}

export function listLive(
  listed: LiveEntries | undefined,
  all: Iterable<readonly [string, Expiring]>,
  nowMs: number,
): LiveEntries {
  if (listed !== undefined && nowMs >= listed.fromMs && nowMs < listed.untilMs) return listed;
  const entries: [string, unknown][] = [];
  let fromMs = Number.NEGATIVE_INFINITY;
  let untilMs = Number.POSITIVE_INFINITY;
  for (const [key, { value, expiresAtMs }] of all) {
    if (nowMs < expiresAtMs) {
      entries.push([key, value]);
      untilMs = Math.min(untilMs, expiresAtMs);
    } else {
      fromMs = Math.max(fromMs, expiresAtMs);
    }
  }
  return { entries, fromMs, untilMs };
}

export const noEntries: readonly never[] = Object.freeze([]);

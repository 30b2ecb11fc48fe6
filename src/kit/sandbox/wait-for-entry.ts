/** Long polls: requests that are held until a log has a new entry. */

import { Type } from 'typebox';
import { turns } from '#base/work-in-turns.js';
import type { HeldRequest } from '#http/held-requests.js';
import type { Log } from '#state/state.js';

/** Describes the query parameter of a long poll. */
export const waitParameter = (what: string) =>
  Type.Optional(
    Type.Number({
      minimum: 0,
      // Proxies would time out longer waits.
      maximum: 60,
      description: `Holds the response until the next ${what}, for at most this many seconds.`,
    }),
  );

/** Describes a parameter that names an entry by its sequence. */
export const sequenceParameter = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: 999_999_999_999_999, description }));

/**
 * Waits for an entry beyond `sequence`, by default for the next one. Ends when the log is deleted
 * or `held` is over, which it releases.
 */
export async function waitForEntry(
  log: Log<unknown>,
  sequence: number | undefined,
  { signal, release }: HeldRequest,
): Promise<void> {
  try {
    const start = sequence ?? (await log.status())?.lastSequence ?? 0;
    while (!signal.aborted) {
      const status = await log.status();
      if (status === undefined || (await log.after(start, 1)).length > 0) return;
      // Clearing a log also wakes it.
      await log.waitPast(Math.max(start, status.lastSequence), signal);
      // An entry may wake thousands at once.
      await turns.whenFree();
    }
  } finally {
    release();
  }
}

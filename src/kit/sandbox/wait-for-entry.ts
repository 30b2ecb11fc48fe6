/** Long polls: a request that is held until a log has something new. */

import { turns } from '../../base/work-in-turns.js';
import type { HeldRequest } from '../../http/held-requests.js';
import type { Log } from '../../state/state.js';

/**
 * Waits for an entry beyond `sequence`, or without it for the next one; until the log is gone or `held` is
 * over, which it releases.
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
      // Emptying a log also wakes us, and is no entry.
      await log.waitPast(Math.max(start, status.lastSequence), signal);
      // An entry may wake thousands at once.
      await turns.whenFree();
    }
  } finally {
    release();
  }
}

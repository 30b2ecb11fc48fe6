/** Long polls: requests that are held until a log has a new entry. */

import { turns } from '../../base/work-in-turns.js';
import type { HeldRequest } from '../../http/held-requests.js';
import type { Log } from '../../state/state.js';

/** Waits for an entry beyond `sequence` (by default, the next one), the end of the log, or of `held`, which it releases. */
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

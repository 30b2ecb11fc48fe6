/** Lets requests be served even if a judge can record nothing. */

import type { Awaitable } from '#base/awaitable.js';
import { CapacityError, StateUnavailableError } from '#state/state.js';

export async function ignoringOutages(run: () => Awaitable<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (error instanceof StateUnavailableError || error instanceof CapacityError) return;
    throw error;
  }
}

/** Resets of sandboxes by the callers who use them. */

import type { Awaitable } from '#base/awaitable.js';
import { isOfClass, type Sandbox } from '#state/state.js';
import { requestsSpace } from '../recording/exchange-record.js';
import { hintsSpace } from './hints-taken.js';
import { huntsSpace } from './hunts-space.js';

/** Spaces that a reset of a pupil keeps: neither hints nor wrong reports of bugs are given back. */
export const keptOfPupils = [hintsSpace, huntsSpace];

/**
 * Resets a sandbox, except the hints that it took. Of a pupil, the bugs and the recorded requests remain as well, because
 * the teacher reads them.
 */
export function resetByCaller(sandbox: Sandbox): Awaitable<void> {
  return sandbox.reset(isOfClass(sandbox.name) ? [...keptOfPupils, requestsSpace] : [hintsSpace]);
}

/** Resets of sandboxes by the callers who use them. */

import type { Awaitable } from '../../base/awaitable.js';
import { isOfClass, type Sandbox } from '../../state/state.js';
import { requestsSpace } from '../recording/exchange-record.js';
import { hintsSpace } from './hints-taken.js';

/**
 * Resets a sandbox, except the hints that it took. The recorded requests of a pupil remain as well, because the teacher
 * reads them.
 */
export function resetByCaller(sandbox: Sandbox): Awaitable<void> {
  return sandbox.reset(isOfClass(sandbox.name) ? [hintsSpace, requestsSpace] : [hintsSpace]);
}

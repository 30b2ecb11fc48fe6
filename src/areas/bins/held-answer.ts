/** The signal that ends an answer which is held open, whichever reason comes first. */

import type { ServerResponse } from 'node:http';

export interface HeldAnswer {
  /** Aborted when the client goes, the service stops, or the time is over. */
  readonly signal: AbortSignal;
  /** Lets go of everything; safe to call more than once. */
  release(): void;
}

/** Without `seconds` it is held for as long as the client stays. */
export function holdAnswer(
  response: ServerResponse,
  stopping: AbortSignal,
  seconds?: number,
): HeldAnswer {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = seconds === undefined ? undefined : setTimeout(abort, seconds * 1000);
  response.once('close', abort);
  stopping.addEventListener('abort', abort);
  if (stopping.aborted || response.destroyed) abort();
  return {
    signal: controller.signal,
    release() {
      clearTimeout(timer);
      response.off('close', abort);
      stopping.removeEventListener('abort', abort);
      abort();
    },
  };
}

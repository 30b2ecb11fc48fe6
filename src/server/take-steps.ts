/** Long work in short steps, between which the process serves other requests. */

import { turns } from './work-in-turns.js';

/** Work that yields after each step of a millisecond or so, and returns its result. */
export type Steps<Value> = Generator<undefined, Value, undefined>;

/** Takes the steps in turns of the event loop, as many at a time as a turn has time for. */
export async function takeSteps<Value>(steps: Steps<Value>): Promise<Value> {
  for (;;) {
    if (!turns.hasTime()) await turns.next();
    const step = steps.next();
    if (step.done) return step.value;
  }
}

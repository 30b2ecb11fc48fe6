/** Runs what is asked of an open stream, wherever it was asked, until the stream ends. */

import { type Sandbox, StateUnavailableError } from '../../../state/state.js';
import type { Parameters } from '../request/read-parameters.js';
import { renewMs, streamSpace, takeNews } from './event-streams.js';

/** How soon a state that could not be reached is asked again. */
const awayMs = 1000;

/** Runs an operation to its end, or until `signal` is aborted. Does not reject. */
export type RunOperation = (
  id: string,
  parameters: Parameters,
  signal: AbortSignal,
) => Promise<void>;

/** Resolves when the stream is gone, or `signal` is aborted. */
export async function serveStream(
  sandbox: Sandbox,
  token: string,
  run: RunOperation,
  signal: AbortSignal,
): Promise<void> {
  const log = sandbox.log(streamSpace, token);
  const operations = new RunningOperations(run);
  /** Until something is asked, something has ended, or it is time to say that the stream is in use. */
  const waitForNews = async (place: number, forMs: number): Promise<void> => {
    const waiting = new AbortController();
    const stop = () => waiting.abort();
    const timer = setTimeout(stop, forMs);
    operations.onEnd = stop;
    signal.addEventListener('abort', stop);
    if (signal.aborted || operations.ended.size > 0) stop();
    await log.waitPast(place, waiting.signal);
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  };
  try {
    while (!signal.aborted) {
      try {
        const status = await log.status();
        if (status === undefined || !(await operations.update(sandbox, token))) return;
        await waitForNews(status.lastSequence, renewMs);
      } catch (error) {
        // The stream outlives it.
        if (!(error instanceof StateUnavailableError)) throw error;
        await waitForNews(Number.MAX_SAFE_INTEGER, awayMs);
      }
    }
  } finally {
    operations.stopAll();
  }
}

class RunningOperations {
  readonly #run: RunOperation;
  readonly #running = new Map<string, AbortController>();
  /** The ids of those that have ended, and of which the state does not know it. */
  readonly ended = new Set<string>();
  onEnd = (): void => {};

  constructor(run: RunOperation) {
    this.#run = run;
  }

  /** Begins and ends what was asked since, and says whether the stream is still there. */
  async update(sandbox: Sandbox, token: string): Promise<boolean> {
    const told = new Set(this.ended);
    const news = await sandbox.update(streamSpace, token, (current, nowMs) =>
      takeNews(current, nowMs, told),
    );
    if (news === undefined) return false;
    for (const id of told) this.ended.delete(id);
    for (const { id, asked } of news.asked) this.#begin(id, asked);
    for (const [id, controller] of this.#running) {
      if (news.ids.has(id)) continue;
      this.#running.delete(id);
      controller.abort();
    }
    return true;
  }

  #begin(id: string, asked: Parameters): void {
    const controller = new AbortController();
    this.#running.set(id, controller);
    this.#run(id, asked, controller.signal).then(() => {
      if (this.#running.get(id) !== controller) return;
      this.#running.delete(id);
      this.ended.add(id);
      this.onEnd();
    });
  }

  stopAll(): void {
    for (const controller of this.#running.values()) controller.abort();
  }
}

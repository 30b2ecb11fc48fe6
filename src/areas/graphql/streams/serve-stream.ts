/** Runs the operations of an open stream, from any replica, until the stream ends. */

import { type Sandbox, StateUnavailableError } from '#state/state.js';
import type { Parameters } from '../request/read-parameters.js';
import { renewMs, streamSpace, takeNews } from './event-streams.js';

/** Time after which an unavailable state is asked again. */
const awayMs = 1000;

/** Runs an operation to its end, or until `signal` is aborted. Does not reject. */
export type RunOperation = (
  id: string,
  parameters: Parameters,
  signal: AbortSignal,
) => Promise<void>;

/** Resolves when the stream is deleted, or `signal` is aborted. */
export async function serveStream(
  sandbox: Sandbox,
  token: string,
  run: RunOperation,
  signal: AbortSignal,
): Promise<void> {
  const log = sandbox.log(streamSpace, token);
  const operations = new RunningOperations(run);
  /**
   * Waits until an operation is requested or has ended, or the use of the stream must be recorded.
   */
  const waitForNews = async (sequence: number, forMs: number): Promise<void> => {
    const waiting = new AbortController();
    const stop = () => waiting.abort();
    const timer = setTimeout(stop, forMs);
    operations.onEnd = stop;
    signal.addEventListener('abort', stop);
    if (signal.aborted || operations.ended.size > 0) stop();
    await log.waitPast(sequence, waiting.signal);
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
        // The stream survives an unavailable state.
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
  /** Ids of operations that have ended, but not yet in the state. */
  readonly ended = new Set<string>();
  onEnd = (): void => {};

  constructor(run: RunOperation) {
    this.#run = run;
  }

  /** Begins and ends operations as requested, and returns whether the stream still exists. */
  async update(sandbox: Sandbox, token: string): Promise<boolean> {
    const reported = new Set(this.ended);
    const news = await sandbox.update(streamSpace, token, (current, nowMs) =>
      takeNews(current, nowMs, reported),
    );
    if (news === undefined) return false;
    for (const id of reported) this.ended.delete(id);
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

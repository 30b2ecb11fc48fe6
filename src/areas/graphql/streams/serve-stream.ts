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
  const running = new Map<string, AbortController>();
  const ended = new Set<string>();
  let wake = (): void => {};

  function begin(id: string, asked: Parameters): void {
    const controller = new AbortController();
    running.set(id, controller);
    run(id, asked, controller.signal).then(() => {
      if (running.get(id) !== controller) return;
      running.delete(id);
      ended.add(id);
      wake();
    });
  }

  /** Says whether the stream is still there. */
  async function look(): Promise<boolean> {
    const told = new Set(ended);
    const news = await sandbox.update(streamSpace, token, (current, nowMs) =>
      takeNews(current, nowMs, told),
    );
    if (news === undefined) return false;
    for (const id of told) ended.delete(id);
    for (const { id, asked } of news.asked) begin(id, asked);
    for (const [id, controller] of running) {
      if (news.ids.has(id)) continue;
      running.delete(id);
      controller.abort();
    }
    return true;
  }

  /** Until something is asked, something has ended, or it is time to say that the stream is in use. */
  async function waitForNews(place: number, forMs: number): Promise<void> {
    const waiting = new AbortController();
    const stop = () => waiting.abort();
    const timer = setTimeout(stop, forMs);
    wake = stop;
    signal.addEventListener('abort', stop);
    if (signal.aborted || ended.size > 0) stop();
    await log.waitPast(place, waiting.signal);
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }

  try {
    while (!signal.aborted) {
      try {
        const status = await log.status();
        if (status === undefined || !(await look())) return;
        await waitForNews(status.lastSequence, renewMs);
      } catch (error) {
        // The stream outlives it.
        if (!(error instanceof StateUnavailableError)) throw error;
        await waitForNews(Number.MAX_SAFE_INTEGER, awayMs);
      }
    }
  } finally {
    for (const controller of running.values()) controller.abort();
  }
}

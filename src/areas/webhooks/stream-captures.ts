/**
 * A bin's captures as Server-Sent Events (WHATWG HTML, section 9.2). The stream pulls from the log at
 * the pace its reader takes, so a slow reader holds nothing but its place.
 */

import type { Log } from '../../state/state.js';
import { type CapturedItem, describeCapture } from './capture-request.js';

/** Below every proxy's and our own idle timeout. */
const usualHeartbeatMs = 20_000;

/** How soon a browser comes back after a break. */
const retryMs = 1000;

/** How many entries are in hand at once: bodies are large. */
const batchSize = 4;

/**
 * An event per capture beyond `sequence`, with the id to resume by; `cleared` when the bin was
 * emptied, `deleted` and the end when it is gone. Ends when `signal` is aborted.
 */
export async function* streamCaptures(
  log: Log<CapturedItem>,
  sequence: number,
  signal: AbortSignal,
  heartbeatMs = usualHeartbeatMs,
): AsyncGenerator<string> {
  let place = sequence;
  // Who comes back learns of an emptying in between; who has seen nothing has nothing to drop.
  let clearedSequence = sequence || ((await log.status())?.clearedSequence ?? 0);
  yield `retry: ${retryMs}\n\n`;
  while (!signal.aborted) {
    const status = await log.status();
    if (status === undefined) {
      yield 'event: deleted\ndata: {}\n\n';
      return;
    }
    if (status.clearedSequence > clearedSequence) {
      clearedSequence = status.clearedSequence;
      place = Math.max(place, clearedSequence);
      yield `id: ${clearedSequence}\nevent: cleared\ndata: {}\n\n`;
    }
    const entries = await log.after(place, batchSize);
    for (const entry of entries) {
      place = entry.sequence;
      yield `id: ${place}\ndata: ${JSON.stringify(describeCapture(entry))}\n\n`;
    }
    // Entries may have been dropped by the bound on bytes: their places count as seen.
    if (entries.length === 0) place = Math.max(place, status.lastSequence);
    if (entries.length === 0 && (await isQuiet(log, place, signal, heartbeatMs)))
      yield ': still here\n\n';
  }
}

/** Waits for news, for at most a heartbeat, and says whether there were none. */
async function isQuiet(
  log: Log<CapturedItem>,
  sequence: number,
  signal: AbortSignal,
  heartbeatMs: number,
): Promise<boolean> {
  const heartbeat = new AbortController();
  const beat = () => heartbeat.abort();
  const timer = setTimeout(beat, heartbeatMs);
  signal.addEventListener('abort', beat);
  if (signal.aborted) beat();
  await log.waitPast(sequence, heartbeat.signal);
  clearTimeout(timer);
  signal.removeEventListener('abort', beat);
  return heartbeat.signal.aborted && !signal.aborted;
}

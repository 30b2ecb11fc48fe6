/** Streams a bin's captures as Server-Sent Events (WHATWG HTML, section 9.2), at the pace of the reader. */

import { heartbeat, isQuiet, writeEvent, writeRetry } from '#http/sending/event-stream.js';
import { inSlices } from '#http/sending/stream-of.js';
import { type Log, type LogEntry, StateUnavailableError } from '#state/state.js';
import { type CapturedItem, writeCapture } from './captures.js';

/**
 * Yields an event for each capture after `sequence`, with the id to resume from. Yields `cleared` if the bin is
 * emptied, and `deleted` at the end if it is deleted. Ends when `signal` is aborted.
 */
export async function* streamCaptures(
  log: Log<CapturedItem>,
  sequence: number,
  signal: AbortSignal,
  heartbeatMs?: number,
): AsyncGenerator<string | Buffer> {
  let position = sequence;
  // A reader that resumes must learn that the bin was emptied meanwhile. A new reader has nothing to discard.
  let clearedSequence = sequence || ((await log.status())?.clearedSequence ?? 0);
  yield writeRetry();
  while (!signal.aborted) {
    const seen = await look(log, position);
    if (seen !== undefined) {
      const { status, entries } = seen;
      if (status === undefined) {
        yield writeEvent({ event: 'deleted', data: '{}' });
        return;
      }
      // The bin was emptied after the status was read, so `cleared` comes before the captures that followed.
      if ((entries[0]?.sequence ?? 0) > status.lastSequence + 1) continue;
      if (status.clearedSequence > clearedSequence) {
        clearedSequence = status.clearedSequence;
        position = Math.max(position, clearedSequence);
        yield writeEvent({ id: clearedSequence, event: 'cleared', data: '{}' });
      }
      for (const entry of entries) {
        position = entry.sequence;
        yield* inSlices(eventOf(entry));
      }
      if (entries.length > 0) continue;
      // Entries may have been evicted by the size limit: they count as seen.
      position = Math.max(position, status.lastSequence);
    }
    const news = (until: AbortSignal) => log.waitPast(position, until);
    if (await isQuiet(news, signal, heartbeatMs)) yield heartbeat;
  }
}

function* eventOf(entry: LogEntry<CapturedItem>): Generator<string | Buffer> {
  yield `id: ${entry.sequence}\ndata: `;
  yield* writeCapture(entry);
  yield '\n\n';
}

/** Reads the next capture. Returns `undefined` while the state is unreachable; the stream survives that. */
async function look(log: Log<CapturedItem>, position: number) {
  try {
    const status = await log.status();
    return {
      status,
      entries: await log.after(Math.max(position, status?.clearedSequence ?? 0), 1),
    };
  } catch (error) {
    if (error instanceof StateUnavailableError) return undefined;
    throw error;
  }
}

/**
 * A bin's captures as Server-Sent Events (WHATWG HTML, section 9.2). The stream pulls from the log at the pace of its
 * reader, so a slow reader holds nothing but its place.
 */

import { turns } from '../../base/work-in-turns.js';
import { heartbeat, isQuiet, writeEvent, writeRetry } from '../../http/sending/event-stream.js';
import { inSlices } from '../../http/sending/stream-of.js';
import {
  type Log,
  type LogEntry,
  type LogStatus,
  StateUnavailableError,
} from '../../state/state.js';
import type { CapturedItem } from './capture-request.js';
import { writeCapture } from './write-captures.js';

/**
 * An event per capture beyond `sequence`, with the id to resume by; `cleared` when the bin was
 * emptied, `deleted` and the end when it is gone. Ends when `signal` is aborted.
 */
export async function* streamCaptures(
  log: Log<CapturedItem>,
  sequence: number,
  signal: AbortSignal,
  heartbeatMs?: number,
): AsyncGenerator<string | Buffer> {
  let place = sequence;
  // Who comes back learns of an emptying in between; who has seen nothing has nothing to drop.
  let clearedSequence = sequence || ((await log.status())?.clearedSequence ?? 0);
  yield writeRetry();
  while (!signal.aborted) {
    const seen = await look(log, place);
    if (seen === 'gone') {
      yield writeEvent({ event: 'deleted', data: '{}' });
      return;
    }
    if (seen !== 'unknown') {
      const { status, entries } = seen;
      // Emptied since we asked: its event comes before those of the captures that followed.
      if ((entries[0]?.sequence ?? 0) > status.lastSequence + 1) continue;
      if (status.clearedSequence > clearedSequence) {
        clearedSequence = status.clearedSequence;
        place = Math.max(place, clearedSequence);
        yield writeEvent({ id: clearedSequence, event: 'cleared', data: '{}' });
      }
      for (const entry of entries) {
        place = entry.sequence;
        // Who comes back to much is not before others.
        if (entries.length > 1) await turns.next();
        yield* inSlices(eventOf(entry));
      }
      if (entries.length > 0) continue;
      // Entries may have been dropped by the limit on bytes: their places count as seen.
      place = Math.max(place, status.lastSequence);
    }
    const news = (until: AbortSignal) => log.waitPast(place, until);
    if (await isQuiet(news, signal, heartbeatMs)) yield heartbeat;
  }
}

function* eventOf(entry: LogEntry<CapturedItem>): Generator<string | Buffer> {
  yield `id: ${entry.sequence}\ndata: `;
  yield* writeCapture(entry);
  yield '\n\n';
}

interface Seen {
  readonly status: LogStatus;
  readonly entries: readonly LogEntry<CapturedItem>[];
}

/** What there is beyond a place; `unknown` while the state cannot be reached, which a stream outlives. */
async function look(log: Log<CapturedItem>, place: number): Promise<Seen | 'gone' | 'unknown'> {
  try {
    const status = await log.status();
    if (status === undefined) return 'gone';
    const start = Math.max(place, status.clearedSequence);
    return { status, entries: await log.after(start, 1) };
  } catch (error) {
    if (error instanceof StateUnavailableError) return 'unknown';
    throw error;
  }
}

/**
 * Keeps messages that have been read, because tests send the same ones over and over. What a message
 * calls follows from its text alone, so one seen again need not be parsed again.
 */

import { createBoundedCache } from '../../base/bounded-cache.js';
import type { Call } from './read-call.js';

/** Reads a message and what HTTP says it calls; pure, but for faults that it throws. */
export type ReadMessage = (xml: string, action: string | undefined) => Call;

/** At most this many messages are kept; one more drops the one used longest ago. */
export const maxMessages = 256;

/** Longer messages are not kept, in characters. */
export const maxMessageLength = 2048;

/** The same as `read`, which is not asked again about what is kept. What it rejects is not kept. */
export function rememberCalls(read: ReadMessage): ReadMessage {
  const kept = createBoundedCache<{ readonly action: string | undefined; readonly call: Call }>({
    maxEntries: maxMessages,
  });
  return (xml, action) => {
    const known = kept.find(xml);
    if (known !== undefined && known.action === action) return known.call;
    const call = read(xml, action);
    if (xml.length <= maxMessageLength) kept.keep(xml, { action, call });
    return call;
  };
}

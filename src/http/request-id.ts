/** Request ids, for responses and the log. */

import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { redact } from '../base/text/redact.js';

/** Others read the id in logs and verdicts, so it has no characters of paths and encodings. */
const saneId = /^[\w.:-]{1,64}$/;

export function isSaneId(text: string): boolean {
  return saneId.test(text) && redact(text) === text;
}

/** Returns the caller's X-Request-Id if it is short and harmless, else a new id. */
export function requestIdOf(message: IncomingMessage): string {
  const sent = message.headers['x-request-id'];
  return typeof sent === 'string' && isSaneId(sent) ? sent : newRequestId();
}

/** First part of a UUID of version 8 (RFC 9562 section 5.8), unique to this process. */
const processPart = `${randomUUID().slice(0, 14)}8${randomUUID().slice(15, 24)}`;
let requests = 0;

/** Returns a UUID of version 8, which a log or a recording can tell from the random ids of other things. */
export function newRequestId(): string {
  requests += 1;
  return processPart + requests.toString(16).padStart(12, '0');
}

/** Request ids, for responses and the log. */

import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { redact } from '#base/text/redact.js';

/** Others read the id in logs and verdicts: its characters cannot spell an address that is a key. */
const saneId = /^[\w.:+=@-]{1,64}$/;

declare module 'node:http' {
  interface IncomingMessage {
    requestId?: string;
  }
}

export function isSaneId(text: string): boolean {
  return saneId.test(text) && redact(text) === text;
}

/** Returns the caller's X-Request-Id if it is short and harmless, else an id that is created by the first call. */
export function requestIdOf(message: IncomingMessage): string {
  if (message.requestId !== undefined) return message.requestId;
  const sent = message.headers['x-request-id'];
  const id = typeof sent === 'string' && isSaneId(sent) ? sent : newRequestId();
  message.requestId = id;
  return id;
}

/** First part of a UUID of version 8 (RFC 9562 section 5.8), unique to this process. */
const processPart = `${randomUUID().slice(0, 14)}8${randomUUID().slice(15, 24)}`;
let requests = 0;

/** Returns a UUID of version 8, which a log or a recording can tell from the random ids of other things. */
export function newRequestId(): string {
  requests += 1;
  return processPart + requests.toString(16).padStart(12, '0');
}

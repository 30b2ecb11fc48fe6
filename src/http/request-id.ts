/** Request ids, for responses and the log. */

import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const saneId = /^[\w.:~+/=@-]{1,128}$/;

/** Returns the caller's X-Request-Id if it is short and printable, else a new id. */
export function requestIdOf(message: IncomingMessage): string {
  const sent = message.headers['x-request-id'];
  return typeof sent === 'string' && saneId.test(sent) ? sent : randomUUID();
}

/** The ids of requests, in the format of the providers. */

import { hash } from 'node:crypto';
import type { Request } from '#http/exchange.js';

/** Returns the id of a request in the format of a provider; the same one for the same request. */
export function requestIdOf({ id }: Request): string {
  const text = hash('sha256', id, 'base64url').replace(/[-_]/g, 'x');
  return `req_01${text.slice(0, 22)}`;
}

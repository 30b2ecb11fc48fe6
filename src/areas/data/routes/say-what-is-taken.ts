/** The response to OPTIONS (RFC 9110 section 9.3.7): which methods a path takes, and bodies of which types. */

import type { Reply, Request } from '../../../http/exchange.js';
import { acceptPatch } from '../write/check-patch-type.js';
import { otherBodies } from './route-schemas.js';

const acceptPost = ['application/json', ...Object.keys(otherBodies)].join(', ');

export function sayWhatIsTaken(methods: readonly string[]) {
  const headers = {
    allow: methods.join(', '),
    ...(methods.includes('POST') && { 'accept-post': acceptPost }),
    ...(methods.includes('PATCH') && { 'accept-patch': acceptPatch }),
  };
  return async (_request: Request, reply: Reply): Promise<Reply> =>
    reply.code(204).headers(headers).send();
}

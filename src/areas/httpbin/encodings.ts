/** Responses in a content coding (RFC 9110 section 8.4), whatever the client accepts. */

import { type Coding, encodeWhole } from '../../http/codings/encode-body.js';
import { streamOf } from '../../http/sending/stream-of.js';
import { describeHead } from './echo.js';
import type { Handler } from './lab.js';
import { writeJson } from './write-json.js';

/** `mark` is the member that says which one it was. */
export function giveEncoded(coding: Coding, mark: string): Handler {
  return async (request, reply, lab) => {
    const told = describeHead(request, lab, ['headers', 'method', 'origin']);
    const body = Buffer.from(writeJson({ ...told, [mark]: true }));
    reply.header('content-type', 'application/json').header('content-encoding', coding);
    if (request.method === 'HEAD') return streamOf(request, () => []);
    return reply.send(encodeWhole(body, coding));
  };
}

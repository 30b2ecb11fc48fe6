/** A token endpoint that is slow or fails, on purpose. */

import type { Reply, Request } from '../../../http/exchange.js';
import { HttpError } from '../../../http/http-error.js';
import type { Services } from '../../../kit/area.js';
import { noStore, oauthBody } from '../oauth-error.js';
import type { Conduct } from './conduct.js';

const slowMs = 2000;

const page = `<!doctype html>
<html lang="en"><head><title>502 Bad Gateway</title></head>
<body><h1>502 Bad Gateway</h1><p>The server behind this one did not respond.</p></body></html>
`;

/** The response, where it is not for tokens to be one; waits where it is slow. */
export async function obstruct(
  conduct: Conduct | undefined,
  { held }: Pick<Services, 'held'>,
  request: Request,
  reply: Reply,
): Promise<Reply | undefined> {
  switch (conduct?.misbehaviour) {
    case 'slow': {
      const waiting = held.hold(request, reply, slowMs);
      await waiting.ended;
      return undefined;
    }
    case 'failing': {
      const message = 'The issuer fails on purpose: misbehave is failing.';
      throw new HttpError(503, message, {
        headers: { ...noStore, 'retry-after': '1' },
        body: oauthBody('temporarily_unavailable', message),
      });
    }
    case 'html-errors':
      return reply.code(502).type('text/html; charset=utf-8').serializer(String).send(page);
    default:
      return undefined;
  }
}

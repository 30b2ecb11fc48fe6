/** Headers about a window, in the forms that services use. */

import { Type } from 'typebox';
import type { Reply, Request } from '#http/exchange.js';
import type { RateWindow } from '#state/count-request.js';

const forms = ['x', 'ietf', 'seconds'] as const;

type Form = (typeof forms)[number];

export const windowHeadersSchema = Type.Optional(
  Type.Unsafe<Form>({
    type: 'string',
    enum: forms,
    default: 'x',
    description:
      'The form of the headers: `x` is X-RateLimit-* with the end in Unix seconds, `seconds` the same with the seconds until the end, `ietf` RateLimit and RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers-10).',
  }),
);

export const windowHeaders = {
  'X-RateLimit-Limit': Type.Integer({ description: 'Requests that the window allows.' }),
  'X-RateLimit-Remaining': Type.Integer({ description: 'Requests that remain.' }),
  'X-RateLimit-Reset': Type.Integer({
    description: 'When the window ends, in Unix seconds, or in seconds from now.',
  }),
  RateLimit: Type.String({ description: 'Requests that remain, and seconds until the end.' }),
  'RateLimit-Policy': Type.String({ description: 'Requests in a window, and its seconds.' }),
};

export function haveBeenSet(reply: Reply): boolean {
  return reply.hasHeader('x-ratelimit-limit') || reply.hasHeader('ratelimit');
}

/** Sets the headers in the form that the request names. `secondsLeft` are rounded up. */
export function setWindowHeaders(
  { query }: Request,
  reply: Reply,
  { limit, used, endsAtMs, windowSeconds }: RateWindow,
  secondsLeft: number,
): void {
  const { headers: form } = query as { readonly headers?: unknown };
  const remaining = limit - used;
  if (form === 'ietf') {
    reply
      .header('ratelimit-policy', `"default";q=${limit};w=${windowSeconds}`)
      .header('ratelimit', `"default";r=${remaining};t=${secondsLeft}`);
    return;
  }
  reply
    .header('x-ratelimit-limit', limit)
    .header('x-ratelimit-remaining', remaining)
    .header('x-ratelimit-reset', form === 'seconds' ? secondsLeft : Math.ceil(endsAtMs / 1000));
}

/** Describes headers. */

import { Type } from 'typebox';
import type { Fields } from '../exchange.js';

const text = (description: string) => Type.String({ description });
const count = (description: string) => Type.Integer({ minimum: 0, description });

export const entityTag = {
  ETag: Type.String({
    pattern: '^"[^"]*"$',
    description: 'The current entity tag, for If-None-Match and If-Match.',
  }),
};

export const location = { Location: text('URL of the created resource.') };

export const totalCount = { 'X-Total-Count': count('Total number.') };

export const links = { Link: text('Links to other pages, such as the next one (RFC 8288).') };

export const challenge = {
  'WWW-Authenticate': text('How to authenticate; one header for each scheme.'),
};

export const allowedMethods = { Allow: text('The supported methods.') };

export const retryAfter = { 'Retry-After': count('Seconds to wait before the next attempt.') };

export const takenCodings = {
  'Accept-Encoding': Type.Optional(
    text('Supported codings, if Content-Encoding was wrong (RFC 9110 section 12.5.3).'),
  ),
};

export const cacheControl = {
  'Cache-Control': text('Whether and for how long the response may be stored.'),
};

export const vary = { Vary: text('Request headers that the response depends on.') };

export const noSniff = { 'X-Content-Type-Options': Type.Literal('nosniff') };

export const contentSecurityPolicy = {
  'Content-Security-Policy': text('Restrictions for browsers.'),
};

/** Returns the same headers, as optional. */
export function optional(headers: Fields): Fields {
  const entries = Object.entries(headers).map(([name, schema]) => [name, Type.Optional(schema)]);
  return Object.fromEntries(entries);
}

export const ifNoneMatch = {
  'If-None-Match': Type.Optional(
    text(
      'One or more entity tags, separated by commas. If one matches, the response has no content.',
    ),
  ),
};

export const ifMatch = {
  'If-Match': Type.Optional(
    text('One or more entity tags, separated by commas. If none matches, the request is rejected.'),
  ),
};

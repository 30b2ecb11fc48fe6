/** Headers for the description of endpoints. */

import { Type } from 'typebox';
import type { Fields } from '../exchange.js';

const text = (description: string) => Type.String({ description });
const count = (description: string) => Type.Integer({ minimum: 0, description });

export const entityTag = {
  ETag: Type.String({
    pattern: '^"[^"]*"$',
    description: 'The entity tag of what is there, for If-None-Match and If-Match.',
  }),
};

export const location = { Location: text('The address of what was made.') };

export const totalCount = { 'X-Total-Count': count('How many there are in all.') };

export const links = { Link: text('Links to other pages, such as the next one (RFC 8288).') };

export const challenge = {
  'WWW-Authenticate': text('How to authenticate; several headers where several ways are open.'),
};

export const allowedMethods = { Allow: text('The methods that are supported here.') };

export const retryAfter = { 'Retry-After': count('In how many seconds it is worth trying again.') };

export const takenCodings = {
  'Accept-Encoding': Type.Optional(
    text('What Content-Encoding may be, when that was the fault (RFC 9110 section 12.5.3).'),
  ),
};

export const cacheControl = {
  'Cache-Control': text('Whether and for how long the response may be stored.'),
};

export const vary = { Vary: text('The headers of requests that the response depends on.') };

export const noSniff = { 'X-Content-Type-Options': Type.Literal('nosniff') };

export const contentSecurityPolicy = {
  'Content-Security-Policy': text('What a browser lets the response do, which is little.'),
};

/** Returns the same headers, for responses of which only some have them. */
export function optional(headers: Fields): Fields {
  const entries = Object.entries(headers).map(([name, schema]) => [name, Type.Optional(schema)]);
  return Object.fromEntries(entries);
}

export const ifNoneMatch = {
  'If-None-Match': Type.Optional(
    text('An entity tag, or several by comma. Of what has one of them, nothing is sent again.'),
  ),
};

export const ifMatch = {
  'If-Match': Type.Optional(
    text('An entity tag, or several separated by commas. Another version than these is rejected.'),
  ),
};

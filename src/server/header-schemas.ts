/** Headers of answers, for the description of routes. */

import { Type } from 'typebox';

const text = (description: string) => Type.String({ description });
const count = (description: string) => Type.Integer({ minimum: 0, description });

export const entityTag = {
  ETag: Type.String({
    pattern: '^"[^"]*"$',
    description: 'The entity tag of the representation, for If-None-Match and If-Match.',
  }),
};

export const location = {
  Location: Type.String({ format: 'uri', description: 'The address of what was made.' }),
};

export const totalCount = { 'X-Total-Count': count('How many there are in all.') };

export const challenge = {
  'WWW-Authenticate': text('How to authenticate; a header for each scheme on offer.'),
};

export const allowedMethods = { Allow: text('The verbs that the path takes.') };

export const retryAfter = { 'Retry-After': count('In how many seconds it is worth trying again.') };

export const takenCodings = {
  'Accept-Encoding': Type.Optional(
    text('The codings that are taken, when the Content-Encoding was the fault.'),
  ),
};

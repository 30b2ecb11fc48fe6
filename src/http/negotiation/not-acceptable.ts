/** The response to a client that accepts nothing of what there is: RFC 9110 section 15.5.7. */

import { Type } from 'typebox';
import { HttpError } from '../http-error.js';
import { errorSchema } from '../schemas/error-schema.js';

export const notAcceptableSchema = Type.Object({
  ...errorSchema.properties,
  available: Type.Array(Type.String(), { description: 'What there is.' }),
});

/** `message` says what is wrong, and is followed by what there is. */
export function notAcceptable(message: string, available: readonly string[]): HttpError {
  return new HttpError(406, `${message} There is ${available.join(', ')}.`, {
    body: { available },
  });
}

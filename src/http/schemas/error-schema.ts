/** Describes the shape of REST errors. */

import { Type } from 'typebox';

const fieldFaultSchema = Type.Object({ field: Type.String(), message: Type.String() });

export const errorSchema = Type.Object(
  {
    status: Type.Integer({ description: 'The status of the response.' }),
    error: Type.String({ description: 'The reason phrase of the status.' }),
    message: Type.String({ description: 'The fault, and its correction.' }),
    retryAfter: Type.Optional(
      Type.Integer({ description: 'With 429: seconds to wait before the next attempt.' }),
    ),
    index: Type.Optional(
      Type.Integer({
        description: 'Number of the failed operation of a patch or a batch, from 0.',
      }),
    ),
    path: Type.Optional(
      Type.String({ description: 'Position in the record where a patch failed.' }),
    ),
    errors: Type.Optional(
      Type.Array(fieldFaultSchema, { description: 'Every faulty field or parameter.' }),
    ),
  },
  { title: 'Error' },
);

export function failures(...statuses: readonly number[]) {
  return Object.fromEntries(statuses.map((status) => [status, errorSchema]));
}

/** Error of a client that accepts none of the available formats. */
export const notAcceptableSchema = Type.Object({
  ...errorSchema.properties,
  available: Type.Array(Type.String(), { description: 'The available formats.' }),
});

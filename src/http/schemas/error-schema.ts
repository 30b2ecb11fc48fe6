/** The shape of REST errors, for the description of endpoints. */

import { Type } from 'typebox';

const fieldFaultSchema = Type.Object({ field: Type.String(), message: Type.String() });

export const errorSchema = Type.Object(
  {
    status: Type.Integer({ description: 'The status of the response.' }),
    error: Type.String({ description: 'The reason phrase of the status.' }),
    message: Type.String({ description: 'What was wrong, and what would be right.' }),
    retryAfter: Type.Optional(
      Type.Integer({ description: 'With 429: in how many seconds it is worth trying again.' }),
    ),
    index: Type.Optional(
      Type.Integer({ description: 'The operation of a patch or a batch that failed, from 0.' }),
    ),
    path: Type.Optional(Type.String({ description: 'Where in the record a patch failed.' })),
    errors: Type.Optional(
      Type.Array(fieldFaultSchema, { description: 'Every faulty field or parameter.' }),
    ),
  },
  { title: 'Error' },
);

export function failures(...statuses: readonly number[]) {
  return Object.fromEntries(statuses.map((status) => [status, errorSchema]));
}

/** The error of a client that accepts nothing of what is available. */
export const notAcceptableSchema = Type.Object({
  ...errorSchema.properties,
  available: Type.Array(Type.String(), { description: 'What there is.' }),
});

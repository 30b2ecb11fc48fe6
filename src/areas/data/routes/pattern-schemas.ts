/** What the routes accept and return that are the same for every collection: described once for all. */

import { Type } from 'typebox';
import { exactQuery } from '../../../http/body/exact-query.js';
import { errorSchema } from '../../../kit/describe/error-schema.js';
import { maxChangesWaitSeconds } from '../read/change-handlers.js';
import { batchMethods, maxOperations } from '../write/batch.js';
import { writeParameters } from './described-headers.js';

const anyId = Type.Union([Type.Integer(), Type.String({ minLength: 1, maxLength: 100 })]);

const operationSchema = Type.Object(
  {
    method: Type.String({ enum: [...batchMethods] }),
    id: Type.Optional(anyId),
    body: Type.Optional(
      Type.Unknown({
        description: 'A record, or for PATCH a merge patch or an array: a JSON patch.',
      }),
    ),
    ifMatch: Type.Optional(
      Type.String({ maxLength: 1000, description: 'As the header If-Match.' }),
    ),
  },
  { title: 'BatchOperation' },
);

const resultsSchema = Type.Object(
  {
    results: Type.Array(
      Type.Object({
        status: Type.Integer({ description: 'The response to the operation alone.' }),
        body: Type.Unknown({ description: 'The record or the error; null where there is none.' }),
      }),
    ),
  },
  { title: 'BatchResults' },
);

const changeSchema = Type.Object(
  {
    id: anyId,
    kind: Type.String({ enum: ['created', 'updated', 'deleted'] }),
    at: Type.String({ format: 'date-time' }),
    record: Type.Unknown({ description: 'As it has become; as it was last, when it was deleted.' }),
  },
  { title: 'RecordChange' },
);

const batch = {
  summary: 'Write several records in one request',
  description:
    'The same at every collection. Each on its own, or with atomic all or none: then the first that fails is the response to the whole, with its index.',
  describedAs: '/api/Books/batch',
  body: Type.Object(
    {
      operations: Type.Array(operationSchema, { maxItems: maxOperations }),
      atomic: Type.Optional(Type.Boolean({ default: false })),
    },
    { title: 'Batch' },
  ),
  described: writeParameters.batch,
  response: {
    200: resultsSchema,
    207: resultsSchema,
    400: errorSchema,
    404: errorSchema,
    413: errorSchema,
    415: errorSchema,
  },
};

const changes = {
  summary: 'List what has changed since a token',
  description:
    'The same at every collection. One entry for each record, the last change of each last. Without since the token of now alone. Records in the trash count as deleted.',
  describedAs: '/api/Books/changes',
  querystring: exactQuery({
    since: Type.Optional(Type.String({ description: 'The token of an earlier response.' })),
    wait: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: maxChangesWaitSeconds,
        description: 'How many seconds to wait for a change, when there is none.',
      }),
    ),
  }),
  response: {
    200: Type.Object(
      { changes: Type.Array(changeSchema), token: Type.String() },
      { title: 'RecordChanges' },
    ),
    400: errorSchema,
    410: errorSchema,
  },
};

export const patternSchemas = { batch, changes };

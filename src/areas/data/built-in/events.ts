/** The events resource: concerts, conferences, races and what else people buy tickets for. */

import { Type } from 'typebox';
import { errorSchema } from '../../../kit/describe/error-schema.js';
import { compareValues } from '../read/match-field.js';
import { parameterFault, type Query } from '../read/read-list-query.js';
import { readTimestamp, timestampForm } from '../read/read-timestamp.js';
import { listHeaders } from '../routes/described-headers.js';
import { everyFormat, readErrors } from '../routes/response-schemas.js';
import { faultyFields } from '../source/faulty-fields.js';
import type { CollectionExtras } from './declare-collection.js';
import { eventExamples } from './event-examples.js';
import { entityTagFlow } from './sample-requests.js';

const path = '/api/Events';

export const events: CollectionExtras = {
  examples: eventExamples,
  flows: [entityTagFlow],

  addViews(app, { recordSchema, listParameters, all, sendList }, { sandboxOf }) {
    app.get(
      `${path}/upcoming`,
      {
        get schema() {
          return {
            summary: 'List the events that have not begun',
            description:
              'From now on, or from the time in `from`. Supports every parameter of the list.',
            querystring: Type.Object({
              from: Type.Optional(Type.String({ description: `Takes ${timestampForm}.` })),
              ...listParameters(),
            }),
            response: {
              200: everyFormat(Type.Array(recordSchema()), 'The events.'),
              ...readErrors,
              414: errorSchema,
            },
            responseHeaders: { 200: listHeaders },
          };
        },
        validatorCompiler: () => () => true,
      },
      async (request, reply) => {
        const { from } = request.query as Query;
        if (Array.isArray(from))
          throw faultyFields([parameterFault('from', 'must be given once', from)]);
        const fromTime =
          from === undefined
            ? new Date(await sandboxOf(request).now()).toISOString()
            : readTimestamp(String(from));
        if (fromTime === undefined) {
          throw faultyFields([parameterFault('from', `must be ${timestampForm}`, from)]);
        }
        const records = (await all(request)).filter((event) => String(event.startsAt) >= fromTime);
        records.sort((a, b) =>
          compareValues('timestamp', a.startsAt as string, b.startsAt as string),
        );
        return sendList(request, reply, {
          records,
          path: `${path}/upcoming`,
          alsoTaken: ['from'],
        });
      },
    );
  },
};

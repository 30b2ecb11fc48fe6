/** The events resource: concerts, conferences, races and what else people buy tickets for. */

import { Type } from 'typebox';
import { declarations } from '../../data/records.js';
import { errorSchema } from '../../server/error-schema.js';
import { entityTagFlow } from './collection.js';
import { listHeaders } from './described-headers.js';
import { eventExamples } from './event-examples.js';
import { compareValues } from './match-field.js';
import { faultyParameters, parameterFault, type Query } from './read-list-query.js';
import { readTimestamp, timestampForm } from './read-timestamp.js';
import type { Resource } from './resource.js';

const path = '/api/Events';

export const events: Resource = {
  name: 'events',
  title: 'Events',
  path,
  noun: 'event',
  summary: 'A REST collection of events: filters, search, sorting, paging, entity tags and writes.',
  examples: eventExamples,
  flows: [entityTagFlow],
  record: declarations.events,

  addViews(app, { recordSchema, listParameters, all, sendList }, { sandboxOf }) {
    app.get(
      `${path}/upcoming`,
      {
        schema: {
          summary: 'Lists the events that have not begun, the next one first',
          description:
            'From now on, or from the time that `from` says. Takes every parameter of the list.',
          querystring: Type.Object({
            from: Type.Optional(Type.String({ description: `Takes ${timestampForm}.` })),
            ...listParameters,
          }),
          response: { 200: Type.Array(recordSchema), 400: errorSchema, 414: errorSchema },
          responseHeaders: { 200: listHeaders },
        },
        validatorCompiler: () => () => true,
      },
      async (request, reply) => {
        const { from } = request.query as Query;
        if (Array.isArray(from))
          throw faultyParameters([parameterFault('from', 'may be given once')]);
        const fromTime =
          from === undefined
            ? new Date(await sandboxOf(request).now()).toISOString()
            : readTimestamp(String(from));
        if (fromTime === undefined) {
          throw faultyParameters([parameterFault('from', `takes ${timestampForm}`)]);
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

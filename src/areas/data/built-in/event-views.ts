/** The path that only events have: those that have not begun. */

import { Type } from 'typebox';
import { failures } from '../../../http/schemas/error-schema.js';
import type { App } from '../../../kit/app.js';
import { compareValues } from '../read/match-field.js';
import { sendList } from '../read/read-records.js';
import { readTimestamp, timestampForm } from '../read/read-timestamp.js';
import { readsItself } from '../routes/add-collection.js';
import { listHeaders } from '../routes/described-headers.js';
import { everyFormat, readErrors } from '../routes/record-formats.js';
import type { Call } from '../source/call.js';
import { faultyFields, parameterFault } from '../source/faults.js';
import type { ViewParts } from './declared-collection.js';

const path = '/api/Events/upcoming';

export function addEventViews(app: App, { serve, recordSchema, listParameters }: ViewParts): void {
  app.get(
    path,
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
            ...failures(414),
          },
          responseHeaders: { 200: listHeaders },
        };
      },
      ...readsItself,
    },
    serve(listUpcoming),
  );
}

async function listUpcoming(call: Call) {
  const from = await readFrom(call);
  const events = await call.read((records) => records.list());
  const records = events
    .filter((event) => String(event.startsAt) >= from)
    .sort((a, b) => compareValues('timestamp', String(a.startsAt), String(b.startsAt)));
  return sendList(call, { records, path, alsoAccepted: ['from'] });
}

async function readFrom({ query: { from }, sandbox }: Call): Promise<string> {
  if (from === undefined) return new Date(await sandbox.now()).toISOString();
  if (Array.isArray(from)) throw faultyFields([parameterFault('from', 'must be given once', from)]);
  const time = readTimestamp(String(from));
  if (time === undefined)
    throw faultyFields([parameterFault('from', `must be ${timestampForm}`, from)]);
  return time;
}

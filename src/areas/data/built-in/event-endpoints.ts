/** The endpoint that only events have: those that have not begun. */

import { Type } from 'typebox';
import { wholeRecord } from '../../../data/declare-record.js';
import { declarations } from '../../../data/records.js';
import { failures } from '../../../kit/describe/error-schema.js';
import { endpoint, open } from '../../../kit/endpoint.js';
import { type Collection, serve } from '../endpoints/collection-endpoints.js';
import { listQuery } from '../endpoints/parameters.js';
import { everyFormat, listHeaders, readErrors } from '../endpoints/responses.js';
import { compareValues } from '../read/match-field.js';
import { sendList } from '../read/read-records.js';
import { readTimestamp, timestampForm } from '../read/read-timestamp.js';
import type { Call } from '../source/call.js';
import { faultyFields, parameterFault } from '../source/faults.js';

const path = '/api/Events/upcoming';

export const eventEndpoints = (of: Collection) => [
  endpoint('GET', path, () => ({
    summary: 'List the events that have not begun',
    description: 'From now on, or from the time in `from`. Supports every parameter of the list.',
    query: open({
      from: Type.Optional(Type.String({ description: `Takes ${timestampForm}.` })),
      ...listQuery(of.schemas.filters(), []),
    }),
    responses: {
      200: everyFormat(Type.Array(wholeRecord(declarations.events)), 'The events.'),
      ...readErrors,
      ...failures(414),
    },
    responseHeaders: { 200: listHeaders },
    validatesItself: true,
    handle: serve(of, listUpcoming),
  })),
];

async function listUpcoming(call: Call) {
  const from = await readFrom(call);
  const events = await call.read((records) => records.list());
  const records = events
    .filter((event) => String(event.startsAt) >= from)
    .sort((a, b) => compareValues('timestamp', String(a.startsAt), String(b.startsAt)));
  return sendList(call, { records, path, alsoAccepted: ['from'] });
}

async function readFrom({ query: { from }, request }: Call): Promise<string> {
  if (from === undefined) return new Date(await request.sandbox.now()).toISOString();
  if (Array.isArray(from)) throw faultyFields([parameterFault('from', 'must be given once', from)]);
  const time = readTimestamp(String(from));
  if (time !== undefined) return time;
  throw faultyFields([parameterFault('from', `must be ${timestampForm}`, from)]);
}

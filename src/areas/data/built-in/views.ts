/** Endpoints that only books and events have. */

import { Type } from 'typebox';
import { readTimestamp, timestampForm } from '#base/text/read-timestamp.js';
import { toIsbn13, writtenIsbnFault } from '#data/check-isbn.js';
import { wholeRecord } from '#data/record-schemas.js';
import { declarations } from '#data/records.js';
import { HttpError } from '#http/http-error.js';
import { failures } from '#http/schemas/error-schema.js';
import { endpoint, open } from '#kit/endpoint.js';
import { type Collection, serve } from '../endpoints/collection.js';
import {
  listQuery,
  readPreconditions,
  recordQuery,
  withFewFilters,
} from '../endpoints/parameters.js';
import { errors, everyFormat, headers } from '../endpoints/responses.js';
import { compareValues } from '../read/match-field.js';
import { sendFound, sendList } from '../read/read-records.js';
import { faultyFields, parameterFault } from '../source/faults.js';
import type { Call } from '../source/source.js';

export const bookViews = (of: Collection) => [
  listValues(of, 'genres', 'genre'),
  listValues(of, 'authors', 'author'),
  findByIsbn(of),
];

const listValues = (of: Collection, segment: string, field: string) =>
  endpoint('GET', `${of.path}/${segment}`, {
    summary: `List every ${field}, in alphabetical order`,
    description: `Each is a value for \`?${field}=\` on the list of books.`,
    responses: { 200: Type.Array(Type.String()) },
    handle: serve(of, async (call) => {
      const books = await call.read((records) => records.list());
      const values = new Set(books.map((book) => String(book[field])));
      return [...values].sort((a, b) => a.localeCompare(b, 'en'));
    }),
  });

const findByIsbn = (of: Collection) =>
  endpoint('GET', `${of.path}/isbn/:isbn`, () => ({
    summary: 'Find a book by its ISBN',
    description: 'Accepts ISBN-13 and ISBN-10, with or without hyphens.',
    params: { isbn: Type.String({ description: 'Such as 978-0-7475-3269-9.' }) },
    headers: readPreconditions,
    query: recordQuery([]),
    responses: { 200: of.schemas.read(), 304: Type.Null(), ...errors.read, ...failures(404, 412) },
    responseHeaders: headers.read,
    handle: serve(of, sendByIsbn),
  }));

async function sendByIsbn(call: Call) {
  const { isbn: sent } = call.request.params as { readonly isbn: string };
  const isbn = toIsbn13(sent);
  const fault = writtenIsbnFault(sent);
  if (fault !== undefined) throw new HttpError(400, `The ISBN ${sent} ${fault}.`);
  const books = await call.read((records) => records.list());
  const book = books.find((each) => each.isbn === isbn);
  if (book !== undefined) return sendFound(call, book);
  const { path } = call.source;
  throw new HttpError(404, `There is no book with the ISBN ${isbn}. GET ${path} lists all.`);
}

const upcoming = '/api/Events/upcoming';

export const eventViews = (of: Collection) => [
  endpoint('GET', upcoming, () => ({
    summary: 'List upcoming events',
    description:
      'Events from now on, or from the time in `from`. Supports every parameter of the list.',
    query: open({
      from: Type.Optional(Type.String({ description: `Accepts ${timestampForm}.` })),
      ...listQuery(withFewFilters(of.schemas.filters()), []),
    }),
    responses: {
      200: everyFormat(Type.Array(wholeRecord(declarations.events)), 'The events.'),
      ...errors.read,
      ...failures(414),
    },
    responseHeaders: { 200: headers.list },
    validation: 'own',
    handle: serve(of, listUpcoming),
  })),
];

async function listUpcoming(call: Call) {
  const from = await readFrom(call);
  const events = await call.read((records) => records.list());
  const records = events
    .filter((event) => String(event.startsAt) >= from)
    .sort((a, b) => compareValues('timestamp', String(a.startsAt), String(b.startsAt)));
  return sendList(call, { records, path: upcoming, alsoAccepted: ['from'] });
}

async function readFrom({ query: { from }, request }: Call): Promise<string> {
  if (from === undefined) return new Date(await request.sandbox.now()).toISOString();
  if (Array.isArray(from)) throw faultyFields([parameterFault('from', 'must be given once', from)]);
  const time = readTimestamp(String(from));
  if (time !== undefined) return time;
  throw faultyFields([parameterFault('from', `must be ${timestampForm}`, from)]);
}

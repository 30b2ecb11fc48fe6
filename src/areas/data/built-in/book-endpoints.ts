/** The endpoints that only books have: every genre and author, and a book by its ISBN. */

import { Type } from 'typebox';
import { toIsbn13, writtenIsbnFault } from '../../../data/check-isbn.js';
import { HttpError } from '../../../http/http-error.js';
import { failures } from '../../../kit/describe/error-schema.js';
import { endpoint } from '../../../kit/endpoint.js';
import { type Collection, serve } from '../endpoints/collection-endpoints.js';
import { readPreconditions, recordQuery } from '../endpoints/parameters.js';
import { readErrors, readHeaders } from '../endpoints/responses.js';
import { sendFound } from '../read/read-records.js';
import type { Call } from '../source/call.js';

export const bookEndpoints = (of: Collection) => [
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
    description: 'Takes ISBN-13 and ISBN-10, with or without hyphens.',
    params: { isbn: Type.String({ description: 'Such as 978-0-7475-3269-9.' }) },
    headers: readPreconditions,
    query: recordQuery([]),
    responses: {
      200: of.schemas.read(),
      304: Type.Null(),
      ...readErrors,
      ...failures(404, 412),
    },
    responseHeaders: readHeaders,
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

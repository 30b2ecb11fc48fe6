/** The paths that only books have: every genre and author, and a book by its ISBN. */

import { Type } from 'typebox';
import { toIsbn13, writtenIsbnFault } from '../../../data/check-isbn.js';
import { HttpError } from '../../../http/http-error.js';
import { failures } from '../../../http/schemas/error-schema.js';
import type { App } from '../../../kit/app.js';
import { sendFound } from '../read/read-records.js';
import { readHeaders, readPreconditions } from '../routes/described-headers.js';
import { recordQuery } from '../routes/query-schemas.js';
import { everyFormat, readErrors } from '../routes/record-formats.js';
import type { Call } from '../source/call.js';
import type { ViewParts } from './declared-collection.js';

const path = '/api/Books';

export function addBookViews(app: App, { serve, recordSchema }: ViewParts): void {
  for (const [segment, field] of [
    ['genres', 'genre'],
    ['authors', 'author'],
  ] as const) {
    const schema = {
      summary: `List every ${field}, in alphabetical order`,
      description: `Each is a value for \`?${field}=\` on the list of books.`,
      response: { 200: Type.Array(Type.String()) },
    };
    const handle = async (call: Call) => {
      const books = await call.read((records) => records.list());
      const values = new Set(books.map((book) => String(book[field])));
      return [...values].sort((a, b) => a.localeCompare(b, 'en'));
    };
    app.get(`${path}/${segment}`, { schema }, serve(handle));
  }

  app.get(
    `${path}/isbn/:isbn`,
    {
      get schema() {
        return {
          summary: 'Find a book by its ISBN',
          description: 'Takes ISBN-13 and ISBN-10, with or without hyphens.',
          params: Type.Object({
            isbn: Type.String({ description: 'Such as 978-0-7475-3269-9.' }),
          }),
          described: { headers: readPreconditions, querystring: recordQuery([]) },
          response: {
            200: everyFormat(recordSchema(), 'The book.'),
            304: Type.Null(),
            ...readErrors,
            ...failures(404, 412),
          },
          responseHeaders: readHeaders,
        };
      },
    },
    serve(findByIsbn),
  );
}

async function findByIsbn(call: Call) {
  const { isbn: sent } = call.request.params as { readonly isbn: string };
  const isbn = toIsbn13(sent);
  const fault = writtenIsbnFault(sent);
  if (fault !== undefined) throw new HttpError(400, `The ISBN ${sent} ${fault}.`);
  const books = await call.read((records) => records.list());
  const book = books.find((each) => each.isbn === isbn);
  if (book === undefined) {
    throw new HttpError(404, `There is no book with the ISBN ${isbn}. GET ${path} lists all.`);
  }
  return sendFound(call, book);
}

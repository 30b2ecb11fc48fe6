/** Books: the same records as the GraphQL type Book. */

import { Type } from 'typebox';
import { toIsbn13, writtenIsbnFault } from '../../../data/check-isbn.js';
import { HttpError } from '../../../http/http-error.js';
import { errorSchema } from '../../../kit/describe/error-schema.js';
import { readHeaders, readPreconditions } from '../routes/described-headers.js';
import { recordQuery } from '../routes/query-schemas.js';
import { everyFormat, readErrors } from '../routes/response-schemas.js';
import { bookExamples } from './book-examples.js';
import type { CollectionExtras } from './declare-collection.js';

const path = '/api/Books';

export const books: CollectionExtras = {
  examples: bookExamples,
  flows: [],
  presets: [{ title: 'a book', method: 'GET', path: `${path}/19` }],

  addViews(app, { recordSchema, all, sendRecord }) {
    for (const [segment, field] of [
      ['genres', 'genre'],
      ['authors', 'author'],
    ] as const) {
      app.get(
        `${path}/${segment}`,
        {
          schema: {
            summary: `List every ${field}, in alphabetical order`,
            description: `Each is a value for \`?${field}=\` on the list of books.`,
            response: { 200: Type.Array(Type.String()) },
          },
        },
        async (request) => {
          const values = new Set((await all(request)).map((book) => String(book[field])));
          return [...values].sort((a, b) => a.localeCompare(b, 'en'));
        },
      );
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
              404: errorSchema,
              412: errorSchema,
            },
            responseHeaders: readHeaders,
          };
        },
      },
      async (request, reply) => {
        const isbn = toIsbn13(request.params.isbn);
        const fault = writtenIsbnFault(request.params.isbn);
        if (fault !== undefined) {
          throw new HttpError(400, `The ISBN ${request.params.isbn} ${fault}.`);
        }
        const book = (await all(request)).find((each) => each.isbn === isbn);
        if (book === undefined) {
          throw new HttpError(
            404,
            `There is no book with the ISBN ${isbn}. GET ${path} lists all.`,
          );
        }
        return sendRecord(request, reply, book);
      },
    );
  },
};

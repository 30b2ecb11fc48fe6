/** Real books, each in one edition. */

import { Type } from 'typebox';
import { gotValue } from '#base/text/got-value.js';
import { isbnFault, toIsbn13 } from '../check-isbn.js';
import { declareRecord } from '../declare-record.js';
import { decimalNumber, money, readBy, tags, text } from '../field-types.js';

export const books = declareRecord(
  'Book',
  {
    title: text(200),
    /** Commas separate several authors. */
    author: text(200),
    // A rule checks its form, because a schema cannot compute the check digit.
    isbn: readBy(toIsbn13, Type.String({ description: 'ISBN-13: 13 digits without hyphens.' })),
    genre: text(60, { default: 'Other' }),
    /** First publication of the work, often before the edition. */
    publishedYear: Type.Integer({ minimum: -3000, maximum: 2100 }),
    pages: Type.Integer({ minimum: 1, maximum: 100_000 }),
    /** English name of the language. */
    language: text(60, { default: 'English' }),
    price: money({ default: 0 }),
    rating: decimalNumber({ minimum: 0, maximum: 5, default: 0 }),
    available: Type.Boolean({ default: true }),
    tags: tags(),
  },
  {
    checkRules: ({ isbn }) => {
      const fault = isbn === undefined ? undefined : isbnFault(isbn);
      return fault === undefined
        ? []
        : [{ field: 'isbn', message: `isbn ${fault}${gotValue('isbn', isbn)}.` }];
    },
  },
);

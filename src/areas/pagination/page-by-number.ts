/** Numbered pages from 0 in an envelope, as in the Spring framework. */

import { Type } from 'typebox';
import { defineStyle, itemSchema, pageSize, position } from './pagination-style.js';

export const pageStyle = defineStyle({
  name: 'page',
  summary: 'Numbered pages from 0, in an envelope that describes the page.',
  parameters: {
    page: position(0, 'The page, from 0.'),
    size: pageSize('Items per page.'),
  },
  response: Type.Object({
    content: Type.Array(itemSchema),
    pageable: Type.Object({
      pageNumber: Type.Integer(),
      pageSize: Type.Integer(),
      offset: Type.Integer(),
      paged: Type.Boolean(),
    }),
    totalElements: Type.Integer(),
    totalPages: Type.Integer(),
    number: Type.Integer(),
    size: Type.Integer(),
    numberOfElements: Type.Integer(),
    first: Type.Boolean(),
    last: Type.Boolean(),
    empty: Type.Boolean(),
  }),
  examples: { 'A page': { query: { size: 2 } }, 'Out of range': { query: { size: 101 } } },
  page(items, { page, size }) {
    const offset = page * size;
    const content = items.slice(offset, offset + size);
    const totalPages = Math.ceil(items.length / size);
    return {
      body: {
        content,
        pageable: { pageNumber: page, pageSize: size, offset, paged: true },
        totalElements: items.length,
        totalPages,
        number: page,
        size,
        numberOfElements: content.length,
        first: page === 0,
        last: page >= totalPages - 1,
        empty: content.length === 0,
      },
    };
  },
});

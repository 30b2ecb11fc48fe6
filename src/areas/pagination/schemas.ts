/** What the routes of pagination accept and return. */

import { Type } from 'typebox';
import { errorSchema } from '../../kit/describe/error-schema.js';
import { faultParameters } from '../../kit/describe/fault-parameters.js';
import { halContentType, halItemSchema } from './page-by-hal.js';
import type { PaginationStyle } from './pagination-style.js';

const indexSchema = Type.Object({
  total: Type.Integer({ description: 'How many items there are.' }),
  styles: Type.Array(
    Type.Object({
      name: Type.String(),
      summary: Type.String(),
      url: Type.String(),
      parameters: Type.Array(Type.String()),
    }),
  ),
});

export const listStyles = {
  summary: 'List the pagination styles',
  description: 'Each with its address and parameters.',
  response: { 200: indexSchema },
};

export const readPage = (style: PaginationStyle<never>, itemCount: number) => ({
  summary: `Get a page in the style ${style.name}`,
  description: `${style.summary} Always of the same ${itemCount} items, which nothing changes.`,
  querystring: Type.Object(
    { ...style.parameters, ...faultParameters },
    { additionalProperties: false },
  ),
  response: { 200: bodyOf(style.response, style.contentType), 400: errorSchema },
  ...(style.responseHeaders && { responseHeaders: { 200: style.responseHeaders } }),
});

export const readItem = (itemCount: number) => ({
  summary: 'Get an item, with its links',
  description: 'One of the items that every style pages through.',
  params: Type.Object({
    id: Type.Integer({
      maximum: Number.MAX_SAFE_INTEGER,
      description: `From 1 to ${itemCount}.`,
    }),
  }),
  response: { 200: bodyOf(halItemSchema, halContentType), 400: errorSchema, 404: errorSchema },
});

function bodyOf(schema: object, contentType: string | undefined) {
  return contentType === undefined ? schema : { content: { [contentType]: { schema } } };
}

/** Offset and limit: how many items to skip, and how many to return. */

import { Type } from 'typebox';
import { totalCount } from '#http/schemas/header-schemas.js';
import { defineStyle, itemSchema, pageSize, position } from './pagination-style.js';

export const offsetStyle = defineStyle({
  name: 'offset',
  summary: 'Offset and limit, with the total.',
  parameters: {
    offset: position(0, 'Items to skip.'),
    limit: pageSize('Items per page.'),
  },
  response: Type.Object({
    data: Type.Array(itemSchema),
    pagination: Type.Object({
      offset: Type.Integer(),
      limit: Type.Integer(),
      total: Type.Integer(),
      hasMore: Type.Boolean(),
    }),
  }),
  responseHeaders: totalCount,
  examples: { 'A page': { query: { limit: 2 } }, 'Out of range': { query: { limit: 0 } } },
  page(items, { offset, limit }) {
    const total = items.length;
    return {
      body: {
        data: items.slice(offset, offset + limit),
        pagination: { offset, limit, total, hasMore: offset + limit < total },
      },
      headers: { 'x-total-count': String(total) },
    };
  },
});

/** Keyset pagination: the items after an id. Stays correct when items are added or deleted meanwhile. */

import { Type } from 'typebox';
import { defineStyle, itemSchema, pageSize, position } from './pagination-style.js';

export const keysetStyle = defineStyle({
  name: 'keyset',
  summary: 'The items after a known id.',
  parameters: {
    after_id: position(0, 'The id of the last item received; 0 for the first page.'),
    limit: pageSize('Items per page.'),
  },
  response: Type.Object({
    data: Type.Array(itemSchema),
    has_more: Type.Boolean(),
    next_after_id: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'The after_id of the next page; null on the last page.',
    }),
  }),
  examples: {
    'A page': { query: { limit: 2, after_id: 10 } },
    'Out of range': { query: { after_id: 'x' } },
  },
  page(items, { after_id: afterId, limit }) {
    const rest = items.filter(({ id }) => id > afterId);
    const data = rest.slice(0, limit);
    const hasMore = rest.length > limit;
    return {
      body: { data, has_more: hasMore, next_after_id: hasMore ? (data.at(-1)?.id ?? null) : null },
    };
  },
});

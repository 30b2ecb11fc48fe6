/** An opaque cursor: each page has the cursor of the next page, as in Stripe and Slack. */

import { Type } from 'typebox';
import { gotParameter } from '#base/text/got-value.js';
import { HttpError } from '#http/http-error.js';
import { member } from '#kit/request-collection.js';
import { defineStyle, itemSchema, pageSize } from './pagination-style.js';
import { openCursor, sealCursor } from './seal-cursor.js';

export const cursorStyle = defineStyle({
  name: 'cursor',
  summary: 'An opaque cursor from one page to the next.',
  parameters: {
    cursor: Type.Optional(
      Type.String({
        description: 'The next_cursor of the previous page; omit it for the first page.',
      }),
    ),
    limit: pageSize('Items per page.'),
  },
  response: Type.Object({
    object: Type.Literal('list'),
    url: Type.String({ description: 'The URL of the list.' }),
    data: Type.Array(itemSchema),
    has_more: Type.Boolean(),
    next_cursor: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The cursor of the next page; null on the last page.',
    }),
  }),
  examples: {
    'The first page': { query: { limit: 2 }, keeps: { cursor: member('next_cursor') } },
    'The next page': { query: { limit: 2, cursor: '{{cursor}}' } },
    'An invalid cursor': { query: { cursor: 'x' } },
  },
  page(items, { cursor, limit }, { url, cursorKey }) {
    // API clients that always send the parameter leave it empty for the first page.
    const afterId = cursor === undefined || cursor === '' ? 0 : openCursor(cursor, cursorKey);
    if (afterId === undefined) {
      const message =
        `cursor must be the next_cursor of an earlier page, unchanged${gotParameter('cursor', cursor)}. ` +
        'Omit it to begin with the first page.';
      throw new HttpError(400, message, { body: { errors: [{ field: 'cursor', message }] } });
    }
    const rest = items.filter(({ id }) => id > afterId);
    const data = rest.slice(0, limit);
    const last = data.at(-1);
    const hasMore = rest.length > limit && last !== undefined;
    return {
      body: {
        object: 'list',
        url,
        data,
        has_more: hasMore,
        next_cursor: hasMore ? sealCursor(last.id, cursorKey) : null,
      },
    };
  },
});

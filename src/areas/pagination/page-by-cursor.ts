/** An opaque cursor: each page hands out where the next one begins, as Stripe and Slack do. */

import { Type } from 'typebox';
import { gotParameter } from '../../base/text/got-value.js';
import { HttpError } from '../../http/http-error.js';
import { defineStyle, itemSchema, pageSize } from './pagination-style.js';
import { openCursor, sealCursor } from './seal-cursor.js';

export const cursorStyle = defineStyle({
  name: 'cursor',
  summary: 'An opaque cursor from one page to the next.',
  parameters: {
    cursor: Type.Optional(
      Type.String({ description: 'The next_cursor of the page before; none for the first page.' }),
    ),
    limit: pageSize('How many items to give.'),
  },
  response: Type.Object({
    object: Type.Literal('list'),
    url: Type.String({ description: 'The address of the list.' }),
    data: Type.Array(itemSchema),
    has_more: Type.Boolean(),
    next_cursor: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Where the next page begins; null on the last page.',
    }),
  }),
  page(items, { cursor, limit }, { url, cursorKey }) {
    // What is sent by hand is empty before the first page.
    const afterId = cursor === undefined || cursor === '' ? 0 : openCursor(cursor, cursorKey);
    if (afterId === undefined) {
      const message =
        `cursor must be the next_cursor of an earlier page, unchanged${gotParameter('cursor', cursor)}. ` +
        'Leave it out to begin with the first page.';
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

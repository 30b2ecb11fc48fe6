/** The links of a `Link` header (RFC 8288) beside a bare list, as GitHub does. */

import { Type } from 'typebox';
import { links, totalCount } from '../../http/schemas/header-schemas.js';
import { defineStyle, itemSchema, pageSize, position } from './pagination-style.js';

export const linkStyle = defineStyle({
  name: 'link',
  summary: 'A bare list, with the way to other pages in the Link header.',
  parameters: {
    page: position(1, 'The page, from 1.'),
    per_page: pageSize('How many items a page has.'),
  },
  response: Type.Array(itemSchema),
  responseHeaders: { ...links, ...totalCount },
  page(items, { page, per_page: perPage }, { url }) {
    const last = Math.max(1, Math.ceil(items.length / perPage));
    const targets = {
      first: 1,
      // From beyond the end the way back leads to the last page that has anything.
      ...(page > 1 && { prev: Math.min(page - 1, last) }),
      ...(page < last && { next: page + 1 }),
      last,
    };
    const links = Object.entries(targets).map(
      ([relation, target]) => `<${url}?page=${target}&per_page=${perPage}>; rel="${relation}"`,
    );
    return {
      body: items.slice((page - 1) * perPage, page * perPage),
      headers: { link: links.join(', '), 'x-total-count': String(items.length) },
    };
  },
});

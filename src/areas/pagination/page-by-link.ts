/** A plain list with a `Link` header (RFC 8288), as in GitHub. */

import { Type } from 'typebox';
import { linkHeader, pageUrls } from '#http/page-links.js';
import { links, totalCount } from '#http/schemas/header-schemas.js';
import { defineStyle, itemSchema, pageSize, position } from './pagination-style.js';

export const linkStyle = defineStyle({
  name: 'link',
  summary: 'A plain list, with links to other pages in the Link header.',
  parameters: {
    page: position(1, 'The page, from 1.'),
    per_page: pageSize('Items per page.'),
  },
  response: Type.Array(itemSchema),
  responseHeaders: { ...links, ...totalCount },
  examples: {
    'A page': { query: { per_page: 2, page: 2 } },
    'Out of range': { query: { page: 0 } },
  },
  page(items, { page, per_page: perPage }, { url }) {
    const last = Math.max(1, Math.ceil(items.length / perPage));
    const urls = pageUrls(page, last, (target) => `${url}?page=${target}&per_page=${perPage}`);
    return {
      body: items.slice((page - 1) * perPage, page * perPage),
      headers: { link: linkHeader(urls), 'x-total-count': String(items.length) },
    };
  },
});

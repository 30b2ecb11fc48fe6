/** Defects of the pagination styles. */

import { changeQuery, sentParameter } from '../change-request.js';
import { defectsOf } from '../defect.js';

const path = '/api/pagination';

export const paginationDefects = defectsOf('Pagination', {
  'page-last-too-early': {
    level: 'junior',
    kind: 'pagination',
    endpoints: [`GET ${path}/page`],
    wrong: 'last is true on the page before the last.',
    right: 'last is true only on the last page.',
    after(response) {
      const { json } = response;
      if (json?.totalPages >= 2 && json.number === json.totalPages - 2) {
        response.json = { ...json, last: true };
      }
    },
  },
  'offset-more-at-the-end': {
    level: 'junior',
    kind: 'pagination',
    endpoints: [`GET ${path}/offset`],
    wrong: 'hasMore is true on a page that ends with the last item.',
    right: 'hasMore is true only if items follow.',
    after(response) {
      const { json } = response;
      const { offset, limit, total } = json?.pagination ?? {};
      if (total !== undefined && offset + limit === total) {
        response.json = { ...json, pagination: { ...json.pagination, hasMore: true } };
      }
    },
  },
  'cursor-skips-an-item': {
    level: 'middle',
    kind: 'pagination',
    endpoints: [`GET ${path}/cursor`],
    wrong: 'A page with a cursor misses its first item.',
    right: 'The pages together have every item once.',
    after(response, request) {
      const { json } = response;
      if (!sentParameter(request, 'cursor') || !Array.isArray(json?.data)) return;
      response.json = { ...json, data: json.data.slice(1) };
    },
  },
  'keyset-repeats-an-item': {
    level: 'junior',
    kind: 'pagination',
    endpoints: [`GET ${path}/keyset`],
    wrong: 'A page begins with the item of after_id.',
    right: 'A page begins with the item after after_id.',
    before: changeQuery((query) => {
      const afterId = query.get('after_id');
      if (afterId !== null && /^[1-9]\d{0,5}$/.test(afterId)) {
        query.set('after_id', String(Number(afterId) - 1));
      }
    }),
  },
  'hal-next-missing': {
    level: 'junior',
    kind: 'pagination',
    endpoints: [`GET ${path}/hal`],
    wrong: 'The page before the last has no link next.',
    right: 'Every page but the last has a link next.',
    after(response) {
      const { json } = response;
      const { number, totalPages } = json?.page ?? {};
      if (totalPages === undefined || number !== totalPages - 2) return;
      const { next: _next, ...links } = json._links;
      response.json = { ...json, _links: links };
    },
  },
  'link-total-of-the-page': {
    level: 'junior',
    kind: 'pagination',
    endpoints: [`GET ${path}/link`],
    wrong: 'X-Total-Count is the number of items on the page.',
    right: 'X-Total-Count is the number of all items.',
    after(response) {
      const { json } = response;
      if (Array.isArray(json)) response.setHeader('x-total-count', String(json.length));
    },
  },
  'last-item-unknown': {
    level: 'junior',
    kind: 'pagination',
    endpoints: [`GET ${path}/items/:id`],
    wrong: 'The item 100 gets 404.',
    right: 'Items are numbered from 1 to 100.',
    input(request) {
      if ((request.params as { readonly id?: unknown }).id === 100) request.params = { id: 101 };
    },
  },
});

/** Hypermedia: pages and items that link to each other, in HAL (draft-kelly-json-hal). */

import { Type } from 'typebox';
import type { Item } from '#data/records.js';
import { defineStyle, itemSchema, pageSize, position } from './pagination-style.js';

export const halContentType = 'application/hal+json';

const linkSchema = Type.Object({ href: Type.String() });

export const halItemSchema = Type.Object(
  {
    ...itemSchema.properties,
    _links: Type.Object({ self: linkSchema, collection: Type.Optional(linkSchema) }),
  },
  { title: 'LinkedItem' },
);

export const halStyle = defineStyle({
  name: 'hal',
  summary: 'Hypermedia: every page and every item has links.',
  parameters: {
    page: position(0, 'The page, from 0.'),
    size: pageSize('Items per page.'),
  },
  response: Type.Object({
    _links: Type.Object({
      self: linkSchema,
      first: linkSchema,
      prev: Type.Optional(linkSchema),
      next: Type.Optional(linkSchema),
      last: linkSchema,
    }),
    page: Type.Object({
      size: Type.Integer(),
      totalElements: Type.Integer(),
      totalPages: Type.Integer(),
      number: Type.Integer(),
    }),
    _embedded: Type.Object({ items: Type.Array(halItemSchema) }),
  }),
  contentType: halContentType,
  examples: { 'A page': { query: { size: 2, page: 1 } }, 'Out of range': { query: { page: -1 } } },
  page(items, { page, size }, { url, itemsUrl }) {
    const totalPages = Math.ceil(items.length / size);
    const lastPage = Math.max(0, totalPages - 1);
    const linkTo = (target: number) => ({ href: `${url}?page=${target}&size=${size}` });
    const embedded = items
      .slice(page * size, (page + 1) * size)
      .map((item) => ({ ...item, _links: { self: { href: `${itemsUrl}${item.id}` } } }));
    return {
      body: {
        _links: {
          self: linkTo(page),
          first: linkTo(0),
          // Beyond the end, `prev` leads to the last page with items.
          ...(page > 0 && { prev: linkTo(Math.min(page - 1, lastPage)) }),
          ...(page < lastPage && { next: linkTo(page + 1) }),
          last: linkTo(lastPage),
        },
        page: { size, totalElements: items.length, totalPages, number: page },
        _embedded: { items: embedded },
      },
    };
  },
});

/** Returns one item, with a link back to the list. */
export function halItem(item: Item, itemsUrl: string, collectionUrl: string) {
  return {
    ...item,
    _links: { self: { href: `${itemsUrl}${item.id}` }, collection: { href: collectionUrl } },
  };
}

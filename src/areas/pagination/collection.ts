/** Pagination in exported request collections. */

import { type Flow, member, type RequestCollection } from '#kit/request-collection.js';

const pageSize = 40;

const flow: Flow = {
  title: 'Cursor pagination',
  description: 'Gets the first page, and then the next page until the last.',
  steps: [
    {
      id: 'cursorFirst',
      title: 'The first page of items',
      operationId: 'getPaginationCursor',
      request: { query: { limit: String(pageSize) } },
      status: 200,
      keeps: { nextCursor: member('next_cursor') },
      tests: `const ids = pm.response.json().data.map(({ id }) => id);
pm.collectionVariables.set('idsSeen', JSON.stringify(ids));
pm.test('a full page, and there are more', () => {
  pm.expect(ids).to.have.lengthOf(${pageSize});
  pm.expect(pm.response.json().has_more).to.eql(true);
});`,
    },
    {
      id: 'cursorNext',
      title: 'The next page of items, until the last',
      operationId: 'getPaginationCursor',
      request: { query: { limit: String(pageSize), cursor: '{{nextCursor}}' } },
      status: 200,
      tests: `const { data: items, has_more: hasMore, next_cursor: nextCursor } = pm.response.json();
const ids = JSON.parse(pm.variables.get('idsSeen') || '[]').concat(items.map(({ id }) => id));
pm.collectionVariables.set('idsSeen', JSON.stringify(ids));
if (hasMore) {
  pm.collectionVariables.set('nextCursor', nextCursor);
  const next = pm.execution && pm.execution.setNextRequest ? pm.execution : postman;
  next.setNextRequest(pm.info.requestName);
}
pm.test(hasMore ? 'there is more' : 'every item was seen once', () => {
  pm.expect(new Set(ids).size).to.eql(ids.length);
  if (!hasMore) pm.expect(ids).to.have.lengthOf(100);
});`,
    },
  ],
};

export const paginationCollection: RequestCollection = { flows: [flow] };

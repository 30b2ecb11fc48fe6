/** Calls of the REST collections. */

import { maxCreatedRows } from '../../../src/state/collection.js';
import type { Caller, CallTable } from '../caller.js';

const event = {
  name: 'Night of Open Libraries',
  category: 'Culture',
  city: 'Lyon',
  startsAt: '2027-03-12T18:00:00Z',
  endsAt: '2027-03-12T23:00:00Z',
  capacity: 200,
};

const book = {
  title: 'A Wizard of Earthsea',
  author: 'Ursula K. Le Guin',
  isbn: '9780547773742',
  genre: 'Fantasy',
  publishedYear: 1968,
  pages: 183,
};

/** Writes are made in a sandbox of their own, so that what is read elsewhere stays the same. */
const writer = { 'X-Sandbox': 'examples' };

export const callResources: CallTable = async (caller) => {
  const music = { category: 'Music', price_lte: 50 };
  await callCollection(caller, 'Events', event, music, { id: ['1', '2'] });
  const fantasy = { genre: 'Fantasy', rating_gte: 4 };
  await callCollection(caller, 'Books', book, fantasy, {
    id_in: ['1', '2,3'],
    q: ['the', 'tolkien'],
  });

  await caller.call('getEventsUpcoming', 'The next two', { query: { limit: 2 } });
  await caller.call('getEventsUpcoming', 'From a day on', {
    query: { from: '2027-01-01', limit: 1 },
  });
  await caller.call('getEventsUpcoming', 'No time', { query: { from: 'soon' } });
  await caller.call('getBooksGenres', 'All genres');
  await caller.call('getBooksAuthors', 'All authors');
  const path = { isbn: '978-0-7475-3269-9' };
  const { headers } = await caller.call('getBooksIsbnByIsbn', 'A book', { path });
  await caller.call('getBooksIsbnByIsbn', 'Known already', {
    path,
    headers: { 'If-None-Match': headers.etag ?? '' },
  });
  await caller.call('getBooksIsbnByIsbn', 'Another version', {
    path,
    headers: { 'If-Match': '"other"' },
  });
  await caller.call('getBooksIsbnByIsbn', 'A wrong check digit', {
    path: { isbn: '9780747532698' },
  });
  await caller.call('getBooksIsbnByIsbn', 'An unknown book', { path: { isbn: '9791090724563' } });
};

async function callCollection(
  caller: Caller,
  name: string,
  made: Record<string, string | number>,
  filters: Record<string, string | number>,
  several: Record<string, readonly string[]>,
): Promise<void> {
  await caller.call(`get${name}`, 'A page', { query: { limit: 2, page: 1 } });
  await caller.call(`get${name}`, 'Filtered and sorted', {
    query: { ...filters, sort: '-price', limit: 1 },
  });
  await caller.call(`get${name}`, 'Any of several', { query: several });
  await caller.call(`get${name}`, 'Not a number', { query: { limit: 'many' } });
  await caller.call(`get${name}Count`, 'All', {});
  await caller.call(`get${name}Count`, 'Filtered', { query: filters });
  await caller.call(`get${name}Count`, 'An unknown field', { query: { colour: 'red' } });

  const path = { id: 1 };
  const unknown = { id: 99999 };
  const one = `get${name}ById`;
  const { headers } = await caller.call(one, 'One', { path });
  const tag = headers.etag ?? '';
  await caller.call(one, 'Known already', { path, headers: { 'If-None-Match': tag } });
  await caller.call(one, 'Another version', { path, headers: { 'If-Match': '"other"' } });
  await caller.call(one, 'An unknown id', { path: unknown });
  await caller.call(one, 'No id', { path: { id: 'first' } });

  await caller.call(`post${name}`, 'A new one', { json: made, headers: writer });
  await caller.call(`post${name}`, 'Fields that are wrong', { json: { price: -1 } });
  const replace = `put${name}ById`;
  const ifMatch = { ...writer, 'If-Match': tag };
  await caller.call(replace, 'With its entity tag', { path, json: made, headers: ifMatch });
  await caller.call(replace, 'Changed meanwhile', { path, json: made, headers: ifMatch });
  await caller.call(replace, 'Fields that are wrong', { path, json: { price: 'much' } });
  await caller.call(replace, 'An unknown id', { path: unknown, json: made });
  const change = `patch${name}ById`;
  await caller.call(change, 'One field', { path, json: { price: 12.5 }, headers: writer });
  await caller.call(change, 'Changed meanwhile', { path, json: { price: 1 }, headers: ifMatch });
  await caller.call(change, 'A field that is wrong', { path, json: { price: -1 } });
  await caller.call(change, 'An unknown id', { path: unknown, json: { price: 1 } });
  const remove = `delete${name}ById`;
  await caller.call(remove, 'Changed meanwhile', { path, headers: ifMatch });
  await caller.call(remove, 'One', { path, headers: writer });
  await caller.call(remove, 'Once more', { path, headers: writer });

  const full = { headers: { 'X-Sandbox': `full-of-${name}` }, json: made };
  const batch = 100;
  for (let count = 0; count < maxCreatedRows; count += batch) {
    await Promise.all(Array.from({ length: batch }, () => caller.send(`post${name}`, full)));
  }
  await caller.call(`post${name}`, 'No more room', full);
}

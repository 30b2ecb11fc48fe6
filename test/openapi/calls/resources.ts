/** Calls of the REST collections. */

import type { JsonObject } from '../../../src/describe/openapi/json.js';
import { maxCreatedRows } from '../../../src/state/rows/dataset.js';
import { type NewRecord, newRecords } from '../../data/new-records.js';
import { isAlikeAnother } from '../alike.js';
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

export const callResources: CallTable = async (caller) => {
  for (const record of newRecords) {
    if (record.title !== 'Events' && record.title !== 'Books') await callAlike(caller, record);
  }
  await callFormats(caller);
  await callChildren(caller);
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
  await caller.call('getEventsUpcoming', 'An invalid time', { query: { from: 'soon' } });
  await caller.call('getBooksIsbnByIsbn', 'A book', { path: { isbn: '978-0-7475-3269-9' } });
  await caller.call('getBooksIsbnByIsbn', 'A wrong check digit', {
    path: { isbn: '9780747532698' },
  });
  await caller.call('getBooksIsbnByIsbn', 'An unknown book', { path: { isbn: '9791090724563' } });
};

const unknown = { id: 99999 };

/** Only the responses of reads and new records are kept: the responses of Events and Books represent the others. */
async function callAlike(caller: Caller, { title, sent, change }: NewRecord): Promise<void> {
  // The condition that companies require; it changes nothing elsewhere.
  const sandbox = `examples-of-${title}`;
  const headers = { 'X-Sandbox': sandbox, 'If-Match': '*' };
  const path = { id: 1 };
  const json = sent as JsonObject;
  const part = { path, headers, json: change as JsonObject };
  await caller.call(`get${title}`, 'A page', { query: { limit: 1 } });
  await caller.call(`get${title}ById`, 'One record', { path });
  await caller.call(`post${title}`, 'A new record', { headers: { 'X-Sandbox': sandbox }, json });
  await caller.call(`put${title}ById`, 'Changed', { path, headers, json });
  const isKept = !isAlikeAnother(`patch${title}ById`);
  await caller.call(
    `patch${title}ById`,
    'Changed',
    isKept ? part : { ...part, isRequestOnly: true },
  );
  await caller.call(`delete${title}ById`, 'One record', { path, headers });
  if (title === 'Todos') {
    await caller.call('getTodosById', 'In the trash', { path, headers, isNoExample: true });
    await caller.call('putTodosById', 'In the trash', { path, headers, json, isNoExample: true });
    await caller.call('patchTodosById', 'In the trash', { ...part, isNoExample: true });
    await caller.call('deleteTodosById', 'In the trash', { path, headers, isNoExample: true });
  }
}

/** A book in every format, and failures in other shapes. */
async function callFormats(caller: Caller): Promise<void> {
  for (const [name, accept] of [
    ['As CSV', 'text/csv'],
    ['As XML', 'application/xml'],
    ['As YAML', 'application/yaml'],
    ['As lines of JSON', 'application/x-ndjson'],
    ['As JSON:API', 'application/vnd.api+json'],
  ] as const) {
    const headers = { Accept: accept };
    await caller.call('getBooks', name, { query: { limit: 1 }, headers });
    await caller.call('getBooksById', name, { path: { id: 1 }, headers });
  }
  for (const [name, accept] of [
    ['An unknown id, as a problem', 'application/problem+json'],
    ['An unknown id, as JSON:API', 'application/vnd.api+json'],
  ] as const) {
    await caller.call('getBooksById', name, { path: unknown, headers: { Accept: accept } });
  }
}

const childPaths = [
  'UsersByIdPosts',
  'UsersByIdTodos',
  'UsersByIdAlbums',
  'AlbumsByIdPhotos',
  'CompaniesByIdEmployees',
  'EmployeesByIdReports',
];
const childOf = (path: string) =>
  newRecords.find(({ title }) => path.replace('Reports', 'Employees').endsWith(title));

async function callChildren(caller: Caller): Promise<void> {
  const path = { id: 1 };
  for (const name of childPaths) {
    const json = (childOf(name)?.sent ?? {}) as JsonObject;
    await caller.call(`get${name}`, 'A page', { path, query: { limit: 1 } });
    const { userId: _user, albumId: _album, companyId: _company, ...rest } = json;
    await caller.call(`post${name}`, 'A new record', {
      path,
      json: name === 'EmployeesByIdReports' ? json : rest,
      headers: { 'X-Sandbox': 'examples-below' },
    });
  }
}

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
  await caller.call(`get${name}Count`, 'Filtered', { query: filters });
  await caller.call(`get${name}Count`, 'An unknown field', { query: { colour: 'red' } });

  const path = { id: 1 };
  const own = { path, headers: { 'X-Sandbox': 'examples' } };
  await caller.call(`get${name}ById`, 'One record', { path });
  await caller.call(`get${name}ById`, 'An invalid id', { path: { id: 'first' } });
  await caller.call(`post${name}`, 'A new record', { headers: own.headers, json: made });
  await caller.call(`post${name}`, 'Invalid fields', { json: { price: -1 } });
  await caller.call(`put${name}ById`, 'One record', { ...own, json: made });
  await caller.call(`put${name}ById`, 'Invalid fields', { path, json: { price: 'much' } });
  await caller.call(`patch${name}ById`, 'One field', { ...own, json: { price: 12.5 } });
  await caller.call(`patch${name}ById`, 'An invalid field', { path, json: { price: -1 } });
  await caller.call(`delete${name}ById`, 'One record', own);

  const full = { headers: { 'X-Sandbox': `full-of-${name}` }, json: made };
  const batch = 100;
  for (let count = 0; count < maxCreatedRows; count += batch) {
    await Promise.all(Array.from({ length: batch }, () => caller.send(`post${name}`, full)));
  }
  await caller.call(`post${name}`, 'Too many records', full);
}

/** Calls of the REST collections. */

import type { JsonObject } from '../../../src/describe/openapi/json.js';
import { maxCreatedRows } from '../../../src/state/rows/dataset.js';
import { type NewRecord, newRecords } from '../../data/new-records.js';
import { isAlikeAnother } from '../alike.js';
import type { Caller, CallRequest, CallTable } from '../caller.js';

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

/** Writes use a separate sandbox, so that reads elsewhere stay the same. */
const writer = { 'X-Sandbox': 'examples' };

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
  await caller.call('getEventsUpcoming', 'An unsupported format', { ...strict, isNoExample: true });
  await caller.call('getBooksIsbnByIsbn', 'An unsupported format', {
    ...strict,
    path: { isbn: '978-0-7475-3269-9' },
    isNoExample: true,
  });
  await caller.call('getBooksGenres', 'All genres');
  await caller.call('getBooksAuthors', 'All authors');
  const path = { isbn: '978-0-7475-3269-9' };
  const { headers } = await caller.call('getBooksIsbnByIsbn', 'A book', { path });
  await caller.call('getBooksIsbnByIsbn', 'Not modified', {
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

const unknown = { id: 99999 };
const strict = { headers: { Accept: 'image/png', Prefer: 'handling=strict' } };

/** Every status that is not the same for all operations; for most, only accepted calls are kept. */
async function callAlike(caller: Caller, { title, sent, change }: NewRecord): Promise<void> {
  const writer = { 'X-Sandbox': `examples-of-${title}` };
  const path = { id: 1 };
  const json = sent as JsonObject;
  const part = change as JsonObject;
  const isKept = !isAlikeAnother(`get${title}`);
  async function ask(operation: string, name: string, request: CallRequest = {}) {
    const operationId = operation.replace('#', title);
    const response = await caller.send(operationId, request);
    const isExample = isKept || (response.status < 300 && operation !== 'patch#ById');
    caller.keep({
      operationId,
      name,
      request: {
        ...request,
        // Tools need an example of each body, but the response is like the response of Events.
        ...(!isExample &&
          (response.status < 300 ? { isRequestOnly: true } : { isNoExample: true })),
      },
      response,
    });
    return response;
  }
  await ask('get#', 'A page', { query: { limit: 1 } });
  await ask('get#', 'Not a number', { query: { limit: 'many' } });
  await ask('get#', 'An unsupported format', strict);
  await ask('get#', 'Too long a URL', { query: { q: 'a'.repeat(3000) } });
  await ask('get#Count', 'All records');
  await ask('get#Count', 'An unknown field', { query: { colour: 'red' } });
  const { headers } = await ask('get#ById', 'One record', { path });
  const known = { 'If-None-Match': headers.etag ?? '' };
  const stale = { headers: { ...writer, 'If-Match': '"other"' }, path };
  await ask('get#ById', 'Not modified', { path, headers: known });
  await ask('get#ById', 'Another version', stale);
  await ask('get#ById', 'An unknown id', { path: unknown });
  await ask('get#ById', 'An invalid id', { path: { id: 'first' } });
  await ask('get#ById', 'An unsupported format', { ...strict, path });
  const large = { announcedBytes: 10 * 1024 * 1024 + 1, type: 'application/json' };
  const other = { type: 'text/plain', body: 'Hello' };
  // The condition that companies require; it changes nothing elsewhere.
  const inWriter = { headers: { ...writer, 'If-Match': '*' } };
  const strictly = { headers: { ...inWriter.headers, ...strict.headers } };
  await ask('post#', 'A new record', { headers: writer, json });
  for (const [operation, body] of [
    ['post#', json],
    ['put#ById', json],
    ['patch#ById', part],
  ] as const) {
    const at = operation === 'post#' ? {} : { path };
    await ask(operation, 'Invalid fields', { ...at, json: { colour: 'red' } });
    await ask(operation, 'Too large a body', { ...at, ...large });
    await ask(operation, 'Another Content-Type', { ...at, ...other });
    await ask(operation, 'An unsupported format', { ...at, ...strictly, json: body });
    if (operation === 'post#') continue;
    await ask(operation, 'Changed', { ...inWriter, path, json: body });
    await ask(operation, 'A concurrent change', { ...stale, json: body });
    await ask(operation, 'An unknown id', { ...inWriter, path: unknown, json: body });
  }
  await ask('delete#ById', 'An invalid id', { path: { id: 'first' } });
  await ask('delete#ById', 'A concurrent change', stale);
  await ask('delete#ById', 'One record', { ...inWriter, path });
  await ask('delete#ById', 'Once more', { ...inWriter, path });
  await ask('delete#ById', 'An unknown id', { ...inWriter, path: unknown });
  if (title === 'Todos') {
    await ask('get#ById', 'In the trash', { ...inWriter, path });
    await ask('put#ById', 'In the trash', { ...inWriter, path, json });
    await ask('patch#ById', 'In the trash', { ...inWriter, path, json: part });
  }
  if (title === 'Companies') {
    for (const operation of ['put#ById', 'patch#ById', 'delete#ById']) {
      const body =
        operation === 'delete#ById' ? {} : { json: operation === 'put#ById' ? json : part };
      await ask(operation, 'Without a condition', { path, ...body });
    }
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
  await caller.call('getBooks', 'An unsupported format', strict);
  await caller.call('getBooksById', 'An unsupported format', { ...strict, path: { id: 1 } });
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
    const list = `get${name}`;
    const create = `post${name}`;
    // The options of one represent all.
    const kept = name === 'UsersByIdPosts' ? {} : ({ isNoExample: true } as const);
    await caller.call(list, 'A page', { path, query: { limit: 1 } });
    await caller.call(list, 'An unknown parent', { ...kept, path: unknown });
    await caller.call(list, 'Not a number', { ...kept, path, query: { limit: 'many' } });
    await caller.call(list, 'An unsupported format', { ...kept, ...strict, path });
    await caller.call(list, 'Too long a URL', {
      isNoExample: true,
      path,
      query: { q: 'a'.repeat(3000) },
    });
    const { userId: _user, albumId: _album, companyId: _company, ...rest } = json;
    const left = name === 'EmployeesByIdReports' ? json : rest;
    await caller.call(create, 'A new record', { path, json: left, headers: writerOfChildren });
    await caller.call(create, 'An unknown parent', { ...kept, path: unknown, json });
    await caller.call(create, 'Invalid fields', { ...kept, path, json: { colour: 'red' } });
    await caller.call(create, 'An unsupported format', {
      ...kept,
      path,
      json: left,
      headers: { ...writerOfChildren, ...strict.headers },
    });
  }
}

const writerOfChildren = { 'X-Sandbox': 'examples-below' };

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
  await caller.call(`get${name}`, 'An unsupported format', { ...strict, isNoExample: true });
  await caller.call(`get${name}ById`, 'An unsupported format', {
    ...strict,
    path: { id: 1 },
    isNoExample: true,
  });
  await caller.call(`get${name}`, 'Any of several', { query: several });
  await caller.call(`get${name}`, 'Not a number', { query: { limit: 'many' } });
  await caller.call(`get${name}Count`, 'All records', {});
  await caller.call(`get${name}Count`, 'Filtered', { query: filters });
  await caller.call(`get${name}Count`, 'An unknown field', { query: { colour: 'red' } });

  const path = { id: 1 };
  const one = `get${name}ById`;
  const { headers } = await caller.call(one, 'One record', { path });
  const tag = headers.etag ?? '';
  await caller.call(one, 'Not modified', { path, headers: { 'If-None-Match': tag } });
  await caller.call(one, 'Another version', { path, headers: { 'If-Match': '"other"' } });
  await caller.call(one, 'An unknown id', { path: unknown });
  await caller.call(one, 'An invalid id', { path: { id: 'first' } });

  await caller.call(`post${name}`, 'A new record', { json: made, headers: writer });
  await caller.call(`post${name}`, 'Invalid fields', { json: { price: -1 } });
  for (const [operation, at] of [
    [`post${name}`, {}],
    [`put${name}ById`, { path }],
    [`patch${name}ById`, { path }],
  ] as const) {
    const headers = { ...writer, ...strict.headers };
    const request = { ...at, headers, json: operation.startsWith('patch') ? { price: 3 } : made };
    await caller.call(operation, 'An unsupported format', { ...request, isNoExample: true });
  }
  const replace = `put${name}ById`;
  const ifMatch = { ...writer, 'If-Match': tag };
  await caller.call(replace, 'With its entity tag', { path, json: made, headers: ifMatch });
  await caller.call(replace, 'A concurrent change', { path, json: made, headers: ifMatch });
  await caller.call(replace, 'Invalid fields', { path, json: { price: 'much' } });
  await caller.call(replace, 'An unknown id', { path: unknown, json: made });
  const change = `patch${name}ById`;
  await caller.call(change, 'One field', { path, json: { price: 12.5 }, headers: writer });
  await caller.call(change, 'A concurrent change', { path, json: { price: 1 }, headers: ifMatch });
  await caller.call(change, 'An invalid field', { path, json: { price: -1 } });
  await caller.call(change, 'An unknown id', { path: unknown, json: { price: 1 } });
  const remove = `delete${name}ById`;
  await caller.call(remove, 'A concurrent change', { path, headers: ifMatch });
  await caller.call(remove, 'One record', { path, headers: writer });
  await caller.call(remove, 'Once more', { path, headers: writer });

  const full = { headers: { 'X-Sandbox': `full-of-${name}` }, json: made };
  const batch = 100;
  for (let count = 0; count < maxCreatedRows; count += batch) {
    await Promise.all(Array.from({ length: batch }, () => caller.send(`post${name}`, full)));
  }
  await caller.call(`post${name}`, 'Too many records', full);
}

/** Defects of lists: filters, sorting, pages and counts. */

import { changeQuery, isMembers, sentParameter } from '../change-request.js';
import { defectsOf } from '../defect.js';

const windowNames = ['limit', 'page', 'offset', 'sort', 'order', 'fields', 'embed', 'q', 'genre'];

/** Compares the texts of a field, as a database with a wrong column type does. */
function byText(name: string) {
  return (one: unknown, other: unknown) =>
    String(isMembers(one) ? one[name] : '').localeCompare(
      String(isMembers(other) ? other[name] : ''),
      'en',
    );
}

export const listDefects = defectsOf('Lists and filters', {
  'events-page-skipped': {
    level: 'junior',
    kind: 'pagination',
    endpoints: ['GET /api/Events'],
    wrong: 'A page from 2 on has the records of the page after it.',
    right: 'Pages are numbered from 1.',
    before: changeQuery((query) => {
      const page = Number(query.get('page'));
      if (query.has('limit') && page >= 2) query.set('page', String(page + 1));
    }),
    after(response, request) {
      const page = sentParameter(request, 'page');
      if (page !== undefined && response.header('x-page') !== undefined) {
        response.setHeader('x-page', page);
      }
    },
  },
  'books-genre-ignored': {
    level: 'junior',
    kind: 'filtering',
    endpoints: ['GET /api/Books'],
    wrong: 'The filter genre is ignored if the request has another filter.',
    right: 'Several filters all apply.',
    before: changeQuery((query) => {
      if ([...query.keys()].some((name) => !windowNames.includes(name))) query.delete('genre');
    }),
  },
  'products-descending-ignored': {
    level: 'junior',
    kind: 'filtering',
    endpoints: ['GET /api/Products'],
    wrong: 'Sorts in ascending order, whatever sort and order request.',
    right: 'A - before a field in sort, or order=desc, sorts in descending order.',
    before: changeQuery((query) => {
      const sort = query.get('sort');
      if (sort !== null) query.set('sort', sort.replaceAll(/(^|,)-/g, '$1'));
      if (query.get('order') === 'desc') query.delete('order');
    }),
  },
  'movies-numbers-sorted-as-text': {
    level: 'junior',
    kind: 'filtering',
    endpoints: ['GET /api/Movies'],
    wrong: 'Sorting by one numeric field without a limit compares its values as texts.',
    right: 'Numbers are sorted by their value.',
    after(response, request) {
      const sort = sentParameter(request, 'sort');
      if (sort === undefined || sentParameter(request, 'limit') !== undefined) return;
      const name = sort.replace(/^-/, '');
      const { json } = response;
      if (!Array.isArray(json) || typeof json[0]?.[name] !== 'number') return;
      const sorted = json.sort(byText(name));
      response.json = sort.startsWith('-') ? sorted.reverse() : sorted;
    },
  },
  'users-total-one-more': {
    level: 'junior',
    kind: 'headers',
    endpoints: ['GET /api/Users'],
    wrong: 'X-Total-Count is one more than the number of records.',
    right: 'X-Total-Count is the number of matching records on all pages.',
    after(response) {
      const total = response.header('x-total-count');
      if (total !== undefined) response.setHeader('x-total-count', String(Number(total) + 1));
    },
  },
  'posts-limit-exceeded': {
    level: 'junior',
    kind: 'pagination',
    endpoints: ['GET /api/Posts'],
    wrong: 'Returns one record more than limit.',
    right: 'limit is the maximum number of records.',
    before: changeQuery((query) => {
      const limit = query.get('limit');
      if (limit !== null && /^[1-9]\d?$/.test(limit)) query.set('limit', String(Number(limit) + 1));
    }),
    after(response, request) {
      const limit = sentParameter(request, 'limit');
      if (limit === undefined || response.header('x-per-page') === undefined) return;
      response.setHeader('x-per-page', limit);
      const link = response.header('link');
      if (link !== undefined) {
        response.setHeader('link', link.replaceAll(/([?&]limit=)\d+/g, `$1${limit}`));
      }
    },
  },
  'countries-search-by-case': {
    level: 'junior',
    kind: 'filtering',
    endpoints: ['GET /api/Countries'],
    wrong: 'q finds only texts with the same upper and lower case.',
    right: 'q searches case-insensitively.',
    after(response, request) {
      const sought = sentParameter(request, 'q');
      const { json } = response;
      if (sought === undefined || !Array.isArray(json)) return;
      response.json = json.filter((record) => JSON.stringify(record).includes(sought));
    },
  },
  'people-fields-ignored': {
    level: 'junior',
    kind: 'representation',
    endpoints: ['GET /api/People'],
    wrong: 'fields is ignored: records have all fields.',
    right: 'fields lists the fields to return.',
    before: changeQuery((query) => query.delete('fields')),
  },
  'albums-last-page-link': {
    level: 'junior',
    kind: 'pagination',
    endpoints: ['GET /api/Albums'],
    wrong: 'On a page, the link with rel="last" leads to an empty page after the last.',
    right: 'rel="last" is the last page with records.',
    after(response) {
      const link = response.header('link');
      if (link === undefined) return;
      const changed = link.replace(
        /([?&]page=)(\d+)(>; rel="last")/,
        (_all, before, page, after) => `${before}${Number(page) + 1}${after}`,
      );
      response.setHeader('link', changed);
    },
  },
  'todos-false-ignored': {
    level: 'junior',
    kind: 'filtering',
    endpoints: ['GET /api/Todos'],
    wrong: 'completed=false is ignored: it lists all todos.',
    right: 'completed=false lists only the todos that are not completed.',
    before: changeQuery((query) => {
      if (query.get('completed') === 'false') query.delete('completed');
    }),
  },
  'employees-gte-excludes': {
    level: 'middle',
    kind: 'filtering',
    endpoints: ['GET /api/Employees'],
    wrong: 'salary_gte leaves out employees with exactly that salary.',
    right: 'field_gte includes equal values.',
    before: changeQuery((query) => {
      const salary = query.get('salary_gte');
      if (salary === null) return;
      query.delete('salary_gte');
      query.set('salary_gt', salary);
    }),
  },
  'books-genres-unsorted': {
    level: 'junior',
    kind: 'filtering',
    endpoints: ['GET /api/Books/genres'],
    wrong: 'The genres are in reverse order.',
    right: 'The genres are in alphabetical order.',
    after(response) {
      const { json } = response;
      if (Array.isArray(json)) response.json = json.reverse();
    },
  },
  'countries-count-one-less': {
    level: 'middle',
    kind: 'representation',
    endpoints: ['GET /api/Countries/count'],
    wrong: 'The count is one too low.',
    right: 'count is the number of records that match.',
    after(response) {
      const { json } = response;
      if (typeof json?.count === 'number') response.json = { count: json.count - 1 };
    },
  },
  'todos-of-a-user-unfiltered': {
    level: 'junior',
    kind: 'filtering',
    endpoints: ['GET /api/Users/:id/Todos'],
    wrong: 'The filter completed is ignored.',
    right: 'The list supports the same filters as the list of all todos.',
    before: changeQuery((query) => query.delete('completed')),
  },
  'movies-count-unfiltered': {
    level: 'junior',
    kind: 'filtering',
    endpoints: ['GET /api/Movies/count'],
    wrong: 'Counts all movies, whatever the filters are.',
    right: 'Counts the records that match q and the filters.',
    before: changeQuery((query) => {
      for (const name of [...query.keys()]) query.delete(name);
    }),
  },
  'todos-changes-without-deletions': {
    level: 'senior',
    kind: 'stored-data',
    endpoints: ['GET /api/Todos/changes'],
    wrong: 'Deleted todos are missing in the list of changes.',
    right: 'The list has an entry of the kind deleted for each deleted record.',
    after(response) {
      const { json } = response;
      if (!Array.isArray(json?.changes)) return;
      const changes = json.changes.filter((each: { kind?: unknown }) => each.kind !== 'deleted');
      response.json = { ...json, changes };
    },
  },
  'photos-of-another-album': {
    level: 'junior',
    kind: 'filtering',
    endpoints: ['GET /api/Albums/:id/Photos'],
    wrong:
      'For an album with an id of two digits, lists the photos of the album with its first digit.',
    right: 'Lists the photos of the album in the path.',
    before(request) {
      const { id } = request.params as { readonly id?: string };
      if (id !== undefined && /^\d\d$/.test(id)) request.params = { id: id.slice(0, 1) };
    },
  },
  'products-one-category': {
    level: 'junior',
    kind: 'filtering',
    endpoints: ['GET /api/Products'],
    wrong: 'If category is repeated, only its last value applies.',
    right: 'A repeated filter allows several values.',
    before: changeQuery((query) => {
      const categories = query.getAll('category');
      if (categories.length > 1) query.set('category', categories.at(-1) ?? '');
    }),
  },
  'countries-second-sort-ignored': {
    level: 'junior',
    kind: 'filtering',
    endpoints: ['GET /api/Countries'],
    wrong: 'Only the first field of sort applies.',
    right: 'Records with the same value are sorted by the next field of sort.',
    before: changeQuery((query) => {
      const sort = query.get('sort');
      if (sort?.includes(',')) query.set('sort', sort.slice(0, sort.indexOf(',')));
    }),
  },
});

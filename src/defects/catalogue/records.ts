/** Defects of records: reads, writes and batches. */

import type { Request } from '#http/exchange.js';
import type { StateWrite } from '#state/copy/changed-sandbox.js';
import { changeQuery, isMembers, losesWrites, type Members } from '../change-request.js';
import { defectsOf } from '../defect.js';

const userFields = ['id', 'name', 'job', 'city'];

/** Members that no user has, by the request that sent them. */
const extraMembers = new WeakMap<Request, Members>();

function takeExtraMembers(request: Request): void {
  const body: unknown = request.body;
  if (!isMembers(body)) return;
  const entries = Object.entries(body);
  const isKnown = ([name]: readonly [string, unknown]) => userFields.includes(name);
  const extra = Object.fromEntries(entries.filter((entry) => !isKnown(entry)));
  if (Object.keys(extra).length === 0) return;
  extraMembers.set(request, extra);
  request.body = Object.fromEntries(entries.filter(isKnown));
}

function withExtraMembers(write: StateWrite, extra: Members): StateWrite {
  const { json } = write.options;
  if (json === undefined || !write.space.endsWith(':users')) return write;
  const { row, atMs } = JSON.parse(json);
  const value = { row: { ...row, ...extra }, atMs };
  return { ...write, value, options: { json: JSON.stringify(value) } };
}

export const recordDefects = defectsOf('Records', {
  'companies-unknown-is-200': {
    level: 'junior',
    kind: 'status',
    endpoints: ['GET /api/Companies/:id'],
    wrong: 'An unknown company gets status 200, with the error in the body.',
    right: 'An unknown record gets 404.',
    after(response) {
      if (response.status === 404) response.status = 200;
    },
  },
  'users-created-is-200': {
    level: 'junior',
    kind: 'status',
    endpoints: ['POST /api/Users'],
    wrong: 'A created user gets status 200.',
    right: 'A created record gets 201.',
    after(response) {
      if (response.status === 201) response.status = 200;
    },
  },
  'albums-without-location': {
    level: 'junior',
    kind: 'headers',
    endpoints: ['POST /api/Albums'],
    wrong: 'The response to a created album has no Location.',
    right: 'A created record gets 201 with its URL in Location.',
    after(response) {
      response.removeHeader('location');
    },
  },
  'photos-location-wrong': {
    level: 'junior',
    kind: 'headers',
    endpoints: ['POST /api/Photos'],
    wrong: 'Location is the URL of the list.',
    right: 'Location is the URL of the created record.',
    after(response) {
      const location = response.header('location');
      if (location !== undefined) response.setHeader('location', location.replace(/\/\d+$/, ''));
    },
  },
  'employees-unknown-is-500': {
    level: 'junior',
    kind: 'status',
    endpoints: ['GET /api/Employees/:id'],
    wrong: 'An unknown employee gets 500.',
    right: 'An unknown record gets 404.',
    after(response) {
      const { json } = response;
      if (response.status !== 404) return;
      response.status = 500;
      if (isMembers(json)) response.json = { ...json, status: 500, error: 'Internal Server Error' };
    },
  },
  'books-isbn-unknown-is-200': {
    level: 'junior',
    kind: 'status',
    endpoints: ['GET /api/Books/isbn/:isbn'],
    wrong: 'An unknown ISBN gets 200 with null.',
    right: 'An unknown ISBN gets 404.',
    after(response) {
      if (response.status !== 404) return;
      response.status = 200;
      response.json = null;
    },
  },
  'albums-deleted-is-200': {
    level: 'junior',
    kind: 'status',
    endpoints: ['DELETE /api/Albums/:id'],
    wrong: 'A deleted album gets 200 without a body.',
    right: 'A deleted record gets 204.',
    after(response) {
      if (response.status === 204) response.status = 200;
    },
  },
  'people-second-deletion-is-204': {
    level: 'junior',
    kind: 'status',
    endpoints: ['DELETE /api/People/:id'],
    wrong: 'An unknown person gets 204.',
    right: 'A second DELETE gets 404.',
    after(response) {
      if (response.status === 404) response.status = 204;
    },
  },
  'products-stock-is-text': {
    level: 'junior',
    kind: 'representation',
    endpoints: ['GET /api/Products/:id'],
    wrong: 'inStock is a text.',
    right: 'inStock is true or false, as the schema says.',
    after(response) {
      const { json } = response;
      if (typeof json?.inStock !== 'boolean') return;
      response.json = { ...json, inStock: String(json.inStock) };
    },
  },
  'movies-deletion-lost': {
    level: 'middle',
    kind: 'stored-data',
    endpoints: ['DELETE /api/Movies/:id'],
    wrong: 'The response is 204, but the movie remains.',
    right: 'DELETE deletes the record. A second DELETE gets 404.',
    stores: ['/api/Movies'],
    shownBy: ({ target }) => ({ target }),
    state: losesWrites,
  },
  'todos-restoration-lost': {
    level: 'senior',
    kind: 'stored-data',
    endpoints: ['POST /api/Todos/:id/restore'],
    wrong: 'The response shows the restored todo, but it remains in the trash.',
    right: 'A restored todo can be read again.',
    stores: ['/api/Todos', '/api/Users', '/graphql'],
    shownBy: ({ target }) => ({ target: target.replace(/\/restore.*/s, '') }),
    state: losesWrites,
  },
  'people-patch-drops-fields': {
    level: 'junior',
    kind: 'stored-data',
    endpoints: ['PATCH /api/People/:id'],
    wrong: 'A merge patch changes only its first field.',
    right: 'A merge patch changes all fields that it has.',
    stores: ['/api/People'],
    input(request) {
      const body: unknown = request.body;
      if (isMembers(body)) request.body = Object.fromEntries(Object.entries(body).slice(0, 1));
    },
  },
  'employees-patch-ignores-nested': {
    level: 'junior',
    kind: 'stored-data',
    endpoints: ['PATCH /api/Employees/:id'],
    wrong: 'A merge patch does not change nested fields, such as address.city.',
    right: 'A merge patch also changes members of nested objects.',
    stores: ['/api/Employees', '/api/Companies'],
    input(request) {
      const body: unknown = request.body;
      if (!isMembers(body)) return;
      const kept = Object.entries(body).filter(([, value]) => !isMembers(value));
      request.body = Object.fromEntries(kept);
    },
  },
  'users-mass-assignment': {
    level: 'junior',
    kind: 'property-level-authorization',
    endpoints: ['POST /api/Users'],
    wrong: 'Fields that users do not have, such as role, are stored and returned.',
    right: 'Unknown fields are rejected with 400.',
    stores: ['/api/Users', '/graphql'],
    input: takeExtraMembers,
    state: (request) => ({
      write(write) {
        const extra = extraMembers.get(request);
        return extra === undefined ? write : withExtraMembers(write, extra);
      },
    }),
    after(response, request) {
      const extra = extraMembers.get(request);
      const { json } = response;
      if (extra !== undefined && isMembers(json) && response.status < 300) {
        response.json = { ...json, ...extra };
      }
    },
  },
  'events-price-is-text': {
    level: 'junior',
    kind: 'representation',
    endpoints: ['GET /api/Events/:id'],
    wrong: 'The price is a text.',
    right: 'The price is a number, as the schema says.',
    after(response) {
      const { json } = response;
      if (typeof json?.price === 'number') response.json = { ...json, price: String(json.price) };
    },
  },
  'events-start-without-zone': {
    level: 'junior',
    kind: 'time',
    endpoints: ['GET /api/Events/:id'],
    wrong: 'startsAt has no time zone, so that each client reads another moment.',
    right: 'Times are ISO 8601 in UTC, with a Z at the end.',
    after(response) {
      const { json } = response;
      if (typeof json?.startsAt !== 'string') return;
      response.json = { ...json, startsAt: json.startsAt.replace(/Z$/, '') };
    },
  },
  'posts-title-cut': {
    level: 'junior',
    kind: 'stored-data',
    endpoints: ['POST /api/Posts'],
    wrong: 'A title is cut to 20 characters.',
    right: 'Texts are stored unchanged.',
    stores: ['/api/Posts', '/api/Users', '/graphql'],
    input(request) {
      const body: unknown = request.body;
      if (!isMembers(body) || typeof body.title !== 'string') return;
      request.body = { ...body, title: body.title.slice(0, 20) };
    },
  },
  'todos-trashed-is-404': {
    level: 'middle',
    kind: 'status',
    endpoints: ['GET /api/Todos/:id'],
    wrong: 'A todo in the trash gets 404.',
    right: 'A record in the trash gets 410.',
    after(response) {
      const { json } = response;
      if (response.status !== 410) return;
      response.status = 404;
      if (isMembers(json)) response.json = { ...json, status: 404, error: 'Not Found' };
    },
  },
  'books-batch-not-atomic': {
    level: 'junior',
    kind: 'stored-data',
    endpoints: ['POST /api/Books/batch'],
    wrong: 'With atomic, the operations before a failing one are performed.',
    right: 'With atomic, all operations are performed or none.',
    stores: ['/api/Books'],
    input(request) {
      const body: unknown = request.body;
      if (isMembers(body)) request.body = { ...body, atomic: false };
    },
  },
  'events-put-creates': {
    level: 'junior',
    kind: 'status',
    endpoints: ['PUT /api/Events/:id'],
    wrong: 'PUT with an unknown id creates an event, also without upsert.',
    right: 'Without ?upsert=true, PUT with an unknown id gets 404.',
    stores: ['/api/Events'],
    before: changeQuery((query) => query.set('upsert', 'true')),
  },
});

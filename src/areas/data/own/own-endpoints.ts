/** Endpoints of a caller's data: the same for every collection, whatever the sandbox has under its name. */

import { Type } from 'typebox';
import type { Request } from '#http/exchange.js';
import { HttpError } from '#http/http-error.js';
import { failures } from '#http/schemas/error-schema.js';
import { entityTag, optional } from '#http/schemas/header-schemas.js';
import { type Endpoint, endpoint, secret } from '#kit/endpoint.js';
import type { Services } from '#kit/services.js';
import { checkChild, checkReplacedSingle, patchChecks } from '../endpoints/check-before-body.js';
import { type Collection, serve } from '../endpoints/collection.js';
import {
  acceptsBody,
  acceptsPatch,
  createBelow,
  createRecord,
  endpointsBelow,
} from '../endpoints/collection-endpoints.js';
import { listQuery, preconditions, writeParameters } from '../endpoints/parameters.js';
import { write } from '../endpoints/respond-to-write.js';
import { errors, everyFormat, headers } from '../endpoints/responses.js';
import { jobsOf } from '../jobs/jobs.js';
import { list, listBelow, read } from '../read/read-records.js';
import { dataServicesOf } from '../source/data-services.js';
import type { Call, Relation } from '../source/source.js';
import { deferredBodies } from '../write/parse-bodies.js';
import { dataEndpoints } from './data-endpoints.js';
import { indexEndpoints } from './index-endpoints.js';
import { ownStoreOf } from './load-store.js';
import { findSource, sourceAt } from './own-source.js';

export function ownEndpoints(all: Services): Endpoint[] {
  const services = dataServicesOf(all);
  const store = ownStoreOf(all.runtime);
  jobsOf(services).serve((view, path) => sourceAt(store, view, path));
  const sourceOf = (request: Request) => findSource(store, request);
  const of: Collection = { ...records, services, sourceOf };
  return [
    ...dataEndpoints(store),
    ...indexEndpoints(store),
    listRecords(of),
    createRecord(of, notOfSingles),
    replaceSingle(of),
    changeSingle(of),
    ...endpointsBelow(of),
    ...childEndpoints(of),
  ];
}

const anyObject = { type: 'object', additionalProperties: true } as const;
const record = Type.Unsafe<object>({ ...anyObject, title: 'OwnRecord' });
const body = Type.Unsafe<object>(anyObject);

const params = {
  collection: Type.String({ description: 'The name of a member of the data.' }),
};
const recordParams = {
  ...params,
  id: Type.String({ description: 'The id of the record, a number or text.' }),
};

const filters = {
  filters: secret(
    Type.Unsafe<object>({
      type: 'object',
      title: 'OwnFilters',
      description:
        'Any field is a parameter; nested fields are named with a dot. Append _ne, _in, _gt, _gte, _lt or _lte as at other collections.',
      additionalProperties: { type: 'string' },
    }),
  ),
};

const allow = { 405: { Allow: Type.Optional(Type.String()) } };

const records: Omit<Collection, 'services' | 'sourceOf'> = {
  path: '/my/:collection',
  bodyParsers: deferredBodies,
  one: 'a record of your data',
  many: 'records of your data',
  params,
  recordParams,
  schemas: {
    filters: () => filters,
    create: () => body,
    replace: () => body,
    change: () => body,
    read: () => everyFormat(record, 'The record.'),
    written: () => record,
  },
  readParameters: { headers: preconditions },
  says: {
    create: 'Accepts an unused id; without an id, the service assigns one.',
    replace: 'Omitted members are removed; the id does not change.',
    change:
      'Send a JSON merge patch (RFC 7396), as application/merge-patch+json or application/json: null removes a member. Or send a JSON patch (RFC 6902), as application/json-patch+json.',
    remove: 'Deletes the record. A second DELETE gets 404.',
  },
  failures: { collection: [404], record: [404], condition: [] },
  ofCreate: { responses: failures(405), responseHeaders: allow },
  ofReplace: { responses: { 201: record, ...failures(409) } },
};

const listRecords = (of: Collection) =>
  endpoint('GET', of.path, () => ({
    summary: 'List your records, or get a single resource',
    description:
      'Supports the parameters of all lists: limit, page, offset, sort, order, q, fields, embed, and the fields of the records, nested ones with a dot, with _gte, _lte, _gt, _lt, _ne, _in.',
    params,
    query: listQuery(filters, 'any'),
    headers: preconditions,
    responses: {
      200: everyFormat(
        Type.Unsafe<object>({ anyOf: [Type.Array(record), record] }),
        'The records, or the resource.',
      ),
      304: Type.Null({ description: 'The single resource matches If-None-Match.' }),
      ...errors.read,
      ...failures(404, 412, 414),
    },
    responseHeaders: {
      200: { ...optional(headers.list), ...optional(headers.read[200]) },
      304: headers.read[304],
      412: entityTag,
    },
    validation: 'own' as const,
    handle: serve(of, list, read),
  }));

const replaceSingle = (of: Collection) =>
  endpoint('PUT', of.path, () => ({
    summary: 'Replace your single resource',
    description: 'Send an object. A collection gets 405.',
    params,
    ...writeParameters.replaceSingle,
    ...acceptsBody(of),
    before: checkReplacedSingle(of, notOfCollections),
    body,
    responses: { 200: record, ...errors.body, ...failures(404, 405, 412) },
    responseHeaders: { ...headers.read, ...allow },
    handle: serve(of, notOfCollections, write('replace')),
  }));

const changeSingle = (of: Collection) =>
  endpoint('PATCH', of.path, () => ({
    summary: 'Change your single resource',
    description:
      'Send a JSON merge patch (RFC 7396), in which null removes a member, or a JSON patch (RFC 6902).',
    params,
    ...writeParameters.change,
    ...acceptsPatch(body, patchChecks(of, notOfCollections)),
    responses: { 200: record, ...errors.body, ...failures(404, 405, 409, 412) },
    responseHeaders: { ...headers.patch, ...allow },
    handle: serve(of, notOfCollections, write('merge')),
  }));

function childEndpoints(of: Collection): Endpoint[] {
  const path = `${of.path}/:id/:children`;
  const ofChildren = {
    ...recordParams,
    children: Type.String({ description: 'The collection whose records belong to it.' }),
  };
  return [
    endpoint('GET', path, () => ({
      summary: 'List the records that belong to your record',
      description:
        'Returns records that refer to its id, such as with postId for posts. Supports the parameters of all lists.',
      params: ofChildren,
      query: listQuery(filters, 'any'),
      responses: { 200: Type.Array(record), ...errors.read, ...failures(404, 414) },
      responseHeaders: { 200: optional(headers.list) },
      validation: 'own' as const,
      handle: serve(of, (call) => listBelow(call, relationIn(call))),
    })),
    endpoint('POST', path, () => ({
      summary: 'Create a record that belongs to your record',
      description: 'The service fills in the field with the id. Another id in it gets 400.',
      params: ofChildren,
      ...writeParameters.create,
      ...acceptsBody(of),
      before: checkChild(of, relationIn),
      body,
      responses: { 201: record, ...errors.body, ...failures(404, 409) },
      responseHeaders: { 201: headers.write[201] },
      handle: serve(of, (call) => createBelow(call, relationIn(call))),
    })),
  ];
}

function relationIn({ source, request }: Call): Relation {
  const { children } = request.params as { readonly children: string };
  const relation = source.findChildren?.(children);
  if (relation !== undefined) return relation;
  throw new HttpError(404, `You have no collection ${children}. GET /my lists your collections.`);
}

function notOfSingles({ source: { path } }: Call): never {
  const message = `${path} is a single resource: GET reads it, PUT replaces it, PATCH changes it.`;
  throw new HttpError(405, message, { headers: { allow: 'GET, HEAD, PUT, PATCH' } });
}

function notOfCollections({ source: { path } }: Call): never {
  const message = `${path} is a collection: GET lists it, POST creates a record; other methods are for ${path}/{id}.`;
  throw new HttpError(405, message, { headers: { allow: 'GET, HEAD, POST' } });
}

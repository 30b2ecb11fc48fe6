/** What the endpoints of a caller's data accept and return: of records, only that they are objects. */

import { Type } from 'typebox';
import { failures } from '../../../http/schemas/error-schema.js';
import { entityTag, ifNoneMatch, optional, vary } from '../../../http/schemas/header-schemas.js';
import { pageResponseHeaders } from '../../../site/send-page.js';
import { otherBodies } from '../routes/accepted-types.js';
import { collectionSchemas } from '../routes/collection-schemas.js';
import {
  jsonPatchBody,
  listHeaders,
  patchHeaders,
  preconditions,
  readHeaders,
  writeHeaders,
  writeParameters,
} from '../routes/described-headers.js';
import { filterQuery, listQuery } from '../routes/query-schemas.js';
import { bodyErrors, everyFormat, readErrors } from '../routes/record-formats.js';
import { maxCollections, maxDataDepth, maxRecords } from './load/read-own-data.js';

const anyObject = { type: 'object', additionalProperties: true } as const;
const record = Type.Unsafe<object>({ ...anyObject, title: 'OwnRecord' });
const body = Type.Unsafe<object>(anyObject);

const collection = Type.String({ description: 'The name of a member of the data.' });
const ofCollection = Type.Object({ collection });
const ofRecord = Type.Object({
  collection,
  id: Type.String({ description: 'The id of the record, a number or text.' }),
});
const ofChildren = Type.Object({
  ...ofRecord.properties,
  children: Type.String({ description: 'The collection whose records belong to it.' }),
});

const filters = Type.Unsafe<object>({
  type: 'object',
  title: 'OwnFilters',
  description:
    'Any field as a parameter of its own, one inside another by a dot; with _ne, _in, _gt, _gte, _lt and _lte after its name as at other collections.',
  additionalProperties: { type: 'string' },
});

const notThere = failures(404);
const described = { headers: preconditions };
/** Of methods that are for a single resource, or for a collection. */
const otherKind = failures(405);
const allow = { 405: { Allow: Type.Optional(Type.String()) } };

const list = {
  summary: 'List records of your own, or get a single resource',
  description:
    'Supports what lists of this service support: limit, page, offset, sort, order, q, fields, embed, and the fields of the records, those inside others by a dot, with _gte, _lte, _gt, _lt, _ne, _in.',
  params: ofCollection,
  querystring: Type.Object(listQuery(filters, 'any')),
  described,
  response: {
    200: everyFormat(
      Type.Unsafe<object>({ anyOf: [Type.Array(record), record] }),
      'The records, or the resource.',
    ),
    304: Type.Null({ description: 'If-None-Match names the single resource as it is.' }),
    ...readErrors,
    ...notThere,
    ...failures(412, 414),
  },
  responseHeaders: {
    200: { ...optional(listHeaders), ...optional(readHeaders[200]) },
    304: readHeaders[304],
    412: entityTag,
  },
};

const ofSingle = { ...bodyErrors, ...notThere, ...otherKind, ...failures(412) };

const replaceSingle = {
  summary: 'Replace a single resource of your own',
  description: 'An object that is no part of a collection; of a collection it is 405.',
  params: ofCollection,
  described: { ...writeParameters.replaceSingle, body: otherBodies },
  body,
  response: { 200: record, ...ofSingle },
  responseHeaders: { ...readHeaders, ...allow },
};

const changeSingle = {
  summary: 'Change a single resource of your own',
  description: 'A JSON merge patch (RFC 7396); null removes a member. Or a JSON patch (RFC 6902).',
  params: ofCollection,
  described: { ...writeParameters.change, body: jsonPatchBody },
  body,
  response: { 200: record, ...ofSingle, ...failures(409) },
  responseHeaders: { ...writeHeaders, ...patchHeaders, ...allow },
};

export const ownSchemas = {
  list,
  replaceSingle,
  changeSingle,
  ...collectionSchemas({
    one: 'a record of your own',
    many: 'records of your own',
    params: { ofCollection, ofRecord },
    record: { read: everyFormat(record, 'The record.'), written: record },
    bodies: { create: body, replace: body, change: body },
    countQuery: Type.Object(filterQuery(filters)),
    readRequest: described,
    says: {
      create: 'Takes an id that no record has; without one it is given.',
      replace: 'What is left out is gone; the id stays.',
      change:
        'A JSON merge patch (RFC 7396), as application/merge-patch+json or application/json: null removes a member. Or a JSON patch (RFC 6902), as application/json-patch+json.',
      remove: 'Once for each: a second time there is nothing, which is 404.',
    },
    noCollection: notThere,
    noRecord: notThere,
    noCondition: {},
    ofCreate: { response: otherKind, responseHeaders: allow },
    ofReplace: { 201: record, ...failures(409) },
  }),
};

/** Of the children below the record that they belong to. */
export const ownSchemasBelow = {
  list: {
    summary: 'List the records that belong to one of your own',
    description:
      'Those whose field is its id, such as postId for posts; with the parameters of any list.',
    params: ofChildren,
    querystring: Type.Object(listQuery(filters, 'any')),
    response: { 200: Type.Array(record), ...readErrors, ...notThere, ...failures(414) },
    responseHeaders: { 200: optional(listHeaders) },
  },
  create: {
    summary: 'Create a record that belongs to one of your own',
    description: 'The field that holds the id is filled in; another id in it is 400.',
    params: ofChildren,
    described: { ...writeParameters.create, body: otherBodies },
    body,
    response: { 201: record, ...bodyErrors, ...notThere, ...failures(409) },
    responseHeaders: { 201: writeHeaders[201] },
  },
};

const data = Type.Unsafe<object>({
  ...anyObject,
  title: 'OwnData',
  description:
    'Arrays are collections, objects are single resources; `$schemas` has JSON Schemas by their names.',
});

const summary = Type.Object(
  {
    collections: Type.Unsafe<Record<string, number>>({
      type: 'object',
      additionalProperties: { type: 'integer' },
      description: 'How many records each has.',
    }),
    singles: Type.Array(Type.String(), { description: 'The single resources.' }),
    relations: Type.Array(
      Type.Object({ children: Type.String(), field: Type.String(), parents: Type.String() }),
    ),
  },
  { title: 'OwnDataSummary' },
);

const namedOnly = 'In a sandbox with a name, or of an account; in the shared one it is 403.';

/** All data of a sandbox at once. */
export const wholeDataSchemas = {
  read: {
    summary: 'Get all of your own data',
    description: 'A snapshot, as JSON that can be put again.',
    response: { 200: data, ...failures(400) },
  },
  put: {
    summary: 'Put data of your own',
    description: `JSON in the shape of json-server's db.json, in place of what there was, whole or not at all. At most 5 MiB, ${maxCollections} collections, ${maxRecords} records and ${maxDataDepth} levels. ${namedOnly}`,
    described: { body: { 'application/json': data } },
    response: {
      200: summary,
      ...failures(400, 413, 415, 403),
    },
  },
  empty: {
    summary: 'Empty your own data',
    description: `No collection is left. ${namedOnly}`,
    response: { 204: Type.Null(), ...failures(400, 403) },
  },
};

const indexBody = Type.Object(
  {
    collections: Type.Array(
      Type.Object({
        name: Type.String(),
        url: Type.String(),
        records: Type.Integer(),
        parents: Type.Array(Type.String(), { description: 'What its records belong to.' }),
      }),
    ),
    singles: Type.Array(Type.Object({ name: Type.String(), url: Type.String() })),
    openapi: Type.String(),
  },
  { title: 'OwnIndex' },
);

/** What there is in a sandbox: as JSON or a page, and as a description. */
export const indexSchemas = {
  index: {
    summary: 'List your own collections',
    description: 'Those of the sandbox.',
    described: { headers: ifNoneMatch },
    response: {
      200: {
        description: 'The collections, or the page that shows them.',
        content: {
          'application/json': { schema: Type.Unsafe<object>(indexBody) },
          'text/html': { schema: Type.Unsafe<object>({ type: 'string' }) },
        },
      },
      304: Type.Null({ description: 'The browser has the page already.' }),
      ...failures(400),
    },
    responseHeaders: {
      200: { ...vary, ...optional(pageResponseHeaders[200]) },
      304: { ...vary, ...pageResponseHeaders[304] },
    },
  },
  describe: {
    summary: 'Describe your own collections',
    description:
      'An OpenAPI 3.1 description, with types as the data has them or as its schemas say.',
    response: { 200: Type.Unsafe<object>(anyObject), ...failures(400) },
  },
};

/** The parameters, bodies and responses of a collection's endpoints, for this service's collections and a caller's. */

import { type TObject, type TSchema, Type } from 'typebox';
import type { Fields } from '../../../http/exchange.js';
import { failures } from '../../../http/schemas/error-schema.js';
import { entityTag } from '../../../http/schemas/header-schemas.js';
import type { DescribedRequest } from '../../../kit/app.js';
import { exactQuery } from '../../../kit/describe/exact-query.js';
import { maxChangesWaitSeconds } from '../read/read-changes.js';
import { batchMethods, maxOperations } from '../write/batch.js';
import { otherBodies } from './accepted-types.js';
import {
  jsonPatchBody,
  patchHeaders,
  readHeaders,
  writeHeaders,
  writeParameters,
} from './described-headers.js';
import { bodyErrors, readErrors } from './record-formats.js';

type Responses = Readonly<Record<number, object>>;
type HeadersByStatus = Readonly<Record<number, Fields>>;

/** What differs between collections. */
export interface CollectionParts {
  /** One record, with its article: `a book`. */
  readonly one: string;
  /** All of them: `books`. */
  readonly many: string;
  /** The parameters in paths: none of a collection's, where it is one of this service. */
  readonly params: { readonly ofCollection?: TObject; readonly ofRecord: TObject };
  /** The responses with a record, to reads and to writes. */
  readonly record: { readonly read: object; readonly written: object };
  readonly bodies: {
    readonly create: TSchema;
    readonly replace: TSchema;
    readonly change: TSchema;
  };
  readonly countQuery: TObject;
  readonly readRequest: DescribedRequest;
  /** What the endpoints do, beside what the same ones of all collections do. */
  readonly says: {
    readonly create: string;
    readonly replace: string;
    readonly change: string;
    readonly remove: string;
  };
  /** The statuses of requests to a collection that does not exist. */
  readonly noCollection: Responses;
  /** The statuses of requests to a record that does not exist. */
  readonly noRecord: Responses;
  /** The statuses of writes without a condition that is demanded. */
  readonly noCondition: Responses;
  /** Other responses to POST. */
  readonly ofCreate?: { readonly response: Responses; readonly responseHeaders: HeadersByStatus };
  /** Other responses to PUT. */
  readonly ofReplace?: Responses;
}

export function collectionSchemas(parts: CollectionParts) {
  const ofCollection = parts.params.ofCollection && { params: parts.params.ofCollection };
  return {
    count: { ...countSchema(parts), ...ofCollection },
    batch: { ...batch, ...ofCollection },
    changes: { ...changes, ...ofCollection },
    create: { ...createSchema(parts), ...ofCollection },
    ...recordSchemas(parts),
  };
}

function countSchema({ many, countQuery, noCollection }: CollectionParts) {
  return {
    summary: `Count ${many}`,
    description: 'All of them, or those that the filters let through.',
    querystring: countQuery,
    response: { 200: Type.Object({ count: Type.Integer() }), ...failures(400), ...noCollection },
  };
}

function createSchema({ one, says, bodies, record, noCollection, ofCreate }: CollectionParts) {
  return {
    summary: `Create ${one}`,
    description: says.create,
    described: { ...writeParameters.create, body: otherBodies },
    body: bodies.create,
    response: {
      201: record.written,
      ...bodyErrors,
      ...noCollection,
      ...failures(409),
      ...ofCreate?.response,
    },
    responseHeaders: { 201: writeHeaders[201], ...ofCreate?.responseHeaders },
  };
}

/** The endpoints of one record. */
function recordSchemas(parts: CollectionParts) {
  const { one, says, bodies, record, noRecord, noCondition, ofReplace } = parts;
  const params = parts.params.ofRecord;
  const rejections = { ...noRecord, ...failures(412), ...noCondition };
  return {
    read: {
      summary: `Get ${one}`,
      description:
        'With its entity tag, by which a client can ask again cheaply and change safely.',
      params,
      described: parts.readRequest,
      response: {
        200: record.read,
        304: Type.Null({ description: 'If-None-Match names the record as it is.' }),
        ...readErrors,
        ...noRecord,
        ...failures(412),
      },
      responseHeaders: readHeaders,
    },
    replace: {
      summary: `Replace ${one}`,
      description: says.replace,
      params,
      described: { ...writeParameters.replace, body: otherBodies },
      body: bodies.replace,
      response: { 200: record.written, ...bodyErrors, ...rejections, ...ofReplace },
      responseHeaders: writeHeaders,
    },
    change: {
      summary: `Change ${one}`,
      description: says.change,
      params,
      described: { ...writeParameters.change, body: jsonPatchBody },
      body: bodies.change,
      response: { 200: record.written, ...bodyErrors, ...rejections, ...failures(409) },
      responseHeaders: { ...writeHeaders, ...patchHeaders },
    },
    remove: {
      summary: `Delete ${one}`,
      description: says.remove,
      params,
      described: writeParameters.remove,
      response: { 204: Type.Null(), ...failures(400), ...rejections },
      responseHeaders: { 412: entityTag },
    },
  };
}

const anyId = Type.Union([Type.Integer(), Type.String({ minLength: 1, maxLength: 100 })]);

const operation = Type.Object(
  {
    method: Type.String({ enum: [...batchMethods] }),
    id: Type.Optional(anyId),
    body: Type.Optional(
      Type.Unknown({
        description: 'A record, or for PATCH a merge patch or an array: a JSON patch.',
      }),
    ),
    ifMatch: Type.Optional(
      Type.String({ maxLength: 1000, description: 'As the header If-Match.' }),
    ),
  },
  { title: 'BatchOperation' },
);

const results = Type.Object(
  {
    results: Type.Array(
      Type.Object({
        status: Type.Integer({ description: 'The response to the operation alone.' }),
        body: Type.Unknown({ description: 'The record or the error; null where there is none.' }),
      }),
    ),
  },
  { title: 'BatchResults' },
);

/** Described once for all collections. */
const batch = {
  summary: 'Write several records in one request',
  description:
    'The same at every collection. Each on its own, or with atomic all or none: then the first that fails is the response to the whole, with its index.',
  describedAs: '/api/Books/batch',
  body: Type.Object(
    {
      operations: Type.Array(operation, { maxItems: maxOperations }),
      atomic: Type.Optional(Type.Boolean({ default: false })),
    },
    { title: 'Batch' },
  ),
  described: writeParameters.create,
  response: {
    200: results,
    207: results,
    ...failures(400, 404, 413, 415),
  },
};

const change = Type.Object(
  {
    id: anyId,
    kind: Type.String({ enum: ['created', 'updated', 'deleted'] }),
    at: Type.String({ format: 'date-time' }),
    record: Type.Unknown({ description: 'As it has become; as it was last, when it was deleted.' }),
  },
  { title: 'RecordChange' },
);

/** Described once for all collections. */
const changes = {
  summary: 'List what has changed since a token',
  description:
    'The same at every collection. One entry for each record, the last change of each last. Without since the token of now alone. Records in the trash count as deleted.',
  describedAs: '/api/Books/changes',
  querystring: exactQuery({
    since: Type.Optional(Type.String({ description: 'The token of an earlier response.' })),
    wait: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: maxChangesWaitSeconds,
        description: 'How many seconds to wait for a change, when there is none.',
      }),
    ),
  }),
  response: {
    200: Type.Object(
      { changes: Type.Array(change), token: Type.String() },
      { title: 'RecordChanges' },
    ),
    ...failures(400, 410),
  },
};

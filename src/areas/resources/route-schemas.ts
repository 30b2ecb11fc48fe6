/** What the routes of a resource take and answer. */

import { Type } from 'typebox';
import { wholeRecord } from '../../data/declare-record.js';
import { errorSchema } from '../../server/error-schema.js';
import { entityTag, location } from '../../server/header-schemas.js';
import { maxCreatedRows } from '../../state/collection.js';
import { listHeaders, patchHeaders, preconditions, readHeaders } from './described-headers.js';
import {
  listQuerystring,
  newRecordSchema,
  patchSchema,
  replacementSchema,
} from './record-schemas.js';
import type { Resource } from './resource.js';

const params = Type.Object({
  id: Type.Integer({ maximum: Number.MAX_SAFE_INTEGER, description: 'The id of the record.' }),
});

const bodyErrors = { 400: errorSchema, 413: errorSchema, 415: errorSchema };

export function routeSchemas({ name, noun, record: declared }: Resource) {
  const record = wholeRecord(declared);
  const described = { headers: preconditions };
  return {
    list: {
      summary: `Lists ${name}`,
      description: 'Filtered, sorted and cut into pages as the query asks.',
      querystring: listQuerystring(declared.fields),
      response: { 200: Type.Array(record), 400: errorSchema, 414: errorSchema },
      responseHeaders: { 200: listHeaders },
    },
    count: {
      summary: `Counts ${name}`,
      description: 'All of them, or those that the filters let through.',
      querystring: listQuerystring(declared.fields, 'filters'),
      response: { 200: Type.Object({ count: Type.Integer() }), 400: errorSchema },
    },
    read: {
      summary: `Reads one ${noun}`,
      description:
        'With its entity tag, by which a client can ask again cheaply and change safely.',
      params,
      described,
      response: {
        200: record,
        304: Type.Null({ description: 'If-None-Match names the record as it is.' }),
        400: errorSchema,
        404: errorSchema,
        412: errorSchema,
      },
      responseHeaders: readHeaders,
    },
    create: {
      summary: `Creates one ${noun}`,
      description: `The id is given by the service. A sandbox holds ${maxCreatedRows} created records at most.`,
      body: newRecordSchema(declared),
      response: { 201: record, ...bodyErrors, 409: errorSchema },
      responseHeaders: { 201: { ...entityTag, ...location } },
    },
    replace: {
      summary: `Replaces one ${noun}`,
      description: 'What is left out falls back to its default.',
      params,
      described,
      body: replacementSchema(declared),
      response: { 200: record, ...bodyErrors, 404: errorSchema, 412: errorSchema },
      responseHeaders: readHeaders,
    },
    change: {
      summary: `Changes one ${noun}`,
      description:
        'A JSON merge patch (RFC 7396), as application/merge-patch+json or application/json: null gives a field its default again.',
      params,
      described,
      body: patchSchema(declared),
      response: { 200: record, ...bodyErrors, 404: errorSchema, 412: errorSchema },
      responseHeaders: { ...readHeaders, ...patchHeaders },
    },
    remove: {
      summary: `Deletes one ${noun}`,
      description: 'Once for each: a second time there is nothing, which is 404.',
      params,
      described,
      response: { 204: Type.Null(), 400: errorSchema, 404: errorSchema, 412: errorSchema },
      responseHeaders: { 412: entityTag },
    },
  };
}

/** What the routes of a collection accept and return. */

import { Type } from 'typebox';
import { wholeRecord } from '../../../data/declare-record.js';
import { errorSchema } from '../../../kit/describe/error-schema.js';
import { entityTag } from '../../../kit/describe/header-schemas.js';
import { maxCreatedRows } from '../../../state/rows/stored-rows.js';
import type { DeclaredCollection } from '../built-in/declare-collection.js';
import {
  childSchema,
  newRecordSchema,
  patchSchema,
  replacementSchema,
} from '../built-in/record-schemas.js';
import type { Resource } from '../built-in/resource.js';
import type { Relation } from '../source/relations.js';
import {
  jsonPatchBody,
  listHeaders,
  patchHeaders,
  readHeaders,
  readPreconditions,
  writeHeaders,
  writeParameters,
} from './described-headers.js';
import { filterQuery, listQuery, recordQuery } from './query-schemas.js';
import { everyFormat, readErrors } from './response-schemas.js';

const params = Type.Object({
  id: Type.Integer({ maximum: Number.MAX_SAFE_INTEGER, description: 'The id of the record.' }),
});

/** What stands for JSON: fields inside others are named as `address.city`, several texts repeated or parted by `;`. */
export const otherBodies = {
  'application/x-www-form-urlencoded': Type.Unsafe<object>({ type: 'object' }),
  'text/csv': Type.String(),
  'application/yaml': Type.Unknown(),
};

const bodyErrors = { ...readErrors, 413: errorSchema, 415: errorSchema };

const embedsOf = ({ relations }: Resource) => relations().map(({ name }) => name);

export function routeSchemas(
  { name, noun, record: declared }: DeclaredCollection,
  resource: Resource,
) {
  const one = withArticle(noun);
  const record = everyFormat(wholeRecord(declared), `The ${noun}.`);
  const embeds = embedsOf(resource);
  const { keepsTrash, demandsCondition } = declared;
  const gone = keepsTrash ? { 410: errorSchema } : {};
  const unconditional = demandsCondition ? { 428: errorSchema } : {};
  const rejections = { 404: errorSchema, ...gone, 412: errorSchema, ...unconditional };
  return {
    list: {
      summary: `List ${name}`,
      description: 'Filtered, sorted and cut into pages as the query asks.',
      querystring: Type.Object(listQuery(declared, embeds)),
      response: {
        200: everyFormat(Type.Array(wholeRecord(declared)), `The ${name}.`),
        ...readErrors,
        414: errorSchema,
      },
      responseHeaders: { 200: listHeaders },
    },
    count: {
      summary: `Count ${name}`,
      description: 'All of them, or those that the filters let through.',
      querystring: Type.Object(filterQuery(declared)),
      response: { 200: Type.Object({ count: Type.Integer() }), 400: errorSchema },
    },
    read: {
      summary: `Get ${one}`,
      description:
        'With its entity tag, by which a client can ask again cheaply and change safely.',
      params,
      described: { headers: readPreconditions, querystring: recordQuery(embeds) },
      response: {
        200: record,
        304: Type.Null({ description: 'If-None-Match names the record as it is.' }),
        ...readErrors,
        404: errorSchema,
        ...gone,
        412: errorSchema,
      },
      responseHeaders: readHeaders,
    },
    create: {
      summary: `Create ${one}`,
      description: `The id is given by the service. A sandbox holds ${maxCreatedRows} created records at most.`,
      body: newRecordSchema(declared),
      described: { ...writeParameters.create, body: otherBodies },
      response: { 201: record, ...bodyErrors, 409: errorSchema },
      responseHeaders: { 201: writeHeaders[201] },
    },
    replace: {
      summary: `Replace ${one}`,
      description: 'What is left out falls back to its default.',
      params,
      described: { ...writeParameters.replace, body: otherBodies },
      body: replacementSchema(declared),
      response: { 200: record, ...bodyErrors, ...rejections },
      responseHeaders: writeHeaders,
    },
    change: {
      summary: `Change ${one}`,
      description:
        'By a JSON merge patch (RFC 7396), as application/merge-patch+json or application/json: null gives a field its default again. Or by a JSON patch (RFC 6902), as application/json-patch+json.',
      params,
      described: { ...writeParameters.change, body: jsonPatchBody },
      body: patchSchema(declared),
      response: {
        200: record,
        ...bodyErrors,
        ...rejections,
        409: errorSchema,
      },
      responseHeaders: { ...writeHeaders, ...patchHeaders },
    },
    remove: {
      summary: `Delete ${one}`,
      description: keepsTrash
        ? 'Moves it to the trash: from then on it is 410.'
        : 'Once for each: a second time there is nothing, which is 404.',
      params,
      described: writeParameters.remove,
      response: { 204: Type.Null(), 400: errorSchema, ...rejections },
      responseHeaders: { 412: entityTag },
    },
    restore: {
      summary: `Restore ${one}`,
      description: 'Takes it out of the trash, as it was.',
      params,
      described: writeParameters.restore,
      response: {
        200: record,
        ...readErrors,
        404: errorSchema,
        409: errorSchema,
        412: errorSchema,
      },
      responseHeaders: { 200: writeHeaders[200], 412: entityTag },
    },
  };
}

/** Of the list of children below the record that they belong to. */
export function schemasBelow(
  { noun }: DeclaredCollection,
  { name, field, other }: Relation,
  { noun: child, record }: DeclaredCollection,
) {
  const parent = withArticle(noun);
  return {
    list: {
      summary: `List the ${name} of ${parent}`,
      description: 'Supports all that the whole list supports.',
      params,
      querystring: Type.Object(listQuery(record, embedsOf(other))),
      response: {
        200: everyFormat(Type.Array(wholeRecord(record)), `The ${name}.`),
        ...readErrors,
        404: errorSchema,
        414: errorSchema,
      },
      responseHeaders: { 200: listHeaders },
    },
    create: {
      summary: `Create ${withArticle(child)} of ${parent}`,
      description: `${field} is the id in the path, and may be left out.`,
      params,
      body: childSchema(record, field, name),
      described: { ...writeParameters.create, body: otherBodies },
      response: {
        201: everyFormat(wholeRecord(record), `The ${child}.`),
        ...bodyErrors,
        404: errorSchema,
        409: errorSchema,
      },
      responseHeaders: { 201: writeHeaders[201] },
    },
  };
}

function withArticle(noun: string): string {
  return `${/^[aeio]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

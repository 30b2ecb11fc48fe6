/** What the endpoints of this service's collections accept and return. */

import { Type } from 'typebox';
import { wholeRecord } from '../../../data/declare-record.js';
import { failures } from '../../../http/schemas/error-schema.js';
import { entityTag } from '../../../http/schemas/header-schemas.js';
import { maxCreatedRows } from '../../../state/rows/dataset.js';
import { otherBodies } from '../routes/accepted-types.js';
import { collectionSchemas } from '../routes/collection-schemas.js';
import {
  listHeaders,
  readPreconditions,
  writeHeaders,
  writeParameters,
} from '../routes/described-headers.js';
import { filterQuery, listQuery, recordQuery } from '../routes/query-schemas.js';
import { bodyErrors, everyFormat, readErrors } from '../routes/record-formats.js';
import type { DeclaredCollection, DeclaredRelation } from './declared-collection.js';
import { filterSchema } from './filter-schema.js';
import { childSchema, newRecordSchema, patchSchema, replacementSchema } from './record-schemas.js';

const params = Type.Object({
  id: Type.Integer({ maximum: Number.MAX_SAFE_INTEGER, description: 'The id of the record.' }),
});

export function builtInSchemas({ name, noun, record: declared, relations }: DeclaredCollection) {
  const { keepsTrash, demandsCondition } = declared;
  const one = withArticle(noun);
  const record = everyFormat(wholeRecord(declared), `The ${noun}.`);
  const embeds = relations.map((relation) => relation.name);
  return {
    list: {
      summary: `List ${name}`,
      description: 'Filtered, sorted and cut into pages as the query asks.',
      ...listOf(declared, name, embeds),
    },
    ...collectionSchemas({
      one,
      many: name,
      params: { ofRecord: params },
      record: { read: record, written: record },
      bodies: {
        create: newRecordSchema(declared),
        replace: replacementSchema(declared),
        change: patchSchema(declared),
      },
      countQuery: Type.Object(filterQuery(filterSchema(declared))),
      readRequest: { headers: readPreconditions, querystring: recordQuery(embeds) },
      says: {
        create: `The id is given by the service. A sandbox holds ${maxCreatedRows} created records at most.`,
        replace: 'What is left out falls back to its default.',
        change:
          'By a JSON merge patch (RFC 7396), as application/merge-patch+json or application/json: null gives a field its default again. Or by a JSON patch (RFC 6902), as application/json-patch+json.',
        remove: keepsTrash
          ? 'Moves it to the trash: from then on it is 410.'
          : 'Once for each: a second time there is nothing, which is 404.',
      },
      noCollection: {},
      noRecord: { ...failures(404), ...(keepsTrash && failures(410)) },
      noCondition: demandsCondition ? failures(428) : {},
    }),
    restore: {
      summary: `Restore ${one}`,
      description: 'Takes it out of the trash, as it was.',
      params,
      described: writeParameters.change,
      response: {
        200: record,
        ...readErrors,
        ...failures(404, 409, 412),
      },
      responseHeaders: { 200: writeHeaders[200], 412: entityTag },
    },
  };
}

function listOf(declared: DeclaredCollection['record'], name: string, embeds: readonly string[]) {
  return {
    querystring: Type.Object(listQuery(filterSchema(declared), embeds)),
    response: {
      200: everyFormat(Type.Array(wholeRecord(declared)), `The ${name}.`),
      ...readErrors,
      ...failures(414),
    },
    responseHeaders: { 200: listHeaders },
  };
}

/** Of the children below the record that they belong to. */
export function schemasBelow(
  { noun }: DeclaredCollection,
  { name, field }: DeclaredRelation,
  child: DeclaredCollection,
) {
  const parent = withArticle(noun);
  const list = listOf(
    child.record,
    name,
    child.relations.map((relation) => relation.name),
  );
  return {
    list: {
      summary: `List the ${name} of ${parent}`,
      description: 'Supports all that the whole list supports.',
      params,
      ...list,
      response: { ...list.response, ...failures(404) },
    },
    create: {
      summary: `Create ${withArticle(child.noun)} of ${parent}`,
      description: `${field} is the id in the path, and may be left out.`,
      params,
      body: childSchema(child.record, field, name),
      described: { ...writeParameters.create, body: otherBodies },
      response: {
        201: everyFormat(wholeRecord(child.record), `The ${child.noun}.`),
        ...bodyErrors,
        ...failures(404, 409),
      },
      responseHeaders: { 201: writeHeaders[201] },
    },
  };
}

function withArticle(noun: string): string {
  return `${/^[aeio]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

/** Endpoints of this service's collections. */

import { Type } from 'typebox';
import { oncePer } from '#base/once-per.js';
import {
  childSchema,
  newRecordSchema,
  patchSchema,
  replacementSchema,
  wholeRecord,
} from '#data/record-schemas.js';
import { failures } from '#http/schemas/error-schema.js';
import { entityTag } from '#http/schemas/header-schemas.js';
import { type Endpoint, endpoint } from '#kit/endpoint.js';
import { tagRecordToken, writeRecordToken } from '#kit/offers/steering.js';
import type { Sandboxes, Services } from '#kit/services.js';
import { maxCreatedRows } from '#state/rows/dataset.js';
import { checkChild } from '../endpoints/check-before-body.js';
import { type Collection, serve } from '../endpoints/collection.js';
import { createBelow, createRecord, endpointsBelow } from '../endpoints/collection-endpoints.js';
import {
  aboutFilters,
  listQuery,
  otherBodies,
  readPreconditions,
  recordQuery,
  withFewFilters,
  writeParameters,
} from '../endpoints/parameters.js';
import { write } from '../endpoints/respond-to-write.js';
import { errors, everyFormat, headers } from '../endpoints/responses.js';
import { checkAcceptable } from '../formats/represent.js';
import { jobEndpoints } from '../jobs/job-endpoints.js';
import { jobsOf } from '../jobs/jobs.js';
import { list, listBelow } from '../read/read-records.js';
import { type DataServices, dataServicesOf } from '../source/data-services.js';
import type { DataRecord } from '../source/fields.js';
import { renderingOf } from '../source/rendering.js';
import type { Relation, Source } from '../source/source.js';
import { bodyParsers } from '../write/parse-bodies.js';
import { recordWriter } from '../write/write-record.js';
import { builtInSources, collections, type DeclaredCollection } from './collections.js';
import { filterParameters } from './record-fields.js';
import { bookViews, eventViews } from './views.js';

const sourcesOf = oncePer(({ datasets }: Sandboxes) => builtInSources(datasets));

export const writeRecordOffer = writeRecordToken.of(({ sandboxes }) =>
  recordWriter(sourcesOf(sandboxes), sandboxes),
);

export const tagRecordOffer = tagRecordToken.of(
  () => (record) => renderingOf(record as DataRecord).entityTag,
);

export function builtInEndpoints(all: Services): Endpoint[] {
  const services = dataServicesOf(all);
  const sources = sourcesOf(all.sandboxes);
  const jobs = jobsOf(services);
  jobs.serve((_view, path) => [...sources.values()].find((source) => source.path === path));
  return [
    ...jobEndpoints(jobs),
    ...collections.flatMap((declared) =>
      endpointsOf(declared, sources.get(declared.name) as Source, services),
    ),
  ];
}

const views: Readonly<Record<string, (of: Collection) => Endpoint[]>> = {
  books: bookViews,
  events: eventViews,
};

function endpointsOf(
  declared: DeclaredCollection,
  source: Source,
  services: DataServices,
): Endpoint[] {
  const of = collectionOf(declared, source, services);
  const children = source.relations().filter(({ kind }) => kind === 'children');
  return [
    listRecords(declared, of),
    createRecord(of),
    ...endpointsBelow(of),
    ...(source.keepsTrash ? [restore(of)] : []),
    ...(views[declared.name]?.(of) ?? []),
    ...children.flatMap((relation) => childEndpoints(of, declared.noun, relation)),
  ];
}

const recordParams = {
  id: Type.Integer({ maximum: Number.MAX_SAFE_INTEGER, description: 'The id of the record.' }),
};

function collectionOf(
  { name, noun, path, record, relations }: DeclaredCollection,
  source: Source,
  services: DataServices,
): Collection {
  const { keepsTrash, demandsCondition } = record;
  const shown = () => everyFormat(wholeRecord(record), `The ${noun}.`);
  return {
    path,
    services,
    sourceOf: () => source,
    bodyParsers: bodyParsers(source.fields.all),
    one: withArticle(noun),
    many: name,
    params: {},
    recordParams,
    schemas: {
      filters: () => filterParameters(record),
      create: () => newRecordSchema(record),
      replace: () => replacementSchema(record),
      change: () => patchSchema(record),
      read: shown,
      written: shown,
    },
    readParameters: { headers: readPreconditions, query: recordQuery(embedsOf(relations)) },
    says: {
      create: `The service assigns the id. A sandbox stores at most ${maxCreatedRows} created records.`,
      replace: 'Omitted fields get their defaults.',
      change:
        'A JSON merge patch (RFC 7396): null resets a field to its default. Or a JSON patch (RFC 6902), as application/json-patch+json.',
      remove: keepsTrash
        ? 'Moves it to the trash. Afterwards, it is 410.'
        : 'Deletes the record. A second DELETE gets 404.',
    },
    failures: {
      collection: [],
      record: keepsTrash ? [404, 410] : [404],
      condition: demandsCondition ? [428] : [],
    },
  };
}

function listSpec(
  { record, relations }: DeclaredCollection,
  name: string,
  filters = filterParameters(record),
) {
  return {
    query: listQuery(filters, embedsOf(relations)),
    responses: {
      200: everyFormat(Type.Array(wholeRecord(record)), `The ${name}.`),
      ...errors.read,
      ...failures(414),
    },
    responseHeaders: { 200: headers.list },
    validation: 'own' as const,
    beforeHandler: checkAcceptable,
  };
}

const listRecords = (declared: DeclaredCollection, of: Collection) =>
  endpoint('GET', of.path, () => ({
    summary: `List ${of.many}`,
    description: `Filtered, sorted and paginated by the query. ${aboutFilters}`,
    ...listSpec(declared, of.many),
    handle: serve(of, list),
  }));

const restore = (of: Collection) =>
  endpoint('POST', `${of.path}/:id/restore`, () => ({
    summary: `Restore ${of.one}`,
    description: 'Moves it out of the trash, unchanged.',
    params: recordParams,
    ...writeParameters.change,
    responses: { 200: of.schemas.written(), ...errors.read, ...failures(404, 409, 412) },
    responseHeaders: { 200: headers.write[200], 412: entityTag },
    beforeHandler: checkAcceptable,
    handle: serve(of, write('restore')),
  }));

function childEndpoints(of: Collection, noun: string, relation: Relation): Endpoint[] {
  const { name, field, other, segment } = relation;
  const path = `${of.path}/:id/${segment}`;
  const parent = withArticle(noun);
  const child = collections.find((each) => each.name === other.name) as DeclaredCollection;
  return [
    endpoint('GET', path, () => {
      const list = listSpec(child, name, withFewFilters(filterParameters(child.record)));
      return {
        summary: `List the ${name} of ${parent}`,
        description: 'Supports the same parameters as the complete list.',
        params: recordParams,
        ...list,
        responses: { ...list.responses, ...failures(404) },
        handle: serve(of, (call) => listBelow(call, relation)),
      };
    }),
    endpoint('POST', path, () => ({
      summary: `Create ${withArticle(child.noun)} of ${parent}`,
      description: `${field} is the id in the path, and may be omitted.`,
      params: recordParams,
      ...writeParameters.create,
      before: checkChild(of, () => relation),
      body: childSchema(child.record, field, name),
      bodies: otherBodies,
      otherBodies: bodyParsers(other.fields.all),
      responses: {
        201: everyFormat(wholeRecord(child.record), `The ${child.noun}.`),
        ...errors.body,
        ...failures(404, 409),
      },
      responseHeaders: { 201: headers.write[201] },
      validation: 'own' as const,
      handle: serve(of, (call) => createBelow(call, relation)),
    })),
  ];
}

function embedsOf(relations: DeclaredCollection['relations']): readonly string[] {
  return relations.map(({ name }) => name);
}

function withArticle(noun: string): string {
  return `${/^[aeio]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

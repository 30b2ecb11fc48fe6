/** REST collections: list, read, create, replace, change and delete, one implementation for all. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { wholeRecord } from '../../data/declare-record.js';
import type { App, Area, Services } from '../../server/area.js';
import { jsonContentType } from '../../server/error-handler.js';
import { errorSchema } from '../../server/error-schema.js';
import { entityTag, location } from '../../server/header-schemas.js';
import { type FieldFault, HttpError } from '../../server/http-error.js';
import { describeFaults } from '../../server/schema-compilers.js';
import {
  type Collection,
  collection,
  type Dataset,
  maxCreatedRows,
} from '../../state/collection.js';
import { applyMergePatch } from './apply-merge-patch.js';
import { books } from './books.js';
import { checkWrite, isNotModified } from './check-preconditions.js';
import { checkRecord } from './check-record.js';
import { collectionOf } from './collection.js';
import { listHeaders, preconditions, readHeaders } from './described-headers.js';
import { events } from './events.js';
import { listParameters } from './list-parameters.js';
import { pagingHeaders } from './paging-headers.js';
import { listTakes, type Query, readListQuery } from './read-list-query.js';
import { type ResourceRecord, recordFields } from './record-fields.js';
import {
  listQuerystring,
  newRecordSchema,
  patchSchema,
  replacementSchema,
} from './record-schemas.js';
import { entityTagOf, renderRecord, renderRecords } from './render-record.js';
import type { Resource, Views } from './resource.js';
import { selectRecords } from './select-records.js';

/** Every REST resource; one more is a file beside these, and its name here. */
export const resourceAreas: readonly Area[] = [events, books].map((resource) => ({
  name: resource.name,
  title: resource.title,
  start: resource.path,
  summary: resource.summary,
  examples: () => resource.examples,
  presets: resource.presets ?? [],
  collections: [{ ...collectionOf(resource.title, resource.noun), flows: resource.flows ?? [] }],
  addRoutes: (app, services) => addResource(app, resource, services),
}));

/** Longer addresses are refused: the links of a page repeat the query four times in one header. */
const maxAddressLength = 3000;

const idParams = Type.Object({
  id: Type.Integer({ maximum: Number.MAX_SAFE_INTEGER, description: 'The id of the record.' }),
});

function addResource(app: App, resource: Resource, services: Services): void {
  const { name, path, noun } = resource;
  const { fields } = resource.record;
  const parameters = listParameters(recordFields(fields));
  const record = wholeRecord(resource.record);
  const list = Type.Array(record);
  const recordPath = `${path}/:id`;
  const dataset: Dataset<ResourceRecord> = {
    name,
    get rows() {
      return services.datasets[name] as unknown as readonly ResourceRecord[];
    },
  };

  const recordsOf = (request: FastifyRequest): Collection<ResourceRecord> =>
    collection(services.sandboxOf(request), dataset);

  const views: Views = {
    recordSchema: record,
    listParameters: listQuerystring(fields).properties,
    all: async (request) => recordsOf(request).list(),
    sendList(request, reply, { records, path: listPath, alsoTaken = [] }) {
      checkAddress(request);
      const query = request.query as Query;
      const listQuery = readListQuery(parameters, query, [...alsoTaken, ...listTakes]);
      const selection = selectRecords(records, listQuery);
      const url = `${services.baseUrlOf(request)}${listPath}`;
      return reply
        .headers(pagingHeaders(url, query, listQuery.window, selection.total))
        .header('content-type', jsonContentType)
        .send(renderRecords(selection.records));
    },
    sendRecord(request, reply, found) {
      const etag = entityTagOf(found);
      reply.header('etag', etag);
      if (isNotModified(request.headers, etag)) return sendNothing(reply, 304);
      return sendJson(reply, found);
    },
  };

  const notFound = (id: number) =>
    new HttpError(404, `There is no ${noun} ${id}. GET ${path} lists those there are.`);

  app.get(
    path,
    {
      schema: {
        summary: `Lists ${name}`,
        description: 'Filtered, sorted and cut into pages as the query asks.',
        querystring: listQuerystring(fields),
        response: { 200: list, 400: errorSchema, 414: errorSchema },
        responseHeaders: { 200: listHeaders },
      },
      // Parameters are read from their text in read-list-query.ts, which can say what each takes.
      validatorCompiler: () => () => true,
    },
    async (request, reply) =>
      views.sendList(request, reply, { records: await recordsOf(request).list(), path }),
  );

  app.get(
    `${path}/count`,
    {
      schema: {
        summary: `Counts ${name}`,
        description: 'All of them, or those that the filters let through.',
        querystring: listQuerystring(fields, 'filters'),
        response: { 200: Type.Object({ count: Type.Integer() }), 400: errorSchema },
      },
      validatorCompiler: () => () => true,
    },
    async (request) => {
      const query = readListQuery(parameters, request.query as Query, ['q']);
      return { count: selectRecords(await recordsOf(request).list(), query).total };
    },
  );

  app.get(
    recordPath,
    {
      schema: {
        summary: `Reads one ${noun}`,
        description:
          'With its entity tag, by which a client can ask again cheaply and change safely.',
        params: idParams,
        described: { headers: preconditions },
        response: {
          200: record,
          304: Type.Null({ description: 'If-None-Match names the record as it is.' }),
          400: errorSchema,
          404: errorSchema,
          412: errorSchema,
        },
        responseHeaders: readHeaders,
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const found = await recordsOf(request).get(id);
      if (found === undefined) throw notFound(id);
      return views.sendRecord(request, reply, found);
    },
  );

  app.post(
    path,
    {
      schema: {
        summary: `Creates one ${noun}`,
        description: `The id is given by the service. A sandbox holds ${maxCreatedRows} created records at most.`,
        body: newRecordSchema(resource.record),
        response: { 201: record, ...bodyErrors, 409: errorSchema },
        responseHeaders: { 201: { ...entityTag, ...location } },
      },
      attachValidation: true,
    },
    async (request, reply) => {
      const faults = bodyFaults(request).map((fault) =>
        fault.field === 'id'
          ? { ...fault, message: 'The field id is given by the service.' }
          : fault,
      );
      const checked = checkRecord(resource.record, bodyObject(request), faults);
      const created = await recordsOf(request).create((id) => ({ id, ...checked }));
      reply.code(201).header('etag', entityTagOf(created));
      reply.header('location', `${services.baseUrlOf(request)}${path}/${created.id}`);
      return sendJson(reply, created);
    },
  );

  app.put(
    recordPath,
    {
      schema: {
        summary: `Replaces one ${noun}`,
        description: 'What is left out falls back to its default.',
        params: idParams,
        described: { headers: preconditions },
        body: replacementSchema(resource.record),
        response: { 200: record, ...bodyErrors, 404: errorSchema, 412: errorSchema },
        responseHeaders: readHeaders,
      },
      attachValidation: true,
    },
    async (request, reply) =>
      change(request, reply, (_found, faults) =>
        checkRecord(resource.record, bodyObject(request), faults),
      ),
  );

  app.patch(
    recordPath,
    {
      schema: {
        summary: `Changes one ${noun}`,
        description: 'A JSON merge patch (RFC 7396): null gives a field its default again.',
        params: idParams,
        described: { headers: preconditions },
        body: patchSchema(resource.record),
        response: { 200: record, ...bodyErrors, 404: errorSchema, 412: errorSchema },
        responseHeaders: readHeaders,
      },
      attachValidation: true,
    },
    async (request, reply) =>
      change(request, reply, (found, faults) => {
        const merged = applyMergePatch(found, bodyObject(request));
        return checkRecord(resource.record, merged as ResourceRecord, faults);
      }),
  );

  app.delete(
    recordPath,
    {
      schema: {
        summary: `Deletes one ${noun}`,
        description: 'Once for each: a second time there is nothing, which is 404.',
        params: idParams,
        described: { headers: preconditions },
        response: { 204: Type.Null(), 400: errorSchema, 404: errorSchema, 412: errorSchema },
        responseHeaders: { 412: entityTag },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const isRemoved = await recordsOf(request).remove(id, (found) =>
        checkWrite(request.headers, entityTagOf(found)),
      );
      if (!isRemoved) throw notFound(id);
      return sendNothing(reply, 204);
    },
  );

  resource.addViews?.(app, views, services);

  /** Checks and stores in one step, so that no other write comes between. */
  async function change(
    request: FastifyRequest,
    reply: FastifyReply,
    make: (found: ResourceRecord, faults: readonly FieldFault[]) => object,
  ): Promise<FastifyReply> {
    const faults = bodyFaults(request);
    const { id } = request.params as { id: number };
    const sentId = bodyObject(request).id;
    if (typeof sentId === 'number' && sentId !== id) {
      const message = `The field id must be left out or be ${id}, as in the path.`;
      faults.push({ field: 'id', message });
    }
    const changed = await recordsOf(request).update(id, (found) => {
      const made = { id, ...make(found, faults) };
      checkWrite(request.headers, entityTagOf(found));
      return made;
    });
    if (changed === undefined) throw notFound(id);
    return sendJson(reply.header('etag', entityTagOf(changed)), changed);
  }
}

const bodyErrors = { 400: errorSchema, 413: errorSchema, 415: errorSchema };

function sendJson(reply: FastifyReply, record: ResourceRecord): FastifyReply {
  return reply.header('content-type', jsonContentType).send(renderRecord(record));
}

function sendNothing(reply: FastifyReply, status: 204 | 304): FastifyReply {
  return reply.code(status).send();
}

function checkAddress({ url }: FastifyRequest): void {
  if (url.length <= maxAddressLength) return;
  throw new HttpError(414, `The address is longer than ${maxAddressLength} characters.`);
}

/** What the route's schema finds wrong with the body; throws what is wrong before that. */
function bodyFaults({ validationError }: FastifyRequest): FieldFault[] {
  if (validationError === undefined) return [];
  const { validation, validationContext } = validationError;
  const faults = describeFaults(validation, validationContext);
  // A body that is no object has no fields whose faults could be added.
  if (validationContext !== 'body' || faults.some(({ field }) => field === ''))
    throw validationError;
  return faults;
}

function bodyObject({ body }: FastifyRequest): Readonly<Record<string, unknown>> {
  return body as Readonly<Record<string, unknown>>;
}

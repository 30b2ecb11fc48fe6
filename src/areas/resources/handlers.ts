/** The handlers of a resource's routes, one implementation for all resources. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Services } from '../../server/area.js';
import { jsonContentType } from '../../server/error-handler.js';
import { type FieldFault, HttpError } from '../../server/http-error.js';
import { hasBody } from '../../server/lean-request.js';
import { describeFaults } from '../../server/schema-compilers.js';
import { type Collection, collection, type Dataset } from '../../state/collection.js';
import { applyMergePatch } from './apply-merge-patch.js';
import { checkPatchType } from './check-patch-type.js';
import { checkWrite, isNotModified } from './check-preconditions.js';
import { checkRecord } from './check-record.js';
import { listParameters } from './list-parameters.js';
import { pagingHeaders } from './paging-headers.js';
import { listTakes, type Query, readListQuery } from './read-list-query.js';
import { type ResourceRecord, recordFields } from './record-fields.js';
import { entityTagOf, renderRecord, renderRecords } from './render-record.js';
import type { Resource, Views } from './resource.js';
import { selectRecords } from './select-records.js';

/** Longer addresses are refused: the links of a page repeat the query four times in one header. */
const maxAddressLength = 3000;

export function resourceHandlers({ name, path, noun, record }: Resource, services: Services) {
  const parameters = listParameters(recordFields(record.fields));
  const dataset: Dataset<ResourceRecord> = {
    name,
    get rows() {
      return services.datasets[name] as unknown as readonly ResourceRecord[];
    },
  };

  const recordsOf = (request: FastifyRequest): Collection<ResourceRecord> =>
    collection(services.sandboxOf(request), dataset);

  const notFound = (id: number) =>
    new HttpError(404, `There is no ${noun} ${id}. GET ${path} lists those there are.`);

  const all: Views['all'] = async (request) => recordsOf(request).list();

  const sendList: Views['sendList'] = (request, reply, view) => {
    checkAddress(request);
    const query = request.query as Query;
    const listQuery = readListQuery(parameters, query, [...(view.alsoTaken ?? []), ...listTakes]);
    const selection = selectRecords(view.records, listQuery);
    const url = `${services.baseUrlOf(request)}${view.path}`;
    return reply
      .headers(pagingHeaders(url, query, listQuery.window, selection.total))
      .header('content-type', jsonContentType)
      .send(renderRecords(selection.records));
  };

  const sendRecord: Views['sendRecord'] = (request, reply, found) => {
    const etag = entityTagOf(found);
    reply.header('etag', etag);
    if (isNotModified(request.headers, etag)) return sendNothing(reply, 304);
    return sendJson(reply, found);
  };

  async function list(request: FastifyRequest, reply: FastifyReply) {
    return sendList(request, reply, { records: await recordsOf(request).list(), path });
  }

  async function count(request: FastifyRequest) {
    const query = readListQuery(parameters, request.query as Query, ['q']);
    return { count: selectRecords(await recordsOf(request).list(), query).total };
  }

  async function read(request: FastifyRequest, reply: FastifyReply) {
    const id = idOf(request);
    const found = await recordsOf(request).get(id);
    if (found === undefined) throw notFound(id);
    return sendRecord(request, reply, found);
  }

  async function create(request: FastifyRequest, reply: FastifyReply) {
    const faults = bodyFaults(request).map((fault) =>
      fault.field === 'id' ? { ...fault, message: 'The field id is given by the service.' } : fault,
    );
    const checked = checkRecord(record, bodyObject(request), faults);
    const created = await recordsOf(request).create((id) => ({ id, ...checked }));
    reply.code(201).header('etag', entityTagOf(created));
    reply.header('location', `${services.baseUrlOf(request)}${path}/${created.id}`);
    return sendJson(reply, created);
  }

  async function replace(request: FastifyRequest, reply: FastifyReply) {
    return store(request, reply, (_found, faults) =>
      checkRecord(record, bodyObject(request), faults),
    );
  }

  async function change(request: FastifyRequest, reply: FastifyReply) {
    return store(request, reply, (found, faults) => {
      const merged = applyMergePatch(found, bodyObject(request));
      return checkRecord(record, merged as ResourceRecord, faults);
    });
  }

  async function remove(request: FastifyRequest, reply: FastifyReply) {
    const id = idOf(request);
    const isRemoved = await recordsOf(request).remove(id, (found) =>
      checkWrite(request.headers, () => entityTagOf(found)),
    );
    if (!isRemoved) throw notFound(id);
    return sendNothing(reply, 204);
  }

  /** Checks and stores in one step, so that no other write comes between. */
  async function store(
    request: FastifyRequest,
    reply: FastifyReply,
    make: (found: ResourceRecord, faults: readonly FieldFault[]) => object,
  ): Promise<FastifyReply> {
    const faults = bodyFaults(request);
    const id = idOf(request);
    const sentId = bodyObject(request).id;
    if (typeof sentId === 'number' && sentId !== id) {
      const message = `The field id must be left out or be ${id}, as in the path.`;
      faults.push({ field: 'id', message });
    }
    const changed = await recordsOf(request).update(id, (found) => {
      const made = { id, ...make(found, [...faults]) };
      checkWrite(request.headers, () => entityTagOf(found));
      return made;
    });
    if (changed === undefined) throw notFound(id);
    return sendJson(reply.header('etag', entityTagOf(changed)), changed);
  }

  return { list, count, read, create, replace, change, remove, all, sendList, sendRecord };
}

/** Before the body is read, since what is not taken need not be parsed. */
export async function refuseOtherPatches({ raw, headers }: FastifyRequest): Promise<void> {
  if (hasBody(raw)) checkPatchType(headers['content-type']);
}

function idOf({ params }: FastifyRequest): number {
  return (params as { readonly id: number }).id;
}

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

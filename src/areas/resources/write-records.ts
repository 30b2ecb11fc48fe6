/** How a collection is written: its records are created, replaced, changed and removed. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Services } from '../../server/area.js';
import type { FieldFault } from '../../server/http-error.js';
import { hasBody } from '../../server/lean-request.js';
import { describeFaults } from '../../server/schema-compilers.js';
import { applyMergePatch } from './apply-merge-patch.js';
import { checkPatchType } from './check-patch-type.js';
import { checkWrite } from './check-preconditions.js';
import type { CheckedRecord } from './check-record.js';
import { notFound } from './read-records.js';
import type { ResourceRecord } from './record-fields.js';
import { entityTagOf } from './render-record.js';
import type { Resource, SentFields } from './resource.js';
import { answersOf } from './send-records.js';

export function writeHandlers(resource: Resource, services: Services) {
  const { path, recordsOf, idOf, check, referenceFaults } = resource;
  const answers = answersOf(resource, services);

  async function create(request: FastifyRequest, reply: FastifyReply) {
    const faults = (await faultsOf(request)).map((fault) =>
      fault.field === 'id' ? { ...fault, message: 'The field id is given by the service.' } : fault,
    );
    const checked = check(request, bodyObject(request), faults);
    const created = await recordsOf(request).create(checked);
    reply.code(201).header('location', `${services.baseUrlOf(request)}${path}/${created.id}`);
    return answers.sendOne(request, reply, created);
  }

  async function replace(request: FastifyRequest, reply: FastifyReply) {
    return store(request, reply, (_found, faults) => check(request, bodyObject(request), faults));
  }

  async function change(request: FastifyRequest, reply: FastifyReply) {
    return store(request, reply, (found, faults) => {
      const merged = applyMergePatch(found, bodyObject(request));
      return check(request, merged as SentFields, faults);
    });
  }

  async function remove(request: FastifyRequest, reply: FastifyReply) {
    const id = idOf(request);
    const isRemoved = await recordsOf(request).remove(id, (found) =>
      checkWrite(request.headers, () => entityTagOf(found)),
    );
    if (!isRemoved) throw notFound(resource, id);
    return reply.code(204).send();
  }

  /** Checks and stores in one step, so that no other write comes between. */
  async function store(
    request: FastifyRequest,
    reply: FastifyReply,
    make: (found: ResourceRecord, faults: readonly FieldFault[]) => CheckedRecord,
  ): Promise<FastifyReply> {
    const faults = await faultsOf(request);
    const id = idOf(request);
    const sentId = bodyObject(request).id;
    if (typeof sentId === typeof id && sentId !== id) {
      const message = `The field id must be left out or be ${id}, as in the path.`;
      faults.push({ field: 'id', message });
    }
    const changed = await recordsOf(request).update(id, (found, nowMs) => {
      const made = make(found, [...faults])(id, nowMs);
      checkWrite(request.headers, () => entityTagOf(found));
      return made;
    });
    if (changed === undefined) throw notFound(resource, id);
    return answers.sendOne(request, reply, changed);
  }

  async function faultsOf(request: FastifyRequest): Promise<FieldFault[]> {
    const faults = bodyFaults(request);
    return [...faults, ...(await referenceFaults(request, bodyObject(request)))];
  }

  return { create, replace, change, remove };
}

/** Before the body is read, since what is not taken need not be parsed. */
export async function refuseOtherPatches({ raw, headers }: FastifyRequest): Promise<void> {
  if (hasBody(raw)) checkPatchType(headers['content-type']);
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

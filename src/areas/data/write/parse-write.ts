/** Requests and operations of batches as writes. */

import { describeFaults } from '../../../app/schema-compilers.js';
import { gotValue } from '../../../base/text/got-value.js';
import { whenKnown } from '../../../base/when-known.js';
import type { Request } from '../../../http/exchange.js';
import { type FieldFault, HttpError } from '../../../http/http-error.js';
import { jsonPatchType, parseJsonPatch } from '../../../http/json/parse-json-patch.js';
import { mediaType } from '../../../http/request-body.js';
import type { Awaitable } from '../../../state/state.js';
import type { Resource, SentFields } from '../built-in/resource.js';
import type { RecordId } from '../source/record-fields.js';
import type { SentOperation } from './batch.js';
import { writeConditionsOf } from './check-preconditions.js';
import type { Write } from './write.js';
import type { WriteOptions } from './write-options.js';

/** What kind of write a request or an operation is. */
export type WriteKind = Write['kind'];

/** Throws 400 where the body is nothing that could be looked at; other faults are the write's. */
export function parseWrite(
  kind: WriteKind,
  resource: Resource,
  request: Request,
  { isUpsert, isPurge }: WriteOptions,
): Awaitable<Write> {
  const sent = (mapFaults: MapFaults) =>
    sentMembers(resource, request, request.body, bodyFaults(request), mapFaults);
  if (kind === 'create') {
    return whenKnown(sent(asNew), ({ body, faults }) => ({ kind, body, faults }));
  }
  const id = resource.idOf(request);
  const conditions = writeConditionsOf(request.headers);
  if (kind === 'remove') return { kind, id, conditions, isPurge };
  if (kind === 'restore') return { kind, id, conditions };
  if (kind === 'merge' && isJsonPatch(request)) {
    parseJsonPatch(request.body);
    return { kind: 'patch', id, conditions, body: request.body };
  }
  return whenKnown(sent(resource.isSingle ? asIs : asOf(id)), ({ body, faults }) =>
    kind === 'replace'
      ? { kind, id, conditions, body, faults, isUpsert }
      : { kind: 'merge', id, conditions, body, faults },
  );
}

/** Throws 400 as {@link parseWrite} does, with what is wrong with the id as well. */
export async function parseOperation(
  resource: Resource,
  request: Request,
  { method, id: sentId, body, ifMatch }: SentOperation,
): Promise<Write> {
  const sent = (kind: 'create' | 'replace' | 'merge', mapFaults: MapFaults) => {
    const faults = resource.bodyFaults(kind, body);
    const whole = faults.find(({ field }) => field === '');
    if (whole !== undefined) throw new HttpError(400, whole.message, { body: { errors: faults } });
    return sentMembers(resource, request, body, faults, mapFaults);
  };
  if (method === 'POST') return { kind: 'create', ...(await sent('create', asNew)) };
  const id = resource.parseId(sentId);
  const target = { id, conditions: ifMatch === undefined ? {} : { 'if-match': ifMatch } };
  if (method === 'DELETE') return { kind: 'remove', ...target, isPurge: false };
  if (method === 'PUT') {
    return { kind: 'replace', ...target, ...(await sent('replace', asOf(id))), isUpsert: false };
  }
  if (!Array.isArray(body)) return { kind: 'merge', ...target, ...(await sent('merge', asOf(id))) };
  parseJsonPatch(body);
  return { kind: 'patch', ...target, body };
}

type MapFaults = (faults: FieldFault[], body: SentFields) => FieldFault[];

const asNew: MapFaults = (faults) =>
  faults.map((fault) =>
    fault.field === 'id'
      ? { ...fault, message: 'id must be left out: the service gives it.' }
      : fault,
  );

const asIs: MapFaults = (faults) => faults;

function asOf(id: RecordId): MapFaults {
  return (faults, { id: sentId }) => {
    if (typeof sentId !== typeof id || sentId === id) return faults;
    const message = `id must be left out or be ${id}, as in the path${gotValue('id', sentId)}.`;
    return [...faults, { field: 'id', message }];
  };
}

function isJsonPatch({ headers }: Request): boolean {
  const { 'content-type': contentType } = headers;
  return contentType !== undefined && mediaType(contentType) === jsonPatchType;
}

interface Members {
  readonly body: SentFields;
  readonly faults: readonly FieldFault[];
}

/** The members of a body with what is wrong with them so far; its values, and the records that they name. */
function sentMembers(
  resource: Resource,
  request: Request,
  sent: unknown,
  faults: FieldFault[],
  mapFaults: MapFaults,
): Awaitable<Members> {
  const body = sent as SentFields;
  return whenKnown(resource.referenceFaults(request, body), (orphans) => ({
    body,
    faults: mapFaults(orphans.length === 0 ? faults : [...faults, ...orphans], body),
  }));
}

/** What the route's schema finds wrong with the body; throws what is wrong before that. */
function bodyFaults({ validationError }: Request): FieldFault[] {
  if (validationError === undefined) return [];
  const { validation, validationContext } = validationError;
  const faults = describeFaults(validation, validationContext);
  // A body that is no object has no fields whose faults could be added.
  if (validationContext !== 'body' || faults.some(({ field }) => field === ''))
    throw validationError;
  return faults;
}

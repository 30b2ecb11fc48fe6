/** Reads what a request asks for: one write, or the operations of a batch. */

import { gotValue } from '../../../base/text/got-value.js';
import { type FieldFault, HttpError } from '../../../http/http-error.js';
import { jsonPatchType, parseJsonPatch } from '../../../http/json/parse-json-patch.js';
import { mediaType } from '../../../http/request-body.js';
import type { Call } from '../source/call.js';
import { faultyFields } from '../source/faults.js';
import { orphanFaults } from '../source/relations.js';
import type { BodyKind, RecordId, SentFields } from '../source/source.js';
import { unknownMembers } from '../source/strictness.js';
import { checkOperations, operationMembers, type SentOperation } from './batch.js';
import { writeConditionsOf } from './check-preconditions.js';
import type { BatchCommand, Command, Rejection } from './command.js';
import type { CheckedFields, Write, WriteKind, WriteTarget } from './write.js';
import { usualOptions, type WriteOptions } from './write-options.js';

export type CommandKind = Exclude<WriteKind, 'patch'> | 'batch';

/** Throws 400 where the body is no object, or no batch; what else is wrong with it is the command's. */
export async function readCommand(
  kind: CommandKind,
  call: Call,
  options: WriteOptions,
): Promise<Command> {
  if (kind === 'batch') return { batch: await readBatch(call) };
  const { request, source, pathId } = call;
  const { body, headers } = request;
  if (kind === 'create') return { write: { kind, ...(await checkFields(call, kind, body)) } };
  const target = { id: source.idInPath(pathId), conditions: writeConditionsOf(headers) };
  const isPatch = kind === 'merge' && mediaType(headers['content-type']) === jsonPatchType;
  return { write: await writeTo(call, isPatch ? 'patch' : kind, target, body, options) };
}

interface SentBatch {
  readonly operations: readonly SentOperation[];
  readonly atomic?: boolean;
}

async function readBatch(call: Call): Promise<BatchCommand> {
  const { request } = call;
  const { operations, atomic = false } = request.body as SentBatch;
  const unknown = [
    ...unknownMembers(request, request.body, ['operations', 'atomic']),
    ...operations.flatMap((operation, index) =>
      unknownMembers(request, operation, operationMembers, `operations.${index}.`),
    ),
  ];
  if (unknown.length > 0) throw faultyFields(unknown);
  checkOperations(operations);
  const read: BatchCommand['operations'][number][] = [];
  for (const operation of operations) read.push(await readOrReject(call, operation));
  return { isAtomic: atomic, operations: read };
}

/** The rejection of one of several operations is its result, or in its turn the one of all of them. */
async function readOrReject(
  call: Call,
  operation: SentOperation,
): Promise<Write | { readonly rejection: Rejection }> {
  try {
    return await readOperation(call, operation);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    const { status, message, headers, extra } = error;
    return { rejection: { status, message, headers, body: extra } };
  }
}

const kinds = { PUT: 'replace', PATCH: 'merge', DELETE: 'remove' } as const;

async function readOperation(
  call: Call,
  { method, id, body, ifMatch }: SentOperation,
): Promise<Write> {
  if (method === 'POST') return { kind: 'create', ...(await checkFields(call, 'create', body)) };
  const conditions = ifMatch === undefined ? {} : { 'if-match': ifMatch };
  const target = { id: call.source.parseId(id), conditions };
  const isPatch = method === 'PATCH' && Array.isArray(body);
  return writeTo(call, isPatch ? 'patch' : kinds[method], target, body, usualOptions);
}

async function writeTo(
  call: Call,
  kind: Exclude<WriteKind, 'create'>,
  target: WriteTarget,
  body: unknown,
  { isUpsert, isPurge }: WriteOptions,
): Promise<Write> {
  if (kind === 'remove') return { kind, ...target, isPurge };
  if (kind === 'restore') return { kind, ...target };
  if (kind === 'patch') {
    parseJsonPatch(body);
    return { kind, ...target, body };
  }
  const fields = await checkFields(call, kind, body, target.id);
  return kind === 'replace'
    ? { kind, ...target, ...fields, isUpsert }
    : { kind, ...target, ...fields };
}

/** Returns the fields of a body, with all that is wrong with them so far. `id` is the one of the record in the path. */
async function checkFields(
  call: Call,
  kind: BodyKind,
  sent: unknown,
  id?: RecordId,
): Promise<CheckedFields> {
  const { source } = call;
  const faults = source.bodyFaults(kind, sent);
  if (faults.some(({ field }) => field === '')) throw faultyFields(faults);
  const body = sent as SentFields;
  if (source.checksReferences) faults.push(...(await orphanFaults(call, body)));
  if (id === undefined) return { body, faults: faults.map(withoutId) };
  if (!source.isSingle && typeof body.id === typeof id && body.id !== id) {
    const message = `id must be left out or be ${id}, as in the path${gotValue('id', body.id)}.`;
    faults.push({ field: 'id', message });
  }
  return { body, faults };
}

function withoutId(fault: FieldFault): FieldFault {
  if (fault.field !== 'id') return fault;
  return { ...fault, message: 'id must be left out: the service gives it.' };
}

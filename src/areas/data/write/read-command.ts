/** Reads what a request asks for: one write, or the operations of a batch. */

import { mediaType } from '../../../http/body/request-body.js';
import { HttpError } from '../../../http/http-error.js';
import { jsonPatchType, parseJsonPatch } from '../patch/parse-json-patch.js';
import type { Call } from '../source/call.js';
import { faultyFields } from '../source/faults.js';
import { orphanFaults } from '../source/relations.js';
import type { BodyKind, SentFields } from '../source/source.js';
import { unknownMembers } from '../source/strictness.js';
import { BodyError, checkOperations, operationMembers, type SentOperation } from './batch.js';
import { writeConditionsOf } from './check-preconditions.js';
import type { BatchCommand, Command } from './command.js';
import type { CheckedFields, Write, WriteKind, WriteTarget } from './write.js';
import { usualOptions, type WriteOptions } from './write-options.js';

export type CommandKind = Exclude<WriteKind, 'patch'> | 'batch';

/** Throws 400 where the body is no object, or no batch; what else is wrong with it is the command's. */
export function readCommand(kind: CommandKind, call: Call, options: WriteOptions): Command {
  if (kind === 'batch') return { batch: readBatch(call) };
  const { request, source, pathId } = call;
  const { body, headers } = request;
  if (kind === 'create') return { write: readCreation(call, body) };
  const target = { id: source.idInPath(pathId), conditions: writeConditionsOf(headers) };
  const isPatch = kind === 'merge' && mediaType(headers['content-type']) === jsonPatchType;
  return { write: readWrite(call, isPatch ? 'patch' : kind, target, body, options) };
}

interface SentBatch {
  readonly operations: readonly SentOperation[];
  readonly atomic?: boolean;
}

function readBatch(call: Call): BatchCommand {
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
  return {
    isAtomic: atomic,
    operations: operations.map((operation) => readOrReject(call, operation)),
  };
}

/** The rejection of one of several operations is its result, or in its turn the one of all of them. */
function readOrReject(call: Call, operation: SentOperation): BatchCommand['operations'][number] {
  try {
    return readOperation(call, operation);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    const { status, message, headers, extra } = error;
    return { rejection: { status, message, headers, body: extra } };
  }
}

const kinds = { PUT: 'replace', PATCH: 'merge', DELETE: 'remove' } as const;

function readOperation(call: Call, { method, id, body, ifMatch }: SentOperation): Write {
  if (method === 'POST') return readCreation(call, body);
  const conditions = ifMatch === undefined ? {} : { 'if-match': ifMatch };
  const target = { id: call.source.parseId(id), conditions };
  const isPatch = method === 'PATCH' && Array.isArray(body);
  return readWrite(call, isPatch ? 'patch' : kinds[method], target, body, usualOptions);
}

function readCreation(call: Call, sent: unknown): Write {
  const { body, faults } = readFields(call, 'create', sent);
  for (const [place, fault] of faults.entries()) {
    const message = 'id must be left out: the service gives it.';
    if (fault.field === 'id') faults[place] = { ...fault, message };
  }
  return { kind: 'create', body, faults };
}

/** Members are named one by one: V8 is slow at copying objects of many shapes. */
function readWrite(
  call: Call,
  kind: Exclude<WriteKind, 'create'>,
  { id, conditions }: WriteTarget,
  sent: unknown,
  { isUpsert, isPurge }: WriteOptions,
): Write {
  if (kind === 'remove') return { kind, id, conditions, isPurge };
  if (kind === 'restore') return { kind, id, conditions };
  if (kind === 'patch') {
    parseJsonPatch(sent);
    return { kind, id, conditions, body: sent };
  }
  const { body, faults } = readFields(call, kind, sent);
  return kind === 'replace'
    ? { kind, id, conditions, body, faults, isUpsert }
    : { kind, id, conditions, body, faults };
}

function readFields({ source }: Call, kind: BodyKind, sent: unknown): CheckedFields {
  const faults = source.bodyFaults(kind, sent);
  const whole = faults.find(({ field }) => field === '');
  if (whole !== undefined) throw new BodyError(400, whole.message, { body: { errors: faults } });
  return { body: sent as SentFields, faults };
}

/** Adds a fault for each reference of a command that leads to no record. */
export async function checkReferences(call: Call, { write, batch }: Command): Promise<void> {
  for (const each of batch === undefined ? [write] : batch.operations) {
    if ('faults' in each) each.faults.push(...(await orphanFaults(call, each.body)));
  }
}

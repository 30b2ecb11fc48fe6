/** Reads what a request does to records, one write or the operations of a batch, and how it is done. */

import { type FieldFault, HttpError } from '../../../http/http-error.js';
import { jsonPatchType, parseJsonPatch } from '../../../http/json/parse-json-patch.js';
import { mediaType } from '../../../http/request-body.js';
import { maxJobSeconds, usualJobSeconds } from '../jobs/job.js';
import { parameterFault, rejectFaults, unknownParameters } from '../source/faults.js';
import { orphanFaults } from '../source/relations.js';
import type { BodyKind, Call, Query, SentFields, Source } from '../source/source.js';
import { unknownMembers } from '../source/strictness.js';
import { checkOperations, operationMembers, type SentOperation } from './batch.js';
import { writeConditionsOf } from './check-preconditions.js';
import type {
  BatchCommand,
  CheckedFields,
  Command,
  Write,
  WriteKind,
  WriteTarget,
} from './write.js';

export type CommandKind = Exclude<WriteKind, 'patch'> | 'batch';

export interface WriteOptions {
  readonly isKeyRequired: boolean;
  readonly isUpsert: boolean;
  readonly isPurge: boolean;
  readonly jobSeconds: number;
  readonly jobFails: boolean;
}

/** Thrown for a body that has no fields; it is not kept for repeated requests. */
export class BodyError extends HttpError {}

/** Throws 400 where the body is no object, or no batch; what else is wrong with it is the command's. */
export function readCommand(kind: CommandKind, call: Call, options: WriteOptions): Command {
  const { request, source, pathId } = call;
  const { body, headers } = request;
  if (kind === 'batch') return { batch: readBatch(call) };
  if (kind === 'create') return { write: readCreation(source, body) };
  const target = { id: source.idInPath(pathId), conditions: writeConditionsOf(headers) };
  const isPatch = kind === 'merge' && mediaType(headers['content-type']) === jsonPatchType;
  return { write: readWrite(source, isPatch ? 'patch' : kind, target, body, options) };
}

interface SentBatch {
  readonly operations: readonly SentOperation[];
  readonly atomic?: boolean;
}

function readBatch({ request, source }: Call): BatchCommand {
  const { operations, atomic = false } = request.body as SentBatch;
  rejectFaults([
    ...unknownMembers(request, request.body, ['operations', 'atomic']),
    ...operations.flatMap((operation, index) =>
      unknownMembers(request, operation, operationMembers, `operations.${index}.`),
    ),
  ]);
  checkOperations(operations);
  return {
    isAtomic: atomic,
    operations: operations.map((operation) => readOrReject(source, operation)),
  };
}

/** The rejection of one of several operations is its result, or in its turn that of all of them. */
function readOrReject(
  source: Source,
  operation: SentOperation,
): BatchCommand['operations'][number] {
  try {
    return readOperation(source, operation);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    const { status, message, headers, extra } = error;
    return { rejection: { status, message, headers, body: extra } };
  }
}

const kinds = { PUT: 'replace', PATCH: 'merge', DELETE: 'remove' } as const;

function readOperation(source: Source, { method, id, body, ifMatch }: SentOperation): Write {
  if (method === 'POST') return readCreation(source, body);
  const target = { id: source.parseId(id), conditions: { 'if-match': ifMatch } };
  const isPatch = method === 'PATCH' && Array.isArray(body);
  return readWrite(source, isPatch ? 'patch' : kinds[method], target, body);
}

function readCreation(source: Source, sent: unknown): Write {
  const { body, faults } = readFields(source, 'create', sent);
  const message = 'id must be left out: the service gives it.';
  const named = faults.map((fault) => (fault.field === 'id' ? { ...fault, message } : fault));
  return { kind: 'create', body, faults: named };
}

/** Members are named one by one: V8 is slow at copying objects of many shapes. */
function readWrite(
  source: Source,
  kind: Exclude<WriteKind, 'create'>,
  { id, conditions }: WriteTarget,
  sent: unknown,
  { isUpsert = false, isPurge = false }: Partial<WriteOptions> = {},
): Write {
  if (kind === 'remove') return { kind, id, conditions, isPurge };
  if (kind === 'restore') return { kind, id, conditions };
  if (kind === 'patch') {
    parseJsonPatch(sent);
    return { kind, id, conditions, body: sent };
  }
  const { body, faults } = readFields(source, kind, sent);
  return kind === 'replace'
    ? { kind, id, conditions, body, faults, isUpsert }
    : { kind, id, conditions, body, faults };
}

function readFields(source: Source, kind: BodyKind, sent: unknown): CheckedFields {
  const faults = source.bodyFaults(kind, sent);
  const whole = faults.find(({ field }) => field === '');
  if (whole !== undefined) throw new BodyError(400, whole.message, { body: { errors: faults } });
  return { body: sent as SentFields, faults };
}

export async function checkReferences(call: Call, { write, batch }: Command): Promise<void> {
  for (const each of batch === undefined ? [write] : batch.operations) {
    if ('faults' in each) each.faults.push(...(await orphanFaults(call, each.body)));
  }
}

/** Throws 400 for invalid values, and where a client is strict for parameters that mean nothing here. */
export function readWriteOptions(
  query: Query,
  accepted: readonly string[],
  isStrict: boolean,
): WriteOptions {
  const faults: FieldFault[] = [];
  const given = (name: string) => (accepted.includes(name) ? query[name] : undefined);
  const isTrue = (name: string): boolean => {
    const value = given(name);
    if (value !== undefined && value !== 'true' && value !== 'false') {
      faults.push(parameterFault(name, 'must be true or false', value));
    }
    return value === 'true';
  };
  const options = {
    isKeyRequired: isTrue('requireIdempotency'),
    isUpsert: isTrue('upsert'),
    isPurge: isTrue('purge'),
    jobSeconds: readSeconds(given('jobSeconds'), faults),
    jobFails: isTrue('jobFails'),
  };
  if (isStrict) faults.push(...unknownParameters(query, accepted));
  rejectFaults(faults);
  return options;
}

const seconds = /^\d{1,4}(?:\.\d{1,3})?$/;

function readSeconds(value: Query[string] | undefined, faults: FieldFault[]): number {
  if (value === undefined) return usualJobSeconds;
  const number = typeof value === 'string' && seconds.test(value) ? Number(value) : Number.NaN;
  if (number <= maxJobSeconds) return number;
  faults.push(parameterFault('jobSeconds', `must be seconds from 0 to ${maxJobSeconds}`, value));
  return usualJobSeconds;
}

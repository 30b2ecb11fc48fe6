/** Parses a request's command, which is one write or the operations of a batch. */

import type { Static } from 'typebox';
import { mediaType } from '#http/body/request-body.js';
import { type FieldFault, HttpError } from '#http/http-error.js';
import { jsonPatchType, parseJsonPatch } from '../patch/parse-json-patch.js';
import { rejectFaults, unknownMembers } from '../source/faults.js';
import { orphanFaults } from '../source/relations.js';
import type { BodyKind, Call, SentFields, Source } from '../source/source.js';
import {
  BodyError,
  batchSchema,
  checkOperations,
  kinds,
  operationSchema,
  type SentOperation,
} from './batch.js';
import { writeConditionsOf } from './check-preconditions.js';
import type { BatchCommand, Command, RejectedOperation, Write, WriteKind } from './write.js';

export type CommandKind = Exclude<WriteKind, 'patch'> | 'batch';

interface Choices {
  readonly isUpsert: boolean;
  readonly isPurge: boolean;
}

/** Throws 400 if the body is not an object, or not a batch. Other errors are part of the command. */
export async function readCommand(kind: CommandKind, call: Call, choices: Choices) {
  const command = commandOf(kind, call, choices);
  if (call.source.checksReferences) await checkReferences(call, command);
  return command;
}

function commandOf(kind: CommandKind, call: Call, choices: Choices): Command {
  const { request, source, pathId } = call;
  const { body, headers } = request;
  if (kind === 'batch') return { batch: readBatch(call) };
  if (kind === 'create') return { write: readWrite(source, kind, body) };
  const { isUpsert, isPurge } = choices;
  const target = { id: source.idInPath(pathId), conditions: writeConditionsOf(headers) };
  const isPatch = kind === 'merge' && mediaType(headers['content-type']) === jsonPatchType;
  const write = readWrite(source, isPatch ? 'patch' : kind, body, target);
  return { write: { ...write, isUpsert, isPurge } };
}

function readBatch({ request, source }: Call): BatchCommand {
  const { operations, atomic: isAtomic = false } = request.body as Static<typeof batchSchema>;
  rejectFaults([
    ...unknownMembers(request, request.body, batchSchema),
    ...operations.flatMap((operation, index) =>
      unknownMembers(request, operation, operationSchema, `operations.${index}.`),
    ),
  ]);
  checkOperations(operations);
  return { isAtomic, operations: operations.map((each) => readOrReject(source, each)) };
}

/** The error of one operation becomes its result, or for an atomic batch the error of the whole. */
function readOrReject(
  source: Source,
  { method, id, body, ifMatch }: SentOperation,
): BatchCommand['operations'][number] {
  let target: RejectedOperation['target'];
  try {
    if (method === 'POST') return readWrite(source, 'create', body);
    target = { id: source.parseId(id), conditions: { 'if-match': ifMatch } };
    const isPatch = method === 'PATCH' && Array.isArray(body);
    return readWrite(source, isPatch ? 'patch' : kinds[method], body, target);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    const { status, message, headers, extra } = error;
    return { rejection: { status, message, headers, body: extra }, ...(target && { target }) };
  }
}

export function readWrite(
  source: Source,
  kind: WriteKind,
  sent: unknown,
  { id, conditions }: Pick<Write, 'id' | 'conditions'> = { id: '', conditions: {} },
): Write {
  const write = { kind, id, conditions, body: {}, faults: [], isUpsert: false, isPurge: false };
  if (kind === 'remove' || kind === 'restore') return write;
  if (kind !== 'patch') {
    return { ...write, faults: readFaults(source, kind, sent), body: sent as SentFields };
  }
  parseJsonPatch(sent);
  return { ...write, jsonPatch: sent };
}

function readFaults(source: Source, kind: BodyKind, body: unknown): FieldFault[] {
  const faults = source.bodyFaults(kind, body);
  const whole = faults.find(({ field }) => field === '');
  if (whole !== undefined) throw new BodyError(400, whole.message, { body: { errors: faults } });
  if (kind !== 'create') return faults;
  const message = 'id must be omitted: the service assigns it.';
  return faults.map((fault) => (fault.field === 'id' ? { ...fault, message } : fault));
}

async function checkReferences(call: Call, { write, batch }: Command): Promise<void> {
  const find = (other: Source, id: number) => call.to(other).read((records) => records.get(id));
  for (const each of batch === undefined ? [write] : batch.operations) {
    if ('faults' in each) each.faults.push(...(await orphanFaults(call.source, each.body, find)));
  }
}

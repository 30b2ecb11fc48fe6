/** Performs writes on the records of a sandbox. */

import { gotValue } from '#base/text/got-value.js';
import { withPictureUrls } from '#data/picture-address.js';
import { type FieldFault, HttpError } from '#http/http-error.js';
import { maxResponseBytes } from '#http/sending/max-response-bytes.js';
import type { TableInTransaction } from '#state/rows/table.js';
import type { Transaction } from '#state/state.js';
import { applyJsonPatch } from '../patch/apply-json-patch.js';
import { applyMergePatch } from '../patch/apply-merge-patch.js';
import { countValues } from '../patch/count-values.js';
import { parseJsonPatch } from '../patch/parse-json-patch.js';
import type { DataRecord } from '../source/fields.js';
import { lastModifiedOf, Rendering } from '../source/rendering.js';
import {
  absence,
  type CheckedRecord,
  recordPath,
  type SentFields,
  type Source,
} from '../source/source.js';
import { BatchError, type OperationResult, runOperations } from './batch.js';
import { checkAbsence, checkFound, demandCondition } from './check-preconditions.js';
import type { BatchCommand, Command, Write, WriteResult } from './write.js';

interface Target {
  readonly source: Source;
  readonly rows: TableInTransaction<DataRecord>;
  readonly baseUrl: () => string;
}

/** Throws the error that prevents the command. `baseUrl` is the base URL of this service's images. */
export function performCommand(
  view: Transaction,
  source: Source,
  { write, batch }: Command,
  baseUrl: () => string,
): WriteResult {
  const target = { source, rows: source.rowsIn(view), baseUrl };
  return write === undefined ? performBatch(target, batch) : performWrite(target, write);
}

/** Performs all operations of a batch in one step. Their common response limits their size. */
function performBatch(target: Target, { isAtomic, operations }: BatchCommand): WriteResult {
  let values = 0;
  let bytes = 0;
  const results = runOperations(operations, isAtomic, (operation): OperationResult => {
    if ('rejection' in operation) {
      const { target: of, rejection } = operation;
      const found = of && target.rows.get(of.id);
      if (found !== undefined) checkFound(of?.conditions ?? {}, found);
      const { status, message, ...options } = rejection;
      throw new HttpError(status, message, options);
    }
    values += patchedValues(target, operation);
    if (values > maxPatchedValues) {
      const message = `The records that the batch patches have more than ${maxPatchedValues} values together, so nothing was done. Send fewer operations at once.`;
      throw new BatchError(400, message);
    }
    const { status, record } = performWrite(target, operation);
    if (record === undefined) return { status, body: null };
    bytes += Buffer.byteLength(new Rendering(record).json);
    if (bytes > maxResponseBytes) {
      const message = `The response to the batch would be larger than ${maxResponseBytes} bytes, so nothing was done. Send fewer operations at once.`;
      throw new BatchError(400, message);
    }
    return { status, body: withPictureUrls(record, target.source.pictures, target.baseUrl) };
  });
  return { status: isAtomic ? 200 : 207, json: { results } };
}

function patchedValues({ rows }: Target, write: Write): number {
  const isPatch = write.kind === 'merge' || write.kind === 'patch';
  const record = isPatch ? rows.get(write.id) : undefined;
  return record === undefined ? 0 : countValues(record, maxPatchedValues);
}

function performWrite(target: Target, write: Write): WriteResult {
  if (write.kind === 'create') return create(target, write);
  if (target.source.demandsCondition) {
    demandCondition(write.conditions, write.isUpsert);
  }
  if (write.kind === 'remove') return remove(target, write);
  if (write.kind === 'restore') return restore(target, write);
  return store(target, write);
}

function written(record: DataRecord): WriteResult {
  return { status: 200, record, lastModified: lastModifiedOf(record) };
}

function created(source: Source, record: DataRecord): WriteResult {
  return {
    ...written(record),
    status: 201,
    location: recordPath(source, record[source.idName] as DataRecord['id']),
  };
}

function create({ source, rows, baseUrl }: Target, { body, faults }: Write): WriteResult {
  const { sentId, build } = source.check(body, faults, baseUrl);
  const id = sentId === undefined ? undefined : source.parseId(sentId);
  return created(source, rows.create(build, id));
}

function store(target: Target, write: Write): WriteResult {
  const { source, rows } = target;
  const { id } = write;
  const changed = rows.update(id, (found, nowMs) => {
    // Before the content: RFC 9110 section 13.2.1.
    checkFound(write.conditions, found);
    return checked(target, found, write).build(id, nowMs);
  });
  if (changed !== undefined) return written(changed);
  const trashed = rows.getTrashed(id);
  if (!write.isUpsert || trashed !== undefined) throw absence(source, id, trashed);
  checkAbsence(write.conditions);
  const { build } = source.check(write.body, faultsOf(source, write), target.baseUrl);
  return created(source, rows.create(build, source.newId(id)));
}

function checked({ source, baseUrl }: Target, found: DataRecord, write: Write): CheckedRecord {
  if (write.kind === 'replace') return source.check(write.body, faultsOf(source, write), baseUrl);
  if (countValues(found, maxPatchedValues) > maxPatchedValues) {
    const message = `The record has more than ${maxPatchedValues} values, so it cannot be patched. Replace it with PUT.`;
    throw new HttpError(400, message);
  }
  if (write.kind === 'merge') {
    const merged = applyMergePatch(found, write.body) as SentFields;
    return source.check(merged, faultsOf(source, write), baseUrl);
  }
  const shown = withPictureUrls(found, source.pictures, baseUrl);
  const patched = applyJsonPatch(shown, parseJsonPatch(write.jsonPatch)) as SentFields;
  return source.check(patched, faultsOfPatched(source, found, patched), baseUrl);
}

function faultsOf({ isSingle, idName }: Source, { id, body, faults }: Write) {
  const sent = body[idName];
  if (isSingle || typeof sent !== typeof id || sent === id) return faults;
  const message = `${idName} must be omitted or ${id}, as in the path${gotValue(idName, sent)}.`;
  return [...faults, { field: idName, message }];
}

/** A patch copies the record that it changes, in one step, so its values are limited. */
const maxPatchedValues = 50_000;

function faultsOfPatched(
  source: Source,
  found: DataRecord,
  patched: unknown,
): readonly FieldFault[] {
  const { idName, isSingle } = source;
  const faults = source.bodyFaults('replace', patched);
  const whole = faults.find(({ field }) => field === '');
  if (whole !== undefined) {
    const got = gotValue('', patched);
    const message = `The patch would replace the whole ${source.noun}, which must remain an object${got}.`;
    throw new HttpError(400, message);
  }
  const { [idName]: id } = patched as SentFields;
  if (isSingle || id === found[idName]) return faults;
  const message = `${idName} must not change from ${found[idName]}${gotValue(idName, id)}.`;
  return [...faults, { field: idName, message }];
}

function remove({ source, rows }: Target, write: Write): WriteResult {
  const { id, isPurge } = write;
  const check = (found: DataRecord) => checkFound(write.conditions, found);
  const isDone = isPurge ? rows.purge(id, check) : rows.remove(id, check);
  if (!isDone) throw absence(source, id, rows.getTrashed(id));
  return { status: 204 };
}

function restore({ source, rows }: Target, write: Write): WriteResult {
  const { id } = write;
  const restored = rows.restore(id, (found) => checkFound(write.conditions, found));
  if (restored !== undefined) return written(restored);
  if (rows.get(id) === undefined) throw absence(source, id, rows.getTrashed(id));
  const message = `The ${source.noun} ${id} is not in the trash, so it cannot be restored.`;
  throw new HttpError(409, message);
}

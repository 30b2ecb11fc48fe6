/** What a write does to the records of a sandbox, and the response to it. */

import { gotValue } from '../../../base/text/got-value.js';
import { type FieldFault, HttpError } from '../../../http/http-error.js';
import { applyJsonPatch } from '../../../http/json/apply-json-patch.js';
import { applyMergePatch } from '../../../http/json/apply-merge-patch.js';
import { countValues } from '../../../http/json/count-values.js';
import { parseJsonPatch } from '../../../http/json/parse-json-patch.js';
import type { RowsInTransaction } from '../../../state/rows/collection.js';
import type { CheckedRecord } from '../built-in/check-record.js';
import { type Resource, recordPath, type SentFields } from '../built-in/resource.js';
import { shownRecord } from '../formats/send-result.js';
import type { RecordId, ResourceRecord } from '../source/record-fields.js';
import { entityTagOf, lastModifiedOf, modifiedTimeOf } from '../source/render-record.js';
import {
  checkAbsence,
  checkWrite,
  demandCondition,
  type WriteConditions,
} from './check-preconditions.js';
import type { Write, WriteResult } from './write.js';

type Rows = RowsInTransaction<ResourceRecord>;
type Of<Kind extends Write['kind']> = Extract<Write, { readonly kind: Kind }>;

/** Throws what keeps the write from being done, before anything is. */
export function performWrite(
  resource: Resource,
  rows: Rows,
  write: Write,
  baseUrl: () => string,
): WriteResult {
  if (write.kind === 'create') return create(resource, rows, write, baseUrl);
  if (resource.demandsCondition) demandCondition(write.conditions);
  if (write.kind === 'remove') return remove(resource, rows, write);
  if (write.kind === 'restore') return restore(resource, rows, write);
  return store(resource, rows, write, baseUrl);
}

/** What there is to know of a record that was written. */
function written(record: ResourceRecord): WriteResult {
  return { status: 200, record, lastModified: lastModifiedOf(record) };
}

function created(resource: Resource, record: ResourceRecord): WriteResult {
  const location = recordPath(resource, record.id);
  return { status: 201, record, lastModified: lastModifiedOf(record), location };
}

function create(
  resource: Resource,
  rows: Rows,
  { body, faults }: Of<'create'>,
  baseUrl: () => string,
): WriteResult {
  const build = resource.check(body, faults, baseUrl);
  return created(resource, rows.create(build));
}

function store(
  resource: Resource,
  rows: Rows,
  write: Of<'replace'> | Of<'merge'> | Of<'patch'>,
  baseUrl: () => string,
): WriteResult {
  const { id, conditions } = write;
  const changed = rows.update(id, (found, nowMs) => {
    const made = checked(resource, found, write, baseUrl)(id, nowMs);
    checkAgainst(conditions, found);
    return made;
  });
  if (changed !== undefined) return written(changed);
  if (write.kind !== 'replace' || !write.isUpsert) throw absence(resource, rows.trash.get(id), id);
  return upsert(resource, rows, write, baseUrl);
}

function checked(
  resource: Resource,
  found: ResourceRecord,
  write: Of<'replace'> | Of<'merge'> | Of<'patch'>,
  baseUrl: () => string,
): CheckedRecord {
  if (write.kind === 'replace') return resource.check(write.body, write.faults, baseUrl);
  if (countValues(found, maxPatchedValues) > maxPatchedValues) throw tooManyValues();
  if (write.kind === 'merge') {
    const merged = applyMergePatch(found, write.body) as SentFields;
    return resource.check(merged, write.faults, baseUrl);
  }
  const shown = shownRecord(resource, found, baseUrl);
  const patched = applyJsonPatch(shown, parseJsonPatch(write.body)) as SentFields;
  return resource.check(patched, faultsOfPatched(resource, found, patched), baseUrl);
}

/** A patch copies the record that it changes, in one step, so it must not hold more values. */
export const maxPatchedValues = 50_000;

function tooManyValues(): HttpError {
  return new HttpError(
    400,
    `The record holds more than ${maxPatchedValues} values, so it cannot be patched. Replace it with PUT.`,
  );
}

function faultsOfPatched(
  resource: Resource,
  { id }: ResourceRecord,
  patched: SentFields,
): readonly FieldFault[] {
  const faults = resource.bodyFaults('replace', patched);
  const whole = faults.find(({ field }) => field === '');
  if (whole !== undefined) throw new HttpError(400, `The patched record is none. ${whole.message}`);
  if (resource.isSingle || patched.id === id) return faults;
  return [...faults, { field: 'id', message: `id must stay ${id}${gotValue('id', patched.id)}.` }];
}

function upsert(
  resource: Resource,
  rows: Rows,
  write: Of<'replace'>,
  baseUrl: () => string,
): WriteResult {
  const { id, conditions } = write;
  if (rows.trash.get(id) !== undefined) throw absence(resource, rows.trash.get(id), id);
  checkAbsence(conditions);
  const build = resource.check(write.body, write.faults, baseUrl);
  resource.checkNewId(id);
  return created(resource, rows.create(build, id));
}

function remove(resource: Resource, rows: Rows, write: Of<'remove'>): WriteResult {
  const { id, conditions, isPurge } = write;
  const check = (found: ResourceRecord) => checkAgainst(conditions, found);
  const isDone = isPurge ? rows.trash.purge(id, check) : rows.remove(id, check);
  if (!isDone) throw absence(resource, rows.trash.get(id), id);
  return { status: 204 };
}

function restore(resource: Resource, rows: Rows, { id, conditions }: Of<'restore'>): WriteResult {
  const restored = rows.trash.restore(id, (found) => checkAgainst(conditions, found));
  if (restored !== undefined) return written(restored);
  if (rows.get(id) === undefined) throw absence(resource, rows.trash.get(id), id);
  const { noun } = resource;
  throw new HttpError(409, `The ${noun} ${id} is not in the trash, so it cannot be restored.`);
}

function checkAgainst(conditions: WriteConditions, found: ResourceRecord): void {
  checkWrite(
    conditions,
    () => entityTagOf(found),
    () => modifiedTimeOf(found),
  );
}

/** Why there is no such record: none at all, or one in the trash. */
export function absence(
  resource: Resource,
  trashed: ResourceRecord | undefined,
  id: RecordId,
): HttpError {
  return trashed === undefined ? notFound(resource, id) : gone(resource, trashed);
}

export function notFound({ noun, path }: Resource, id: RecordId): HttpError {
  return new HttpError(404, `There is no ${noun} ${id}. GET ${path} lists those there are.`);
}

function gone({ noun, path }: Resource, { id, deletedAt }: ResourceRecord): HttpError {
  return new HttpError(
    410,
    `The ${noun} ${id} is in the trash since ${deletedAt}. POST ${path}/${id}/restore brings it back.`,
  );
}

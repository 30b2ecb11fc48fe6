/** What a write does to the records of a sandbox. */

import { gotValue } from '../../../base/text/got-value.js';
import { withPictureUrls } from '../../../data/picture-address.js';
import { type FieldFault, HttpError } from '../../../http/http-error.js';
import type { TableInTransaction } from '../../../state/rows/table.js';
import { applyJsonPatch } from '../patch/apply-json-patch.js';
import { applyMergePatch } from '../patch/apply-merge-patch.js';
import { countValues } from '../patch/count-values.js';
import { parseJsonPatch } from '../patch/parse-json-patch.js';
import { absence } from '../source/absence.js';
import { lastModifiedOf, modifiedTimeOf, renderingOf } from '../source/render-record.js';
import {
  type CheckedRecord,
  type DataRecord,
  recordPath,
  type SentFields,
  type Source,
} from '../source/source.js';
import {
  checkAbsence,
  checkWrite,
  demandCondition,
  type WriteConditions,
} from './check-preconditions.js';
import type { Write, WriteKind, WriteResult } from './write.js';

/** The records that a write changes. */
export interface Target {
  readonly source: Source;
  readonly rows: TableInTransaction<DataRecord>;
  /** The base URL of images of this service. */
  readonly baseUrl: () => string;
}

type Of<Kind extends WriteKind> = Extract<Write, { readonly kind: Kind }>;

/** Throws what keeps the write from being done, before anything is. */
export function performWrite(target: Target, write: Write): WriteResult {
  if (write.kind === 'create') return create(target, write);
  if (target.source.demandsCondition) demandCondition(write.conditions);
  if (write.kind === 'remove') return remove(target, write);
  if (write.kind === 'restore') return restore(target, write);
  return store(target, write);
}

function written(record: DataRecord): WriteResult {
  return { status: 200, record, lastModified: lastModifiedOf(record) };
}

function created(source: Source, record: DataRecord): WriteResult {
  return { ...written(record), status: 201, location: recordPath(source, record.id) };
}

function create({ source, rows, baseUrl }: Target, { body, faults }: Of<'create'>): WriteResult {
  const { sentId, build } = source.check(body, faults, baseUrl);
  const id = sentId === undefined ? undefined : source.parseId(sentId);
  return created(source, rows.create(build, id));
}

type Stored = Of<'replace'> | Of<'merge'> | Of<'patch'>;

function store(target: Target, write: Stored): WriteResult {
  const { source, rows } = target;
  const { id, conditions } = write;
  const changed = rows.update(id, (found, nowMs) => {
    const made = checked(target, found, write).build(id, nowMs);
    checkAgainst(conditions, found);
    return made;
  });
  if (changed !== undefined) return written(changed);
  const trashed = rows.getTrashed(id);
  const isUpsert = write.kind === 'replace' && write.isUpsert;
  if (!isUpsert || trashed !== undefined) throw absence(source, trashed, id);
  return upsert(target, write);
}

function checked({ source, baseUrl }: Target, found: DataRecord, write: Stored): CheckedRecord {
  if (write.kind === 'replace') return source.check(write.body, faultsOf(source, write), baseUrl);
  if (countValues(found, maxPatchedValues) > maxPatchedValues) throw tooManyValues();
  if (write.kind === 'merge') {
    const merged = applyMergePatch(found, write.body) as SentFields;
    return source.check(merged, faultsOf(source, write), baseUrl);
  }
  const shown = withPictureUrls(found, source.pictures, baseUrl);
  const patched = applyJsonPatch(shown, parseJsonPatch(write.body)) as SentFields;
  return source.check(patched, faultsOfPatched(source, found, patched), baseUrl);
}

/** Adds a fault for another id than the one in the path. */
function faultsOf(source: Source, { id, body, faults }: Of<'replace'> | Of<'merge'>) {
  if (source.isSingle || typeof body.id !== typeof id || body.id === id) return faults;
  const message = `id must be left out or be ${id}, as in the path${gotValue('id', body.id)}.`;
  return [...faults, { field: 'id', message }];
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
  source: Source,
  { id }: DataRecord,
  patched: SentFields,
): readonly FieldFault[] {
  const faults = source.bodyFaults('replace', patched);
  const whole = faults.find(({ field }) => field === '');
  if (whole !== undefined) throw new HttpError(400, `The patched record is none. ${whole.message}`);
  if (source.isSingle || patched.id === id) return faults;
  return [...faults, { field: 'id', message: `id must stay ${id}${gotValue('id', patched.id)}.` }];
}

function upsert({ source, rows, baseUrl }: Target, write: Of<'replace'>): WriteResult {
  checkAbsence(write.conditions);
  const { build } = source.check(write.body, faultsOf(source, write), baseUrl);
  return created(source, rows.create(build, source.newId(write.id)));
}

function remove({ source, rows }: Target, { id, conditions, isPurge }: Of<'remove'>): WriteResult {
  const check = (found: DataRecord) => checkAgainst(conditions, found);
  const isDone = isPurge ? rows.purge(id, check) : rows.remove(id, check);
  if (!isDone) throw absence(source, rows.getTrashed(id), id);
  return { status: 204 };
}

function restore({ source, rows }: Target, { id, conditions }: Of<'restore'>): WriteResult {
  const restored = rows.restore(id, (found) => checkAgainst(conditions, found));
  if (restored !== undefined) return written(restored);
  if (rows.get(id) === undefined) throw absence(source, rows.getTrashed(id), id);
  throw new HttpError(
    409,
    `The ${source.noun} ${id} is not in the trash, so it cannot be restored.`,
  );
}

function checkAgainst(conditions: WriteConditions, found: DataRecord): void {
  checkWrite(
    conditions,
    () => renderingOf(found).entityTag,
    () => modifiedTimeOf(found),
  );
}

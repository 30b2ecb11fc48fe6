/** Performs writes like json-server. */

import { randomBytes } from 'node:crypto';
import { isObject } from '#base/json-object.js';
import type { Body } from '#kit/json-server/read-body.js';
import { plural, singular } from '#kit/json-server/relate.js';
import type { DataRecord, RecordId } from '../source/fields.js';
import type { Member, WritableMembers } from './members.js';

/** Throws 400 if the data cannot hold the record. Its schema is checked later, when it is written. */
function check(members: WritableMembers, { name }: Member, record: Body): DataRecord {
  members.sourceOf(name).check(record, [], () => '');
  return record as object as DataRecord;
}

export function create0(members: WritableMembers, member: Member, body: Body): DataRecord {
  const rows = members.rowsOf(member.name);
  const { id: idName } = members.fieldNames;
  const id = body[idName] || nextId(rows.list(), idName);
  const record = check(members, member, { ...body, [idName]: id });
  members.sourceOf(member.name).parseId(id);
  return rows.create(() => record, id as RecordId);
}

/** Returns the highest id plus 1; a random text if that is not a number. */
function nextId(records: readonly DataRecord[], idName: string): RecordId {
  let highest: unknown;
  for (const record of records) {
    const id = record[idName] as unknown;
    if (highest === undefined || (id as number) > (highest as number)) highest = id;
  }
  if (highest === undefined) return 1;
  return typeof highest === 'number' ? highest + 1 : randomText();
}

const randomText = () => randomBytes(6).toString('base64url').slice(0, 7);

/** Replaces a record by the body, or merges the body into it. The id does not change. */
export function update(
  members: WritableMembers,
  member: Member,
  { id, body, isPatch }: { readonly id: string; readonly body: Body; readonly isPatch: boolean },
): DataRecord | undefined {
  const { id: idName } = members.fieldNames;
  return members.rowsOf(member.name).update(id, (found) => {
    const own = { [idName]: found[idName] };
    return check(members, member, isPatch ? { ...found, ...body, ...own } : { ...body, ...own });
  });
}

export function updateSingle(
  members: WritableMembers,
  member: Member,
  { body, isPatch }: { readonly body: Body; readonly isPatch: boolean },
): DataRecord | undefined {
  return members
    .rowsOf(member.name)
    .update(member.name, (found) =>
      check(members, member, isPatch && isObject(found) ? { ...found, ...body } : body),
    );
}

/** Deletes a record, and the records of all collections whose foreign keys then lead nowhere. */
export function remove0(members: WritableMembers, member: Member, id: string): boolean {
  const isRemoved = members.rowsOf(member.name).remove(id);
  const orphans = members.collections.flatMap((name) =>
    orphansOf(members, name).map((orphan) => ({ name, orphan })),
  );
  for (const { name, orphan } of orphans) members.rowsOf(name).remove(orphan);
  return isRemoved;
}

function orphansOf(members: WritableMembers, name: string): readonly RecordId[] {
  const { id: idName, foreignKeySuffix } = members.fieldNames;
  const known = new Map<string, ReadonlySet<string> | undefined>();
  const parentsOf = (key: string) => {
    if (!known.has(key)) {
      const parents = plural(key.slice(0, -foreignKeySuffix.length));
      const isThere = members.collections.includes(parents);
      known.set(key, isThere ? idsOf(members, parents) : undefined);
    }
    return known.get(key);
  };
  const isOrphan = (record: DataRecord) =>
    Object.entries(record).some(([key, value]) => {
      if (!key.endsWith(foreignKeySuffix)) return false;
      const isId = typeof value === 'number' || typeof value === 'string';
      return isId && parentsOf(key)?.has(String(value)) === false;
    });
  const records = members.rowsOf(name).list();
  return records.filter(isOrphan).map((record) => record[idName] as RecordId);
}

function idsOf(members: WritableMembers, name: string): ReadonlySet<string> {
  const { id: idName } = members.fieldNames;
  const records = members.rowsOf(name).list();
  return new Set(records.map((record) => String(record[idName])));
}

export function create1(members: WritableMembers, member: Member, body: Body): DataRecord {
  const { id: idName } = members.fieldNames;
  const id = randomBytes(8).toString('base64url');
  const record = check(members, member, { ...body, [idName]: id });
  return members.rowsOf(member.name).create(() => record, id);
}

/**
 * Deletes a record. Foreign keys to it become null; in `dependent` collections, records with such a key are deleted.
 */
export function remove1(
  members: WritableMembers,
  member: Member,
  { id, dependents }: { readonly id: string; readonly dependents: readonly string[] },
): DataRecord | undefined {
  const rows = members.rowsOf(member.name);
  const found = rows.get(id);
  if (found === undefined) return undefined;
  rows.remove(id);
  const { id: idName, foreignKeySuffix } = members.fieldNames;
  const key = singular(member.name) + foreignKeySuffix;
  for (const name of members.collections.filter((each) => each !== member.name)) {
    const others = members.rowsOf(name);
    for (const other of others.list()) {
      const isOfRemoved = other[key] === id;
      if (!isOfRemoved && other[key] !== null) continue;
      const otherId = other[idName] as RecordId;
      if (dependents.includes(name)) others.remove(otherId);
      else if (isOfRemoved) others.update(otherId, (each) => ({ ...each, [key]: null }));
    }
  }
  return found;
}

/** Finds the records that others belong to, and those that belong to them. */

import { isObject } from '../../../base/json-object.js';
import { gotValue } from '../../../base/text/got-value.js';
import type { FieldFault } from '../../../http/http-error.js';
import { faultyFields } from './faults.js';
import type { DataRecord, FieldValue } from './fields.js';
import { absence, type Call, type Related, type Relation, type SentFields } from './source.js';

/** Reads the other records once, for any number of records. */
export async function relatedBy({ kind, field, other }: Relation, call: Call): Promise<Related> {
  const others = await call.to(other).read((records) => records.list());
  if (kind === 'parent') {
    const byId = new Map<FieldValue, DataRecord>(others.map((each) => [each.id, each]));
    return (record) => byId.get(record[field] ?? null) ?? null;
  }
  const byParent = new Map<FieldValue, DataRecord[]>();
  for (const child of others) {
    const parentId = child[field] ?? null;
    const siblings = byParent.get(parentId);
    if (siblings === undefined) byParent.set(parentId, [child]);
    else siblings.push(child);
  }
  return ({ id }) => byParent.get(id) ?? [];
}

export async function orphanFaults(call: Call, sent: SentFields): Promise<FieldFault[]> {
  const faults: FieldFault[] = [];
  for (const { kind, field, other } of call.source.relations()) {
    const id = sent[field];
    // What is no id at all is a fault of the schema.
    if (kind !== 'parent' || !Number.isInteger(id) || (id as number) < 1) continue;
    if ((await call.to(other).read((records) => records.get(id as number))) !== undefined) continue;
    const message = `${field} must be the id of one of the ${other.name}; there is none with the id ${id}.`;
    faults.push({ field, message });
  }
  return faults;
}

export async function parentOf(call: Call): Promise<DataRecord> {
  const { source } = call;
  const id = source.idInPath(call.pathId);
  const parent = await call.read((records) => records.get(id));
  if (parent === undefined) throw absence(source, id);
  return parent;
}

/** Puts the id in the path into the body of a record that is created below it. Throws 400 where it has another one. */
export async function fillParent(call: Call, { field }: Relation): Promise<void> {
  const { id } = await parentOf(call);
  const { body } = call.request;
  if (!isObject(body)) return;
  const sent = body[field];
  if (sent === undefined) call.request.body = { ...body, [field]: id };
  else if (sent !== id) {
    const message = `${field} must be left out or be ${id}, as in the path${gotValue(field, sent)}.`;
    throw faultyFields([{ field, message }]);
  }
}

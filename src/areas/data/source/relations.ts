/** Finds parents and children of records. */

import type { Awaitable } from '#base/awaitable.js';
import { isObject } from '#base/json-object.js';
import { gotValue } from '#base/text/got-value.js';
import type { FieldFault } from '#http/http-error.js';
import { faultyFields } from './faults.js';
import type { DataRecord, FieldValue } from './fields.js';
import { idText, indexRecords } from './index-records.js';
import {
  absence,
  type Call,
  type Links,
  type Related,
  type Relation,
  type SentFields,
  type Source,
} from './source.js';

/** Reads the other records once, for any number of records. Compares ids by their text. */
export async function relatedBy(relation: Relation, call: Call): Promise<Related> {
  const { kind, field, other } = relation;
  const others = await call.to(other).read((records) => records.list());
  if (kind === 'parent') {
    const byId = indexById(others, other.idName);
    return (record) => others[byId.get(idText(record[field]) ?? '')?.[0] ?? -1] ?? null;
  }
  return childrenIn(relation, others, call.source.idName);
}

function indexById(records: readonly DataRecord[], idName: string) {
  return indexRecords(records, `${idName} id`, (record) => [record[idName] ?? null]);
}

/** Returns the children of any of these parents. */
function childrenIn(
  relation: Relation,
  others: readonly DataRecord[],
  idName: string,
): (parent: DataRecord) => readonly DataRecord[] {
  const { field, other, linksOf, listedIn } = relation;
  const { fields, lists } = linksOf?.(others) ?? { fields: [field], lists: [] };
  const byParent = indexRecords(others, [...fields, '', ...lists].join(), (child) =>
    [...fields, ...lists].flatMap((name) => idsIn(child[name])),
  );
  return (parent) => {
    const id = idText(parent[idName]);
    const places = id === undefined ? [] : (byParent.get(id) ?? []);
    const children = places.map((index) => others[index] as DataRecord);
    const listed = listedIn?.(parent) ?? [];
    if (listed.length === 0) return children;
    const byId = indexById(others, other.idName);
    const first = listed.flatMap((each) => others[byId.get(idText(each) ?? '')?.[0] ?? -1] ?? []);
    return [...new Set([...first, ...children])];
  };
}

function idsIn(value: FieldValue | undefined): readonly FieldValue[] {
  return Array.isArray(value) ? value : [value ?? null];
}

export async function orphanFaults(
  source: Source,
  sent: SentFields,
  find: (other: Source, id: number) => Awaitable<DataRecord | undefined>,
): Promise<FieldFault[]> {
  const faults: FieldFault[] = [];
  for (const { kind, field, other } of source.relations()) {
    const id = sent[field];
    // The schema reports values that are not ids.
    if (kind !== 'parent' || !Number.isInteger(id) || (id as number) < 1) continue;
    if ((await find(other, id as number)) !== undefined) continue;
    const message = `${field} must be the id of one of the ${other.name}; ${id} does not exist.`;
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

/** Returns the records that belong to the record in the path, which must exist. */
export async function recordsBelow(call: Call, relation: Relation) {
  const parent = await parentOf(call);
  const others = await call.to(relation.other).read((records) => records.list());
  const { idName } = call.source;
  return {
    id: parent[idName] as DataRecord['id'],
    records: childrenIn(relation, others, idName)(parent),
  };
}

/** Adds the id in the path to the body of a new record below it. Throws 400 for a different id in the body. */
export async function fillParent(call: Call, relation: Relation): Promise<void> {
  const id = (await parentOf(call))[call.source.idName] as DataRecord['id'];
  const { body } = call.request;
  if (!isObject(body)) return;
  const { field, isList } = await linkOf(call, relation, body);
  const sent = body[field];
  if (sent === undefined) call.request.body = { ...body, [field]: isList ? [id] : id };
  else if (![sent].flat().some((each) => idText(each) === String(id))) {
    const what = isList ? `a list with ${id}` : `${id}`;
    const message = `${field} must be omitted or ${what}, as in the path${gotValue(field, sent)}.`;
    throw faultyFields([{ field, message }]);
  }
}

/** Returns the field of a child that refers to the parent: a field of this child, otherwise of other children. */
async function linkOf(call: Call, { field, other, linksOf }: Relation, body: SentFields) {
  if (linksOf === undefined) return { field, isList: false };
  const sent = linksOf([body as DataRecord]);
  const { fields, lists }: Links = sent.isUsual
    ? linksOf(await call.to(other).read((records) => records.list()))
    : sent;
  return { field: fields[0] ?? lists[0] ?? field, isList: fields.length === 0 };
}

/** The collections and single resources of a caller's data as sources of records. */

import { type Awaitable, whenKnown } from '#base/awaitable.js';
import { createBoundedCache } from '#base/bounded-cache.js';
import { isObject } from '#base/json-object.js';
import { gotValue } from '#base/text/got-value.js';
import type { Request } from '#http/exchange.js';
import { type FieldFault, HttpError } from '#http/http-error.js';
import { CheckBudget } from '#json-schema/budget.js';
import type { Dataset } from '#state/rows/dataset.js';
import { Table, type TableInTransaction, WritableTable } from '#state/rows/table.js';
import { writeRow } from '#state/rows/written-row.js';
import type { Transaction } from '#state/state.js';
import { faultyFields, rejectFaults } from '../source/faults.js';
import type { DataRecord, RecordId } from '../source/fields.js';
import type { Call, SentFields, Source } from '../source/source.js';
import { type InitialData, noteGrowth, ownPath, readSingle } from './initial-data.js';
import { idFault, maxRecordDepth, unsafeName } from './load/read-own-data.js';
import { relationsOf } from './own-related.js';
import type { OwnStore } from './own-store.js';
import { declaredNames } from './query/declared-names.js';
import { OpenFields } from './query/open-fields.js';
import { columnsOf, ownFields } from './query/own-fields.js';
import { queryOf } from './query/own-query.js';

/** Finds the source that a request names, in any letter case. Throws 404 for an unknown name. */
export function findSource(store: OwnStore, { params, sandbox }: Request): Awaitable<Source> {
  const { collection } = params as { readonly collection: string };
  return whenKnown(store.find(sandbox), (data) => sourceOf(data, nameIn(data, collection)));
}

/** Finds the source at a path, in a transaction, which reads synchronously. */
export function sourceAt(store: OwnStore, view: Transaction, path: string): Source | undefined {
  const data = store.find(view) as InitialData;
  const name = [...data.model.data.members.keys()].find((each) => ownPath(each) === path);
  return name === undefined ? undefined : sourceOf(data, name);
}

/** Creating a source takes longer than a request to it. It mostly holds the fields of its lists. */
const sources = createBoundedCache<Source>({
  maxEntries: 10_000,
  maxWeight: 24 * 1024 * 1024,
  weigh: ({ fields }) => fields.all.reduce((sum, { name }) => sum + 1100 + 2 * name.length, 4096),
});

function sourceOf(data: InitialData, name: string): Source {
  return sources.get(`${data.model.id} ${name}`, () => {
    const dataset = data.datasets.get(name);
    return dataset === undefined ? singleSource(name, data) : collectionSource(name, data, dataset);
  });
}

function nameIn({ model: { data } }: InitialData, sent: string): string {
  if (data.members.has(sent)) return sent;
  const names = [...data.members.keys()];
  const lower = sent.toLowerCase();
  const found = names.find((name) => name.toLowerCase() === lower);
  if (found !== undefined) return found;
  const loaded =
    names.length === 0 ? 'no data is loaded' : `you have ${names.slice(0, 20).join(', ')}`;
  const message = `You have no collection "${sent}"; ${loaded}. Load some with PUT /api/sandbox/data.`;
  throw new HttpError(404, message);
}

function anySource(name: string, data: InitialData, hasId = true) {
  const { model } = data;
  const { names } = model.data;
  const shape = model.shapeOf(name);
  const known = ownFields(shape, names.id).filter((field) => hasId || field.name !== names.id);
  const knownNames = new Set(known.map((field) => field.name));
  const closed = declaredNames(model.schemaOf(name), names.id);
  const fields = new OpenFields(known, names, (field) => knownNames.has(field), closed);
  return {
    name,
    idName: names.id,
    path: ownPath(name),
    demandsCondition: false,
    keepsTrash: false,
    // Loaded data may have dangling references, and so may later writes.
    checksReferences: false,
    pictures: [],
    fields,
    fieldNames: closed?.names ?? ('any' as const),
    forQuery: (call: Call) => queryOf(call, fields),
    columnsOf: (records: readonly DataRecord[]) => columnsOf(known, records, names.id),
    bodyFaults: (_kind: unknown, body: unknown) => wholeFaults(body),
  };
}

function collectionSource(name: string, data: InitialData, dataset: Dataset<DataRecord>): Source {
  const idName = data.model.data.names.id;
  return {
    ...anySource(name, data),
    noun: `record of ${name}`,
    isSingle: false,
    ...relationsOf(name, data.model, (other) => sourceOf(data, other)),
    feedName: dataset.name,
    recordsIn: (sandbox) => new Table(sandbox, dataset),
    rowsIn: (view) => new OwnRows(view, name, data, dataset),
    idInPath: (text) => text,
    parseId: (value) => checkedId(value, idName),
    newId: (id) => asIdIn(dataset, checkedId(id, idName)),
    check(sent, known) {
      checkFields(sent, known);
      return { sentId: sent[idName], build: (id) => withId(sent, id, idName) };
    },
  };
}

function wholeFaults(body: unknown, isList = false): FieldFault[] {
  if (isObject(body) || (isList && Array.isArray(body))) return [];
  const message = `The body must be an object${isList ? ' or an array' : ''}${gotValue('', body)}.`;
  return [{ field: '', message }];
}

/** Throws 400 for values that data cannot hold, so that all of it can be returned and loaded again. */
function checkFields(sent: SentFields, known: readonly FieldFault[]): void {
  const faults = [...known];
  let isUnsafe = false;
  let isDeep = false;
  function look(value: unknown, depth: number): void {
    if (typeof value !== 'object' || value === null) return;
    isDeep ||= depth > maxRecordDepth;
    if (isDeep) return;
    if (!Array.isArray(value)) isUnsafe ||= Object.hasOwn(value, '__proto__');
    for (const each of Object.values(value)) look(each, depth + 1);
  }
  look(sent, 1);
  if (isUnsafe) faults.push({ field: '__proto__', message: `The record ${unsafeName}.` });
  if (isDeep) {
    const message = `The record is nested deeper than ${maxRecordDepth} levels.`;
    faults.push({ field: '', message });
  }
  rejectFaults(faults);
}

/** Keeps the position of a sent id, and puts a new one first. Throws 400 for a different id. */
function withId(sent: SentFields, id: RecordId, idName: string): DataRecord {
  const own = sent[idName];
  if (own !== undefined && String(own) !== String(id)) {
    const message = `${idName} must be omitted or ${id}, as in the path${gotValue(idName, own)}.`;
    throw faultyFields([{ field: idName, message }]);
  }
  return {
    ...(!Object.hasOwn(sent, idName) && { [idName]: id }),
    ...sent,
    [idName]: id,
  } as object as DataRecord;
}

/** Returns a check by the schema with that name. All operations of a command share its budget. */
function schemaCheck(name: string, { model }: InitialData) {
  const budget = new CheckBudget();
  return (record: DataRecord): DataRecord => {
    rejectFaults(model.check(name, record, budget));
    return record;
  };
}

/** The rows in a transaction. Written records get the stored form of their id, and must conform to the schema. */
class OwnRows extends WritableTable<DataRecord> {
  readonly #name: string;
  readonly #idName: string;
  readonly #checked: (record: DataRecord) => DataRecord;

  constructor(view: Transaction, name: string, data: InitialData, dataset: Dataset<DataRecord>) {
    super(view, dataset);
    this.#name = name;
    this.#idName = data.model.data.names.id;
    this.#checked = schemaCheck(name, data);
  }

  override create(build: (id: RecordId, nowMs: number) => DataRecord, id?: RecordId): DataRecord {
    if (id !== undefined && this.get(id) !== undefined) {
      const message = `${this.#name} already has a record ${id}. Omit the id to get a new one.`;
      throw new HttpError(409, message);
    }
    return super.create((given, nowMs) => this.#checked(build(given, nowMs)), id);
  }

  // Ids in paths are text; a record keeps the type of its id.
  override update(
    id: RecordId,
    change: (row: DataRecord, nowMs: number) => DataRecord,
  ): DataRecord | undefined {
    const idName = this.#idName;
    return super.update(id, (row, nowMs) =>
      this.#checked({ ...change(row, nowMs), [idName]: row[idName] } as object as DataRecord),
    );
  }
}

/** Ids in paths are text. A new id becomes a number if the existing ids are numbers. */
function asIdIn({ ids }: Dataset<DataRecord>, id: RecordId): RecordId {
  return !ids.areTexts && String(Number(id)) === String(id) ? Number(id) : id;
}

function checkedId(wanted: unknown, idName: string): RecordId {
  const fault = idFault(wanted);
  if (fault === undefined) return wanted as RecordId;
  const message = `${idName} ${fault}${gotValue(idName, wanted)}.`;
  throw faultyFields([{ field: idName, message }]);
}

function singleSource(name: string, data: InitialData): Source {
  const { names, members } = data.model.data;
  const idName = names.id;
  const isList = Array.isArray(members.get(name)?.records[0]);
  const any = anySource(name, data, data.model.shapeOf(name).properties.has(idName));
  return {
    ...any,
    noun: name,
    isSingle: true,
    bodyFaults: (_kind, body) => wholeFaults(body, isList),
    columnsOf: ([value]) =>
      Array.isArray(value)
        ? [{ name, kind: 'texts', isNullable: false, valueIn: (list) => list }]
        : any
            .columnsOf(value === undefined ? [] : [value])
            .filter((column) => column.name !== idName || (value && Object.hasOwn(value, idName))),
    relations: () => [],
    findRelation: () => undefined,
    relationNames: () => [],
    feedName: name,
    recordsIn: (sandbox) => ({
      get: () => readSingle(sandbox, data, name),
      list: async () => [await readSingle(sandbox, data, name)],
      listTrash: () => [],
      getTrashed: () => undefined,
    }),
    rowsIn: (view) => rowsIn(view, name, data),
    idInPath: () => name,
    parseId: () => name,
    newId: () => name,
    check(sent, known) {
      checkFields(sent, known);
      return { build: () => sent as DataRecord };
    },
  };
}

/** Returns the resource as the only row, which any id reads and updates. */
function rowsIn(view: Transaction, name: string, data: InitialData) {
  const get = () => readSingle(view, data, name) as DataRecord;
  const checked = schemaCheck(name, data);
  const rows: Pick<TableInTransaction<DataRecord>, 'get' | 'update'> = {
    get,
    update(_id, change) {
      const before = get();
      const after = checked(change(before, view.nowMs));
      const json = JSON.stringify(after);
      const bytes = Buffer.byteLength(json) - Buffer.byteLength(JSON.stringify(before));
      noteGrowth(view, data, bytes);
      writeRow(view, { space: data.singles, key: name }, after, json);
      return get();
    },
  };
  return rows as TableInTransaction<DataRecord>;
}

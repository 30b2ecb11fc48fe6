/** Single resources of a caller's data: objects that are no part of a collection, each one record without an id. */

import { type Awaitable, whenKnown } from '../../../base/awaitable.js';
import type { TableInTransaction } from '../../../state/rows/table.js';
import { rowOf, writeRow } from '../../../state/rows/written-row.js';
import type { Sandbox, Transaction } from '../../../state/state.js';
import { type DataRecord, FieldTable } from '../source/fields.js';
import type { Source } from '../source/source.js';
import { type InitialData, noteGrowth } from './initial-data.js';
import { anySource, checkFields, schemaCheck } from './own-source.js';

export function readSingle(
  view: Pick<Sandbox | Transaction, 'read'>,
  { singles, model: { data } }: InitialData,
  name: string,
): Awaitable<DataRecord> {
  return whenKnown(view.read(singles, name), (written = null) => {
    return rowOf(written) ?? ((data.members.get(name)?.records[0] ?? {}) as DataRecord);
  });
}

export function singleSource(name: string, data: InitialData): Source {
  const any = anySource(name, data);
  const isOwn = (field: string) => field !== 'id' || data.model.shapeOf(name).properties.has('id');
  return {
    ...any,
    noun: name,
    isSingle: true,
    fieldNames: any.fieldNames.filter(isOwn),
    fields: new FieldTable(any.fields.all.filter((field) => isOwn(field.name))),
    columnsOf: ([value]) =>
      any
        .columnsOf(value === undefined ? [] : [value])
        .filter((column) => column.name !== 'id' || (value && Object.hasOwn(value, 'id'))),
    relations: () => [],
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

/** The resource as the only row, which is read and updated by any id. */
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
      noteGrowth(view, data, { bytes });
      writeRow(view, { space: data.singles, key: name }, after, json);
      return get();
    },
  };
  return rows as TableInTransaction<DataRecord>;
}

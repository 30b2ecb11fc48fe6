/** Single resources of a caller's data: objects that are no part of a collection. */

import { type Awaitable, whenKnown } from '../../../base/awaitable.js';
import type { TableInTransaction } from '../../../state/rows/table.js';
import { rowOf, writeRow } from '../../../state/rows/written-row.js';
import type { Sandbox, Transaction } from '../../../state/state.js';
import type { DataRecord } from '../source/source.js';
import { type InitialData, noteSingle } from './initial-data.js';
import type { OwnObject } from './load/read-own-data.js';

/** Returns a single resource as it is now; in a transaction at once. */
export function readSingle(
  view: Pick<Sandbox | Transaction, 'read'>,
  { singles, model: { data } }: InitialData,
  name: string,
): Awaitable<DataRecord> {
  return whenKnown(view.read(singles, name), (written = null) => {
    return (rowOf(written) ?? data.members.get(name)?.records[0] ?? {}) as DataRecord;
  });
}

/** The same as one row, by any id. */
export function singleRowsIn(
  view: Transaction,
  data: InitialData,
  name: string,
): TableInTransaction<DataRecord> {
  const get = () => readSingle(view, data, name) as DataRecord;
  const none = () => undefined;
  return {
    nowMs: view.nowMs,
    get,
    list: () => [get()],
    update(_id, change) {
      const before = get();
      const after = change(before, view.nowMs);
      const json = JSON.stringify(after);
      noteSingle(view, data, before, json);
      writeRow(view, { space: data.singles, key: name }, after as OwnObject, json);
      return get();
    },
    create() {
      throw new Error(`${name} is no collection.`);
    },
    remove: () => false,
    getTrashed: none,
    restore: none,
    purge: () => false,
  };
}

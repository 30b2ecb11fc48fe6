/** Single resources of a caller's data: objects that are no part of a collection. */

import { whenKnown } from '../../../base/when-known.js';
import type { RowsInTransaction } from '../../../state/rows/collection.js';
import { noteWritten } from '../../../state/rows/row-notes.js';
import type { Awaitable, Sandbox, Transaction } from '../../../state/state.js';
import type { DataRecord } from '../source/source.js';
import { type InitialData, noteSingle } from './initial-data.js';
import type { OwnObject } from './load/read-own-data.js';

/** Returns a single resource as it is now; in a transaction at once. */
export function readSingle(
  view: Pick<Sandbox | Transaction, 'read'>,
  { singles, model }: InitialData,
  name: string,
): Awaitable<DataRecord> {
  return whenKnown(view.read(singles, name), (written) => {
    if (written !== undefined) noteWritten(written.value, { atMs: written.atMs });
    return (written?.value ?? model.data.singles.get(name) ?? {}) as DataRecord;
  });
}

/** The same as one row, by any id. */
export function singleRowsIn(
  view: Transaction,
  data: InitialData,
  name: string,
): RowsInTransaction<DataRecord> {
  const get = () => readSingle(view, data, name) as DataRecord;
  const none = () => undefined;
  return {
    nowMs: view.nowMs,
    get,
    list: () => [get()],
    update(_id, change) {
      const before = get();
      const json = JSON.stringify(change(before, view.nowMs));
      noteSingle(view, data, before, json);
      const value = JSON.parse(json) as OwnObject;
      view.write(data.singles, name, { value, atMs: view.nowMs });
      noteWritten(value, { atMs: view.nowMs, json });
      return value as DataRecord;
    },
    create() {
      throw new Error(`${name} is no collection.`);
    },
    remove: () => false,
    trash: { get: none, restore: none, purge: () => false },
  };
}

/** A table that runs each write in a transaction. */

import type { Dataset, Row } from '../../src/state/rows/dataset.js';
import { Table, WritableTable } from '../../src/state/rows/table.js';
import type { Sandbox } from '../../src/state/state.js';

export function tableOf<R extends Row>(sandbox: Sandbox, dataset: Dataset<R>) {
  const table = new Table(sandbox, dataset);
  const change = <Result>(act: (rows: WritableTable<R>) => Result) =>
    sandbox.transact((view) => act(new WritableTable(view, dataset)));
  return {
    change,
    list: () => table.list(),
    get: (id: R['id']) => table.get(id),
    listTrash: () => table.listTrash(),
    getTrashed: (id: R['id']) => table.getTrashed(id),
    create: (build: (id: R['id'], nowMs: number) => R, id?: R['id']) =>
      change((rows) => rows.create(build, id)),
    update: (id: R['id'], make: (row: R, nowMs: number) => R) =>
      change((rows) => rows.update(id, make)),
    remove: (id: R['id'], check?: (row: R) => void) => change((rows) => rows.remove(id, check)),
  };
}

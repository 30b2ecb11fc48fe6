/** The current data of a caller, including writes since it was loaded. */

import { turns } from '#base/work-in-turns.js';
import { Table } from '#state/rows/table.js';
import type { Sandbox } from '#state/state.js';
import type { DataRecord } from '../../source/fields.js';
import { type InitialData, readSingle } from '../initial-data.js';
import { inferShape, type Shape } from '../load/infer-shape.js';
import { relationsAmong } from '../own-related.js';
import type { OwnView } from './describe-own.js';

export async function viewOf(sandbox: Sandbox, data: InitialData): Promise<OwnView> {
  const { model, datasets } = data;
  const shapes = new Map<string, Shape>();
  for (const name of model.data.members.keys()) {
    const dataset = datasets.get(name);
    const records: readonly DataRecord[] =
      dataset === undefined
        ? [await readSingle(sandbox, data, name)]
        : await new Table(sandbox, dataset).list();
    const initial = model.data.members.get(name)?.records;
    const isInitial = records === initial || records[0] === initial?.[0];
    const isWritten = records.some((record) => !Object.isFrozen(record));
    if (isInitial && !isWritten && records.length === initial?.length) continue;
    shapes.set(name, inferShape(records));
    await turns.next();
  }
  const shapeOf = (name: string) => shapes.get(name) ?? model.shapeOf(name);
  return { model, shapeOf, relations: relationsAmong(model, shapeOf) };
}

/**
 * A single resource of one's own, an object that is no part of a list, as the handlers of all collections know it:
 * one record at the path itself.
 */

import { lazily } from '../../../base/lazily.js';
import { CheckBudget } from '../../../json-schema/budget.js';
import type { Services } from '../../../kit/area.js';
import type { RowsInTransaction } from '../../../state/rows/collection.js';
import type { Transaction } from '../../../state/state.js';
import type { Resource } from '../built-in/resource.js';
import { faultyFields } from '../source/faulty-fields.js';
import type { ResourceRecord } from '../source/record-fields.js';
import { columnsOf, ownColumns } from './own-fields.js';
import { fieldsOf, isRecord, notARecord, ownPath, recordFaults } from './own-resource.js';
import type { OwnSource } from './own-source.js';
import { readSingle, singleRowsIn } from './own-store.js';

export function ownSingle(
  name: string,
  source: OwnSource,
  { sandboxOf, dueWork }: Services,
): Resource {
  const shape = source.model.shapeOf(name);
  const { fieldNames, parameters } = fieldsOf(shape);
  const isOwn = (field: string) => field !== 'id' || shape.properties.has('id');
  const fields = parameters.fields.filter((each) => isOwn(each.name));
  const columns = lazily(() => ownColumns(shape));
  const none = () => undefined;
  return {
    name,
    noun: name,
    path: ownPath(name),
    isSingle: true,
    fieldNames: fieldNames.filter(isOwn),
    parameters: { ...parameters, fields },
    columnsOf: ([value]) =>
      columnsOf(columns(), value === undefined ? [] : [value]).filter(
        (each) => each.name !== 'id' || (value !== undefined && Object.hasOwn(value, 'id')),
      ),
    relations: () => [],
    pictures: [],
    demandsCondition: false,
    keepsTrash: false,
    sandboxOf,
    recordsOf(request) {
      const sandbox = sandboxOf(request);
      const get = () =>
        dueWork.before(sandbox, () => readSingle(sandbox, source, name) as ResourceRecord);
      return { get, list: async () => [await get()], trash: { list: () => [], get: none } };
    },
    rowsIn: (view) => checkedRowsIn(view, source, name),
    feedName: () => name,
    idOf: () => name,
    parseId: () => name,
    checkNewId: none,
    bodyFaults: (_kind, body) => (isRecord(body) ? [] : [notARecord]),
    referenceFaults: () => [],
    check(sent, known) {
      const faults = [...known, ...recordFaults(sent)];
      if (faults.length > 0) throw faultyFields(faults);
      return () => sent as ResourceRecord;
    },
  };
}

/** What is written keeps to the schema that there is for it. */
function checkedRowsIn(
  view: Transaction,
  source: OwnSource,
  name: string,
): RowsInTransaction<ResourceRecord> {
  const rows = singleRowsIn(view, source, name);
  const budget = new CheckBudget();
  return {
    ...rows,
    update: (id, change) =>
      rows.update(id, (before, nowMs) => {
        const after = change(before, nowMs);
        const faults = source.model.check(name, after, budget);
        if (faults.length > 0) throw faultyFields(faults);
        return after;
      }),
  };
}

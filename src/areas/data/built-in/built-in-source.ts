/** The collections of this service as sources of records. */

import { lazily } from '../../../base/lazily.js';
import { gotParameter, gotValue } from '../../../base/text/got-value.js';
import type { RecordDeclaration } from '../../../data/declare-record.js';
import { withStoredPictures } from '../../../data/picture-address.js';
import { newRecordSchema, patchSchema, replacementSchema } from '../../../data/record-schemas.js';
import type { Datasets } from '../../../data/records.js';
import { HttpError } from '../../../http/http-error.js';
import { describeFaults } from '../../../kit/input/describe-faults.js';
import { bodyValidator } from '../../../kit/input/validators.js';
import { Dataset } from '../../../state/rows/dataset.js';
import { Table, WritableTable } from '../../../state/rows/table.js';
import { faultyFields } from '../source/faults.js';
import { type DataRecord, FieldTable, type RecordId } from '../source/fields.js';
import type { Relation, Source } from '../source/source.js';
import { checkRecord } from './check-record.js';
import type { DeclaredCollection } from './collections.js';
import { pictureFields, recordFields } from './record-fields.js';

/** Larger ids would leave no room above them for those that the service gives. */
const maxNewId = 2 ** 31 - 1;

export function builtInSources(
  collections: readonly DeclaredCollection[],
  datasets: Datasets,
): ReadonlyMap<string, Source> {
  const sources = new Map<string, Source>();
  for (const each of collections) {
    const relationOf = ({
      to,
      ...relation
    }: DeclaredCollection['relations'][number]): Relation => ({
      ...relation,
      other: sources.get(to) as Source,
    });
    const relations = lazily(() => each.relations.map(relationOf));
    sources.set(each.name, builtInSource(each, datasets, relations));
  }
  return sources;
}

function builtInSource(
  { name, noun, path, record }: DeclaredCollection,
  datasets: Datasets,
  relations: Source['relations'],
): Source {
  const { demandsCondition, keepsTrash } = record;
  const dataset = lazily(() => {
    const rows = datasets[name] as readonly object[] as readonly DataRecord[];
    return new Dataset({ name, rows, keepsTrash });
  });
  const fields = recordFields(record.fields);
  const pictures = pictureFields(record.fields);
  return {
    name,
    noun,
    path,
    isSingle: false,
    demandsCondition,
    keepsTrash,
    checksReferences: true,
    fieldNames: ['id', ...Object.keys(record.fields)],
    fields: new FieldTable(fields),
    columnsOf: () => fields,
    pictures,
    relations,
    feedName: name,
    recordsIn: (sandbox) => new Table(sandbox, dataset()),
    rowsIn: (view) => new WritableTable(view, dataset()),
    idInPath,
    parseId,
    newId(id) {
      if (Number(id) >= 1 && Number(id) <= maxNewId) return id;
      const message = `A new ${noun} can have an id from 1 to ${maxNewId}; got ${id}.`;
      throw faultyFields([{ field: 'id', message }]);
    },
    bodyFaults: bodyChecker(record),
    check: (sent, faults, baseUrl) =>
      checkRecord(record, withStoredPictures(sent, pictures, baseUrl), faults),
  };
}

function bodyChecker(record: RecordDeclaration): Source['bodyFaults'] {
  const validators = {
    create: lazily(() => bodyValidator(newRecordSchema(record))),
    replace: lazily(() => bodyValidator(replacementSchema(record))),
    merge: lazily(() => bodyValidator(patchSchema(record))),
  };
  return (kind, body) => describeFaults(validators[kind]()(body) ?? [], 'body');
}

function parseId(value: unknown): RecordId {
  const id = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
  if (Number.isSafeInteger(id)) return id as number;
  throw new HttpError(400, `An id must be an integer${gotValue('id', value)}.`);
}

function idInPath(text: string): RecordId {
  const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(value)) return value;
  const message = `The path parameter id must be an integer of at most ${Number.MAX_SAFE_INTEGER}${gotParameter('id', text)}.`;
  throw faultyFields([{ field: 'id', message }]);
}

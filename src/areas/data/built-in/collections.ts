/** The REST collections of this service, one for each dataset, and the sources of their records. */

import { lazily } from '#base/lazily.js';
import { gotParameter, gotValue } from '#base/text/got-value.js';
import type { RecordDeclaration } from '#data/declare-record.js';
import { referenceOf } from '#data/field-types.js';
import { pictureFields, withStoredPictures } from '#data/picture-address.js';
import { newRecordSchema, patchSchema, replacementSchema } from '#data/record-schemas.js';
import {
  type CollectionName,
  collectionNames,
  type Datasets,
  declarations,
} from '#data/records.js';
import { HttpError } from '#http/http-error.js';
import { describeFaults } from '#kit/input/describe-faults.js';
import { bodyValidator } from '#kit/input/validators.js';
import { Dataset } from '#state/rows/dataset.js';
import { Table, WritableTable } from '#state/rows/table.js';
import { faultyFields } from '../source/faults.js';
import { type DataRecord, FieldTable, type RecordId } from '../source/fields.js';
import type { Relation, Source } from '../source/source.js';
import { checkRecord } from './check-record.js';
import { recordFields } from './record-fields.js';

export interface DeclaredCollection {
  readonly name: CollectionName;
  /** The name in paths and titles: `Events`, at `/api/Events`. */
  readonly title: string;
  readonly noun: string;
  readonly path: string;
  readonly record: RecordDeclaration;
  readonly relations: readonly DeclaredRelation[];
}

export interface DeclaredRelation extends Omit<Relation, 'other'> {
  readonly to: CollectionName;
}

/** Every field that holds the id of a parent. */
const references = collectionNames.flatMap((child) =>
  Object.entries(declarations[child].fields).flatMap(([field, schema]) => {
    const reference = referenceOf(schema);
    return reference === undefined ? [] : { child, field, ...reference };
  }),
);

export const collections: readonly DeclaredCollection[] = collectionNames.map((name) => {
  const record = declarations[name];
  const title = capitalize(name);
  const noun = record.type.toLowerCase();
  return { name, title, noun, path: `/api/${title}`, record, relations: relationsOf(name) };
});

function relationsOf(collection: CollectionName): readonly DeclaredRelation[] {
  const parents = references.filter(({ child }) => child === collection);
  const children = references.filter(({ of }) => of === collection);
  return [
    ...parents
      .map(({ of: to, field, childrenAs }): DeclaredRelation => {
        const name = field.replace(/Id$/, '');
        return { name, kind: 'parent', field, segment: capitalize(childrenAs), to };
      })
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
    ...children.map(({ child: to, field, childrenAs: name }): DeclaredRelation => {
      return { name, kind: 'children', field, segment: capitalize(name), to };
    }),
  ];
}

function capitalize(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** Larger ids would leave no room above them for ids that the service assigns. */
const maxNewId = 2 ** 31 - 1;

export function builtInSources(datasets: Datasets): ReadonlyMap<string, Source> {
  const sources = new Map<string, Source>();
  for (const declared of collections) {
    const relations = declared.relations.map(({ to, ...relation }) => ({
      ...relation,
      get other() {
        return sources.get(to) as Source;
      },
    }));
    sources.set(
      declared.name,
      builtInSource(declared, datasets, () => relations),
    );
  }
  return sources;
}

function builtInSource(
  { name, noun, path, record }: DeclaredCollection,
  datasets: Datasets,
  relations: () => readonly Relation[],
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
    idName: 'id',
    isSingle: false,
    demandsCondition,
    keepsTrash,
    checksReferences: true,
    fieldNames: ['id', ...Object.keys(record.fields)],
    fields: new FieldTable(fields),
    columnsOf: () => fields,
    pictures,
    relations,
    findRelation: (wanted) => relations().find((relation) => relation.name === wanted),
    relationNames: () => relations().map((relation) => relation.name),
    feedName: name,
    recordsIn: (sandbox) => new Table(sandbox, dataset()),
    rowsIn: (view) => new WritableTable(view, dataset()),
    idInPath,
    parseId,
    newId(id) {
      if (Number(id) >= 1 && Number(id) <= maxNewId) return id;
      const message = `The id of a new ${noun} must be from 1 to ${maxNewId}; got ${id}.`;
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

/** The relations of a caller's collection, from the names of all collections. */

import { createNotes } from '#base/notes.js';
import type { DataRecord, FieldValue } from '../source/fields.js';
import type { Links, Relation, Source } from '../source/source.js';
import type { OwnModel } from './load/own-model.js';
import type { OwnRelation, OwnRelations } from './load/own-relations.js';

type Related = Pick<Source, 'relations' | 'findRelation' | 'findChildren' | 'relationNames'>;

/** Returns the relations that records have: in the initial data, or with `shapeOf` in the current data. */
export function relationsAmong(model: OwnModel, shapeOf = model.shapeOf): readonly OwnRelation[] {
  const names = model.relations();
  const fields = names.collections.map((name) => [name, shapeOf(name).properties.keys()] as const);
  return names.among(new Map(fields));
}

/** `sourceOf` is called lazily, so that sources do not hold all others. */
export function relationsOf(
  name: string,
  model: OwnModel,
  sourceOf: (name: string) => Source,
): Related {
  const names = model.relations();
  const fieldsOf = (collection: string) => model.shapeOf(collection).properties.keys();
  const { parent, children } = relationMakers(name, model, sourceOf);

  /** A word such as `staff` can be singular and plural: then the fields of the records decide. */
  const isParentWord = (word: string) =>
    names.wordOf(word) === word && model.shapeOf(name).properties.has(names.fieldOf(word));

  function parentsOf(record: DataRecord | undefined): readonly Relation[] {
    const more = record === undefined || Object.isFrozen(record) ? [] : Object.keys(record);
    return [...new Set([...fieldsOf(name), ...more])].flatMap((field) => {
      const reference = names.isReference(field) ? names.referenceOf(field) : undefined;
      if (reference === undefined || reference.isList) return [];
      return parent(names.wordIn(field), reference.parents);
    });
  }

  function allChildren(): readonly Relation[] {
    const refers = (field: string) => names.referenceOf(field)?.parents === name;
    return names.collections.filter((each) => [...fieldsOf(each)].some(refers)).map(children);
  }

  return {
    relations: (record) => [...parentsOf(record), ...allChildren()],
    findRelation(word) {
      if (names.has(word) && !isParentWord(word)) return children(word);
      const parents = names.parentsOf(word);
      return parents === undefined ? undefined : parent(word, parents);
    },
    findChildren(segment) {
      const lower = segment.toLowerCase();
      const found = names.has(segment)
        ? segment
        : names.collections.find((each) => each.toLowerCase() === lower);
      return found === undefined ? undefined : children(found);
    },
    relationNames: () => [
      ...new Set(names.collections.flatMap((each) => [each, names.wordOf(each)])),
    ],
  };
}

function relationMakers(name: string, model: OwnModel, sourceOf: (name: string) => Source) {
  const names = model.relations();

  function parent(word: string, parents: string): Relation {
    return {
      name: word,
      kind: 'parent',
      field: names.fieldOf(word),
      segment: encodeURIComponent(name),
      get other() {
        return sourceOf(parents);
      },
    };
  }

  function children(collection: string): Relation {
    const usual = names.fieldOf(names.wordOf(name));
    return {
      name: collection,
      kind: 'children',
      field: usual,
      segment: encodeURIComponent(collection),
      get other() {
        return sourceOf(collection);
      },
      linksOf: (records) =>
        linksAmong(names, name, usual, () =>
          referencesIn(records, names, model.shapeOf(collection).properties.keys()),
        ),
      listedIn: (record) => listedIds(names, collection, record),
    };
  }

  return { parent, children };
}

function linksAmong(
  names: OwnRelations,
  parents: string,
  usual: string,
  references: () => readonly string[],
): Links {
  const found = references().flatMap((field) => {
    const reference = names.referenceOf(field);
    return reference?.parents === parents ? reference : [];
  });
  if (found.length === 0) return { fields: [usual], lists: [], isUsual: true };
  return {
    fields: found.filter(({ isList }) => !isList).map(({ field }) => field),
    lists: found.filter(({ isList }) => isList).map(({ field }) => field),
  };
}

const referencesByList = createNotes<readonly string[]>();

/** Returns the fields of records that may hold ids; for lists, also the fields of the initial data. */
function referencesIn(
  records: readonly DataRecord[],
  names: OwnRelations,
  began: Iterable<string>,
): readonly string[] {
  const known = referencesByList.find(records);
  if (known !== undefined) return known;
  const written = records.filter((record) => !Object.isFrozen(record));
  const isWhole = Object.isFrozen(records);
  const all = [...(isWhole ? began : []), ...written.flatMap((record) => Object.keys(record))];
  const found = [...new Set(all.filter((field) => names.isReference(field)))];
  if (isWhole) referencesByList.set(records, found);
  return found;
}

function listedIds(
  names: OwnRelations,
  collection: string,
  record: DataRecord,
): readonly FieldValue[] {
  return Object.keys(record).flatMap((field) => {
    const value = record[field];
    if (!Array.isArray(value) || !names.isReference(field)) return [];
    const reference = names.referenceOf(field);
    return reference?.isList && reference.parents === collection ? value : [];
  });
}

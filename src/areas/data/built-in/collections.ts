/** The REST collections of this service: one for each dataset, whose declaration says what its records are. */

import { referenceOf } from '../../../data/field-types.js';
import { type CollectionName, collectionNames, declarations } from '../../../data/records.js';
import type { DeclaredCollection, DeclaredRelation } from './declared-collection.js';

/** Each field that holds the id of a parent. */
const references = collectionNames.flatMap((child) =>
  Object.entries(declarations[child].fields).flatMap(([field, schema]) => {
    const reference = referenceOf(schema);
    return reference === undefined ? [] : { child, field, ...reference };
  }),
);

export const collections: readonly DeclaredCollection[] = collectionNames.map((name) => {
  const record = declarations[name];
  const noun = record.type.toLowerCase();
  const title = capitalize(name);
  return {
    name,
    title,
    noun,
    path: `/api/${title}`,
    record,
    relations: relationsOf(name),
  };
});

function relationsOf(collection: CollectionName): readonly DeclaredRelation[] {
  const parents = references
    .filter(({ child }) => child === collection)
    .map(({ of, field, childrenAs }): DeclaredRelation => {
      const name = field.replace(/Id$/, '');
      return { name, kind: 'parent', field, segment: capitalize(childrenAs), to: of };
    });
  const children = references
    .filter(({ of }) => of === collection)
    .map(({ child, field, childrenAs: name }): DeclaredRelation => {
      return { name, kind: 'children', field, segment: capitalize(name), to: child };
    });
  return [...parents.sort((a, b) => (a.name < b.name ? -1 : 1)), ...children];
}

function capitalize(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

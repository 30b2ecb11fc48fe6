/** The REST collections of this service: one for each dataset, whose declaration says what its records are. */

import type { RecordDeclaration } from '../../../data/declare-record.js';
import { referenceOf } from '../../../data/field-types.js';
import { type CollectionName, collectionNames, declarations } from '../../../data/records.js';
import type { Relation } from '../source/source.js';

export interface DeclaredCollection {
  /** The dataset that records come from; GraphQL shows the same ones. */
  readonly name: CollectionName;
  /** Its name in paths and titles: `Events`, at `/api/Events`. */
  readonly title: string;
  /** One record, in words: `event`. */
  readonly noun: string;
  readonly path: string;
  readonly record: RecordDeclaration;
  readonly relations: readonly DeclaredRelation[];
}

export interface DeclaredRelation extends Omit<Relation, 'other'> {
  readonly to: CollectionName;
}

/** Each field that holds the id of a parent. */
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

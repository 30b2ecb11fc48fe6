/** Which collections of one's own belong to which: `postId` is the id of one of `posts`. */

import { requireLazily } from '../../../require-lazily.js';

const inflection = requireLazily<typeof import('inflection')>('inflection');

export interface OwnRelation {
  /** The collection whose records name a record of another, such as `comments`. */
  readonly children: string;
  /** The field that names it: `postId`. */
  readonly field: string;
  /** The collection that it is of: `posts`. */
  readonly parents: string;
  /** What one of them is called where it is embedded: `post`. */
  readonly parent: string;
}

/** `fields` has the names of all fields that records of a collection have, by the name of the collection. */
export function ownRelations(
  fields: ReadonlyMap<string, Iterable<string>>,
): readonly OwnRelation[] {
  const names = [...fields.keys()];
  const relations: OwnRelation[] = [];
  for (const [children, ownFields] of fields) {
    for (const field of ownFields) {
      if (field.length <= 2 || !field.endsWith('Id')) continue;
      const parent = field.slice(0, -2);
      const parents = collectionFor(parent, names);
      if (parents !== undefined) relations.push({ children, field, parents, parent });
    }
  }
  return relations;
}

/** The plural itself, and else what is the same but for its case, or the word itself, such as `staff`. */
function collectionFor(word: string, names: readonly string[]): string | undefined {
  const { pluralize, singularize } = inflection();
  const plural = pluralize(word);
  if (names.includes(plural)) return plural;
  const lower = word.toLowerCase();
  return names.find((name) => {
    const known = name.toLowerCase();
    return known === plural.toLowerCase() || known === lower || singularize(known) === lower;
  });
}

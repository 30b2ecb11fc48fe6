/** Which collections of one's own belong to which: `postId` is the id of one of `posts`. */

import { requireLazily } from '../../../../base/require-lazily.js';

const inflection = requireLazily<typeof import('inflection')>('inflection');

export interface OwnRelation {
  /** The collection whose records name a record of another, such as `comments`. */
  readonly children: string;
  readonly field: string;
  readonly parents: string;
  /** What one of them is called where it is embedded: `post`. */
  readonly parent: string;
}

/** More fields whose names end in `Id` are not looked at: the plural of each is made, which takes some time. */
const maxWords = 1000;
const maxRelations = 1000;
const maxFieldLength = 110;

/** `fields` has the names of all fields that records of a collection have, by the name of the collection. */
export function ownRelations(
  fields: ReadonlyMap<string, Iterable<string>>,
): readonly OwnRelation[] {
  const findCollection = collectionFinder([...fields.keys()]);
  const relations: OwnRelation[] = [];
  for (const [children, ownFields] of fields) {
    for (const field of ownFields) {
      if (field.length <= 2 || field.length > maxFieldLength || !field.endsWith('Id')) continue;
      const parent = field.slice(0, -2);
      const parents = findCollection(parent);
      if (parents !== undefined) relations.push({ children, field, parents, parent });
      if (relations.length >= maxRelations) return relations;
    }
  }
  return relations;
}

/** Finds the plural itself, and else what is the same but for its case, or the word itself, such as `staff`. */
function collectionFinder(names: readonly string[]): (word: string) => string | undefined {
  const known = new Map<string, string | undefined>();
  let forms: readonly { readonly name: string; readonly forms: readonly string[] }[] | undefined;

  function find(word: string): string | undefined {
    const { pluralize, singularize } = inflection();
    const plural = pluralize(word);
    if (names.includes(plural)) return plural;
    forms ??= names.map((name) => {
      const lower = name.toLowerCase();
      return { name, forms: [lower, singularize(lower)] };
    });
    const [lowerPlural, lower] = [plural.toLowerCase(), word.toLowerCase()];
    return forms.find(({ forms: [whole, singular] }) => {
      return whole === lowerPlural || whole === lower || singular === lower;
    })?.name;
  }

  return (word) => {
    if (!known.has(word) && known.size < maxWords) known.set(word, find(word));
    return known.get(word);
  };
}

/** Finds relations between collections by their names: `postId` is the id of a record in `posts`. */

import { requireLazily } from '#base/require-lazily.js';

const inflection = requireLazily<typeof import('inflection')>('inflection');

export interface OwnRelation {
  /** The collection whose records refer to another collection, such as `comments`. */
  readonly children: string;
  readonly field: string;
  readonly parents: string;
}

/** A field that refers to a record of a collection, or with `isList` to several. */
interface Reference {
  readonly field: string;
  readonly parents: string;
  readonly isList: boolean;
}

/** The names of fields that have a meaning in data. */
export interface FieldNames {
  readonly id: string;
  readonly foreignKeySuffix: string;
}

export const usualFieldNames: FieldNames = { id: 'id', foreignKeySuffix: 'Id' };

/** Limit of words whose plurals are computed, because each takes some time. */
const maxWords = 1000;
const maxRelations = 1000;
const maxFieldLength = 110;

/** The relations that follow from the names of collections, whatever records they have. */
export class OwnRelations {
  readonly #names: readonly string[];
  readonly #suffix: string;
  readonly #known = new Map<string, string | undefined>();
  #forms: readonly { readonly name: string; readonly forms: readonly string[] }[] | undefined;

  constructor(names: readonly string[], { foreignKeySuffix }: FieldNames) {
    this.#names = names;
    this.#suffix = foreignKeySuffix;
  }

  get collections(): readonly string[] {
    return this.#names;
  }

  has(collection: string): boolean {
    return this.#names.includes(collection);
  }

  /**
   * Finds a collection by the plural of a word, otherwise by the word in any letter case, otherwise by the word itself,
   * such as `staff`.
   */
  parentsOf(word: string): string | undefined {
    if (word === '' || word.length > maxFieldLength) return undefined;
    const known = this.#known.get(word);
    if (known !== undefined || this.#known.has(word)) return known;
    const found = this.#find(word);
    if (this.#known.size < maxWords) this.#known.set(word, found);
    return found;
  }

  /** Returns the word for a record of a collection, such as `post`. */
  wordOf(collection: string): string {
    const word = inflection().singularize(collection);
    return word.charAt(0).toLowerCase() + word.slice(1);
  }

  /** Returns the field that refers to a record with this word. */
  fieldOf(word: string): string {
    return word + this.#suffix;
  }

  /** Returns the word in the name of a field. */
  wordIn(field: string): string {
    return field.slice(0, -this.#suffix.length);
  }

  isReference(field: string): boolean {
    const suffix = this.#suffix;
    return field.length > suffix.length && (field.endsWith(suffix) || field.endsWith(`${suffix}s`));
  }

  referenceOf(field: string): Reference | undefined {
    if (!this.isReference(field)) return undefined;
    const isList = !field.endsWith(this.#suffix);
    const parents = this.parentsOf(field.slice(0, -this.#suffix.length - Number(isList)));
    return parents === undefined ? undefined : { field, parents, isList };
  }

  /** Lists the relations that records have; `fields` has the names of their fields by collection. */
  among(fields: ReadonlyMap<string, Iterable<string>>): readonly OwnRelation[] {
    const relations: OwnRelation[] = [];
    for (const [children, names] of fields) {
      for (const name of names) {
        const reference = this.referenceOf(name);
        if (reference === undefined) continue;
        const { field, parents } = reference;
        relations.push({ children, field, parents });
        if (relations.length >= maxRelations) return relations;
      }
    }
    return relations;
  }

  #find(word: string): string | undefined {
    const { pluralize, singularize } = inflection();
    const plural = pluralize(word);
    if (this.#names.includes(plural)) return plural;
    this.#forms ??= this.#names.map((name) => {
      const lower = name.toLowerCase();
      return { name, forms: [lower, singularize(lower)] };
    });
    const [lowerPlural, lower] = [plural.toLowerCase(), word.toLowerCase()];
    return this.#forms.find(({ forms: [whole, singular] }) => {
      return whole === lowerPlural || whole === lower || singular === lower;
    })?.name;
  }
}

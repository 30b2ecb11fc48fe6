/**
 * The one declaration of a dataset's records: their fields and what each may hold. The TypeScript types,
 * the schemas of REST, the checks of seeds and the tests of the data follow from it; that
 * `schema.graphql` says the same is proved by a test.
 */

import type { Static, TObject, TSchema } from 'typebox';

/** The schemas of fields by name, in the order of the wire. */
export type FieldSchemas = Readonly<Record<string, TSchema>>;

/** A record, `id` included, frozen to its depth. */
export type RecordOf<Declaration> =
  Declaration extends RecordDeclaration<infer Fields>
    ? Frozen<{ id: number } & Static<TObject<Fields>>>
    : never;

type Frozen<Value> = Value extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: Frozen<Value[Name]> }
    : Value;

export interface RuleFault {
  readonly field: string;
  readonly message: string;
}

interface RecordRules<Fields extends FieldSchemas> {
  /** What the schemas of single fields cannot say. Rules of fields that are not there hold. */
  readonly checkRules: (record: Partial<Static<TObject<Fields>>>) => readonly RuleFault[];
  /** Whether records are replaced, changed and deleted under a condition only: 428 without. */
  readonly demandsCondition: boolean;
  /** Whether deleted records go to a trash. */
  readonly keepsTrash: boolean;
}

export interface RecordDeclaration<Fields extends FieldSchemas = FieldSchemas>
  extends RecordRules<Fields> {
  /** The name of one record, in GraphQL and in words, such as `Book`. */
  readonly type: string;
  /**
   * What a record holds beside `id`. A field with a default may be left out by a writer. GraphQL's type
   * of a field is read from its schema as `graphqlTypeOf` in the tests says.
   */
  readonly fields: Fields;
}

export function declareRecord<Fields extends FieldSchemas>(
  type: string,
  fields: Fields,
  rules: Partial<RecordRules<Fields>> = {},
): RecordDeclaration<Fields> {
  return {
    type,
    fields,
    checkRules: () => [],
    demandsCondition: false,
    keepsTrash: false,
    ...rules,
  };
}

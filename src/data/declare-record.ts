/**
 * Declares the records of a dataset: their fields and the values that each accepts. The TypeScript
 * types, the REST schemas, and the checks of seeds and data derive from it. A test compares it with
 * `schema.graphql`.
 */

import type { Static, TObject, TSchema } from 'typebox';

/** Schemas of fields by name, in the order of responses. */
export type FieldSchemas = Readonly<Record<string, TSchema>>;

/** A deeply frozen record with its `id`. */
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
  /** Checks rules that schemas of single fields cannot express. Rules about missing fields pass. */
  readonly checkRules: (record: Partial<Static<TObject<Fields>>>) => readonly RuleFault[];
  /** Whether replacing, patching and deleting a record requires a condition; 428 without. */
  readonly demandsCondition: boolean;
  /** Whether deleted records go to a trash. */
  readonly keepsTrash: boolean;
}

export interface RecordDeclaration<Fields extends FieldSchemas = FieldSchemas>
  extends RecordRules<Fields> {
  /** Name of one record, in GraphQL and in texts, such as `Book`. */
  readonly type: string;
  /**
   * Fields other than `id`. A caller may omit a field with a default. `graphqlTypeOf` in the tests
   * maps schemas to GraphQL types.
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

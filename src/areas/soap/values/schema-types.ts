/**
 * Types of messages, from XML Schema part 2; schemas, parsers, writers and TypeScript types derive
 * from them.
 */

export type SimpleType = 'int' | 'long' | 'string';

/** A sequence of elements in the order of `fields`. */
export interface RecordType {
  /** The name of the complex type in the schema. */
  readonly name: string;
  readonly fields: Fields;
}

/** One element with the field's name for each value. */
export interface ListType {
  readonly listOf: SimpleType | RecordType;
}

export type FieldType = SimpleType | RecordType | ListType;

export type Fields = Readonly<Record<string, FieldType>>;

/** TypeScript type of a value. A `long` beyond 2^53 does not occur. */
export type ValueOf<T> = T extends 'string'
  ? string
  : T extends SimpleType
    ? number
    : T extends { readonly fields: infer F }
      ? RecordOf<F>
      : T extends { readonly listOf: infer I }
        ? readonly ValueOf<I>[]
        : never;

export type RecordOf<F> = { readonly [Name in keyof F]: ValueOf<F[Name]> };

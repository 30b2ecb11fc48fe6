/** The types of messages, from XML Schema part 2: schemas, reading, writing and TypeScript types follow from them. */

import { quote, trimXml } from './xml/text.js';

export type SimpleType = 'int' | 'long' | 'string';

/** A sequence of elements in the order of `fields`. */
export interface RecordType {
  /** The name of the complex type in the schema. */
  readonly name: string;
  readonly fields: Fields;
}

/** As many elements of the field's name as there are values. */
export interface ListType {
  readonly listOf: SimpleType | RecordType;
}

export type FieldType = SimpleType | RecordType | ListType;

export type Fields = Readonly<Record<string, FieldType>>;

/** What a value of a type is in TypeScript. A `long` beyond 2^53 does not occur. */
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

export const minInt = -(2 ** 31);
export const maxInt = 2 ** 31 - 1;

/** Thrown when text is no value of a type; the message goes on from the name of what held it. */
export class ValueError extends Error {
  override readonly name = 'ValueError';
}

/** Reads `xs:int` (part 2 section 3.3.17): white space around it collapses, a sign may lead. */
export function parseInt32(text: string): number {
  const digits = trimXml(text);
  if (!/^[+-]?[0-9]+$/.test(digits)) {
    const sent = digits === '' ? 'is empty' : `is ${quote(digits)}`;
    throw new ValueError(`${sent}, but it must be an integer such as 42 or -7.`);
  }
  const value = Number(digits);
  if (value < minInt || value > maxInt) {
    throw new ValueError(
      `is ${quote(digits)}, but a 32-bit integer lies between ${minInt} and ${maxInt}.`,
    );
  }
  // Minus zero is plain zero.
  return value + 0;
}

/** Reads text that must say something; the white space that an editor put around it does not count. */
export function parseText(text: string): string {
  const content = trimXml(text);
  if (content === '') throw new ValueError('is empty.');
  return content;
}

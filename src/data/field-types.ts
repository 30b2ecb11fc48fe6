/** What fields of records are made of. */

import { type Static, type TSchema, type TStringOptions, Type } from 'typebox';
import { notBlankPattern, plainTextPattern } from './text-patterns.js';

/** Text for one line, not blank. */
export const text = (maxLength: number, options: TStringOptions = {}) =>
  Type.String({ minLength: 1, maxLength, pattern: notBlankPattern, ...options });

/** Several short texts. */
export const tags = (maxItems = 10) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 40, pattern: plainTextPattern }), {
    maxItems,
    default: [],
  });

/** Several texts of any number. */
export const texts = (maxLength: number, description?: string) =>
  Type.Array(text(maxLength), { maxItems: 100, ...(description !== undefined && { description }) });

/** A whole number of 32 bits, at least 0 unless said otherwise: GraphQL's Int. */
export const count = (options: NumberBounds = {}) =>
  Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1, ...options });

/** A whole number of up to 53 bits: GraphQL's Long. */
export const longCount = (description?: string) =>
  Type.Integer({
    format: 'int64',
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    ...(description !== undefined && { description }),
  });

/** A number with any fraction: GraphQL's Float. Without the format it would be money. */
export const decimalNumber = (options: NumberBounds = {}) =>
  Type.Number({ format: 'double', ...options });

/** US dollars, with two decimals in our data: GraphQL's Decimal. */
export const money = (options: NumberBounds = {}) =>
  Type.Number({ minimum: 0, maximum: 1_000_000, ...options });

interface NumberBounds {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: number;
  readonly description?: string;
}

/** The id of a record of another dataset. */
export const reference = (description: string) => Type.Integer({ minimum: 1, description });

/** An instant, stored in UTC with milliseconds: `2027-03-12T18:00:00.000Z`. */
export const timestamp = (options: TStringOptions = {}) =>
  Type.String({ format: 'date-time', ...options });

/** A day: `2027-03-12`. */
export const date = (options: TStringOptions = {}) => Type.String({ format: 'date', ...options });

/** One of these words. */
export const oneOf = (words: readonly string[], description: string) =>
  Type.String({ enum: [...words], description });

/** A path below this service's address, which answers make absolute; `form` ends in what follows the id. */
export const picture = (folder: string, ending = '.svg') =>
  Type.String({
    pattern: `^/images/${folder}/[1-9]\\d*${ending.replaceAll('.', '\\.')}$`,
    description: 'The address of a picture.',
  });

/** What may be null instead. */
export function nullable<Schema extends TSchema>(schema: Schema) {
  const { type } = schema as { type?: string };
  return Type.Unsafe<Static<Schema> | null>({ ...schema, type: [type, 'null'] });
}

/** Types of record fields. */

import { type Static, type TSchema, type TSchemaOptions, type TStringOptions, Type } from 'typebox';
import { notBlankPattern, plainTextPattern } from '#base/text/text-patterns.js';

/** One line of text, not blank. */
export const text = (maxLength: number, options: TStringOptions = {}) =>
  Type.String({ minLength: 1, maxLength, pattern: notBlankPattern, ...options });

/**
 * Symbols beyond Latin, without control characters. The pattern is the same for validators that
 * count UTF-16 code units.
 */
export const emoji = (options: TStringOptions = {}) =>
  Type.String({
    minLength: 1,
    maxLength: 16,
    pattern:
      '^(?:[\\u00a9-\\u2027\\u202f-\\u2065\\u206a-\\ud7ff\\uf900-\\ufffd]|[\\ud800-\\udbff][\\udc00-\\udfff]|[^\\u0000-\\uffff])+$',
    ...options,
  });

/** Several short texts. */
export const tags = (maxItems = 10) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 40, pattern: plainTextPattern }), {
    maxItems,
    default: [],
  });

/** Several texts of any number. */
export const texts = (maxLength: number, options: TSchemaOptions = {}) =>
  Type.Array(text(maxLength), { maxItems: 100, ...options });

/** An integer of 32 bits, at least 0 by default: Int in GraphQL. */
export const count = (options: NumberLimits = {}) =>
  Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1, ...options });

/** An integer of up to 53 bits: Long in GraphQL. */
export const longCount = (options: NumberLimits = {}) =>
  Type.Integer({ format: 'int64', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, ...options });

/** A number with any fraction: Float in GraphQL. Without the format it would be money. */
export const decimalNumber = (options: NumberLimits = {}) =>
  Type.Number({ format: 'double', ...options });

/** US dollars, with two decimals in our data: Decimal in GraphQL. */
export const money = (options: NumberLimits = {}) =>
  Type.Number({ minimum: 0, maximum: 1_000_000, ...options });

interface NumberLimits {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: number;
  readonly description?: string;
}

/** The id of the parent record in another dataset. */
export const reference = (to: Reference, description: string) =>
  Type.Integer({ minimum: 1, description, [parent]: to });

const parent = Symbol('parent');

export interface Reference {
  /** Dataset of the parent. */
  readonly of: 'users' | 'albums' | 'companies' | 'employees';
  /** Name of the parent's children: `posts`, at `/api/Users/{id}/Posts`. */
  readonly childrenAs: string;
}

/** Returns the dataset that a field refers to; `undefined` without a reference. */
export function referenceOf(schema: TSchema): Reference | undefined {
  return (schema as { readonly [parent]?: Reference })[parent];
}

/** An instant, stored in UTC with milliseconds: `2027-03-12T18:00:00.000Z`. */
export const timestamp = (options: TStringOptions = {}) =>
  Type.String({ format: 'date-time', ...options });

/** A day: `2027-03-12`. */
export const date = (options: TStringOptions = {}) => Type.String({ format: 'date', ...options });

/** One of these words. */
export const oneOf = (words: readonly string[], options: TStringOptions) =>
  Type.String({ enum: [...words], ...options });

/**
 * The URL of an image. URLs of this service are stored as paths, and returned with the base URL.
 */
export const picture = (folder: string, ending = '.svg') =>
  Type.String({
    maxLength: 2000,
    pattern: `^(?:/images/${folder}/[1-9]\\d{0,8}${ending.replaceAll('.', '\\.')}|https?://[^\\s"<>\\\\^\`{|}]+)$`,
    default: `/images/${folder}/1${ending}`,
    examples: [`/images/${folder}/1${ending}`],
    description: 'URL of an image: http:, https:, or a path of this service.',
    [isPicture]: true,
  });

const isPicture = Symbol('picture');

/** Returns whether a field contains the URL of an image. */
export function holdsPicture(schema: TSchema): boolean {
  return Object.hasOwn(schema, isPicture);
}

/** Accepts null as well: `enum` limits all types of a schema (JSON Schema Validation section 6.1.2). */
export function nullable<Schema extends TSchema>(schema: Schema, options: TSchemaOptions = {}) {
  const { type, enum: words } = schema as { type?: string; enum?: readonly unknown[] };
  return Type.Unsafe<Static<Schema> | null>({
    ...schema,
    ...options,
    type: [type, 'null'],
    ...(words && { enum: [...words, null] }),
  });
}

const initialValue = Symbol('initial value');

type InitialValue = (nowMs: number) => string;

/** A field whose default depends on the time. */
export function startingAs<Schema extends TSchema>(make: InitialValue, schema: Schema): Schema {
  return { ...schema, [initialValue]: make };
}

/** Returns the function that makes the default of such a field. */
export function initialValueOf(schema: TSchema): InitialValue | undefined {
  return (schema as { readonly [initialValue]?: InitialValue })[initialValue];
}

export const now: InitialValue = (nowMs) => new Date(nowMs).toISOString();
export const today: InitialValue = (nowMs) => now(nowMs).slice(0, 10);

const weekMs = 7 * 24 * 60 * 60 * 1000;
export const inAWeek: InitialValue = (nowMs) => today(nowMs + weekMs);

const comparedAs = Symbol('compared as');

/** A text that callers write in several forms; `read` converts it to the stored form. */
export function readBy<Schema extends TSchema>(
  read: (text: string) => string,
  schema: Schema,
): Schema {
  return { ...schema, [comparedAs]: read };
}

/** Returns the function that converts filter values of a field. */
export function readerOf(schema: TSchema): ((text: string) => string) | undefined {
  return (schema as { readonly [comparedAs]?: (text: string) => string })[comparedAs];
}

/** Returns whether a caller may omit a field. */
export function hasDefault(schema: TSchema): boolean {
  return Object.hasOwn(schema, 'default') || initialValueOf(schema) !== undefined;
}

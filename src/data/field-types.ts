/** What fields of records are made of. */

import { type Static, type TSchema, type TSchemaOptions, type TStringOptions, Type } from 'typebox';
import { notBlankPattern, plainTextPattern } from '../base/text/text-patterns.js';

/** Text for one line, not blank. */
export const text = (maxLength: number, options: TStringOptions = {}) =>
  Type.String({ minLength: 1, maxLength, pattern: notBlankPattern, ...options });

/**
 * Symbols beyond Latin, and no control characters. The pattern means the same to those who count in halves of surrogate
 * pairs, as many validators do.
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

/** A whole number of 32 bits, at least 0 unless said otherwise: GraphQL's Int. */
export const count = (options: NumberLimits = {}) =>
  Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1, ...options });

/** A whole number of up to 53 bits: GraphQL's Long. */
export const longCount = (options: NumberLimits = {}) =>
  Type.Integer({ format: 'int64', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, ...options });

/** A number with any fraction: GraphQL's Float. Without the format it would be money. */
export const decimalNumber = (options: NumberLimits = {}) =>
  Type.Number({ format: 'double', ...options });

/** US dollars, with two decimals in our data: GraphQL's Decimal. */
export const money = (options: NumberLimits = {}) =>
  Type.Number({ minimum: 0, maximum: 1_000_000, ...options });

interface NumberLimits {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: number;
  readonly description?: string;
}

/** The id of a record of another dataset, to which the record belongs. */
export const reference = (to: Reference, description: string) =>
  Type.Integer({ minimum: 1, description, [parent]: to });

const parent = Symbol('parent');

export interface Reference {
  /** The dataset of the parent. */
  readonly of: 'users' | 'albums' | 'companies' | 'employees';
  /** The name of the children of a parent: `posts`, at `/api/Users/{id}/Posts`. */
  readonly childrenAs: string;
}

/** Returns the dataset that a field refers to, if any. */
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
 * The address of a picture: of one of this service, which is stored as its path and returned with the base URL
 * before it, or of any other.
 */
export const picture = (folder: string, ending = '.svg') =>
  Type.String({
    maxLength: 2000,
    pattern: `^(?:/images/${folder}/[1-9]\\d{0,8}${ending.replaceAll('.', '\\.')}|https?://[^\\s"<>\\\\^\`{|}]+)$`,
    default: `/images/${folder}/1${ending}`,
    examples: [`/images/${folder}/1${ending}`],
    description: 'The address of a picture, of http: or https:, or a path of this service.',
    [isPicture]: true,
  });

const isPicture = Symbol('picture');

/** Whether a field holds the address of a picture. */
export function holdsPicture(schema: TSchema): boolean {
  return Object.hasOwn(schema, isPicture);
}

/** What may be null instead. */
export function nullable<Schema extends TSchema>(schema: Schema, options: TSchemaOptions = {}) {
  const { type } = schema as { type?: string };
  return Type.Unsafe<Static<Schema> | null>({ ...schema, ...options, type: [type, 'null'] });
}

const initialValue = Symbol('initial value');

type InitialValue = (nowMs: number) => string;

/** A field that begins with what depends on the time, where a writer leaves it out. */
export function startingAs<Schema extends TSchema>(make: InitialValue, schema: Schema): Schema {
  return { ...schema, [initialValue]: make };
}

/** What makes the value of a field that was left out, where that depends on the time. */
export function initialValueOf(schema: TSchema): InitialValue | undefined {
  return (schema as { readonly [initialValue]?: InitialValue })[initialValue];
}

export const now: InitialValue = (nowMs) => new Date(nowMs).toISOString();
export const today: InitialValue = (nowMs) => now(nowMs).slice(0, 10);

const weekMs = 7 * 24 * 60 * 60 * 1000;
export const inAWeek: InitialValue = (nowMs) => today(nowMs + weekMs);

const comparedAs = Symbol('compared as');

/** A text that callers write in several ways, of which `read` makes the one that is stored. */
export function readBy<Schema extends TSchema>(
  read: (text: string) => string,
  schema: Schema,
): Schema {
  return { ...schema, [comparedAs]: read };
}

/** What a filter makes of the text that it is given for a field. */
export function readerOf(schema: TSchema): ((text: string) => string) | undefined {
  return (schema as { readonly [comparedAs]?: (text: string) => string })[comparedAs];
}

/** Whether a writer may leave a field out. */
export function hasDefault(schema: TSchema): boolean {
  return Object.hasOwn(schema, 'default') || initialValueOf(schema) !== undefined;
}

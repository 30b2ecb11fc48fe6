/** The interface of a pagination style: its parameters, its response, and the function that builds it. */

import { type Static, type TSchema, Type } from 'typebox';
import { wholeRecord } from '#data/record-schemas.js';
import { declarations, type Item } from '#data/records.js';
import type { Fields } from '#http/exchange.js';
import type { Examples } from '#kit/example.js';

export const itemSchema = wholeRecord(declarations.items);

export interface PageContext {
  /** The URL of the style without its query, for links. */
  readonly url: string;
  /** The base URL of single items, with a slash at the end. */
  readonly itemsUrl: string;
  readonly cursorKey: string | Buffer;
}

export interface Page {
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface PaginationStyle<Query> {
  /** The name in its path, `/api/pagination/{name}`. */
  readonly name: string;
  readonly summary: string;
  readonly parameters: Readonly<Record<string, TSchema>>;
  readonly response: TSchema;
  /** The headers of a successful response. */
  readonly responseHeaders?: Fields;
  /** Content type of a successful response; default: JSON. */
  readonly contentType?: string;
  readonly examples: Examples;
  readonly page: (items: readonly Item[], query: Query, context: PageContext) => Page;
}

/** Larger positions are rejected. */
const maxPosition = 2 ** 31 - 1;

export const pageSize = (what: string) =>
  Type.Integer({ minimum: 1, maximum: 100, default: 10, description: what });

export const position = (first: number, what: string) =>
  Type.Integer({ minimum: first, maximum: maxPosition, default: first, description: what });

/** Infers the type of the query from the parameters. */
export function defineStyle<Parameters extends Record<string, TSchema>>(
  style: Omit<
    PaginationStyle<{ [Name in keyof Parameters]: Static<Parameters[Name]> }>,
    'parameters'
  > & {
    readonly parameters: Parameters;
  },
): PaginationStyle<never> {
  return style as PaginationStyle<never>;
}

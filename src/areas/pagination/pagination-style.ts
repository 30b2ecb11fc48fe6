/** What a pagination style is to the routes: its parameters, its response, and how to make one. */

import { type Static, type TSchema, Type } from 'typebox';
import { wholeRecord } from '../../data/record-schemas.js';
import { declarations, type Item } from '../../data/records.js';
import type { Fields } from '../../http/exchange.js';

export const itemSchema = wholeRecord(declarations.items);

export interface PageContext {
  /** The address of the style without its query, to begin links with. */
  readonly url: string;
  /** The address that the addresses of single items begin with, with a slash at the end. */
  readonly itemsUrl: string;
  readonly cursorKey: string | Buffer;
}

export interface Page {
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface PaginationStyle<Query> {
  /** As in its path, `/api/pagination/{name}`. */
  readonly name: string;
  readonly summary: string;
  readonly parameters: Readonly<Record<string, TSchema>>;
  readonly response: TSchema;
  /** The headers of a successful response. */
  readonly responseHeaders?: Fields;
  /** Of a successful response; JSON when left out. */
  readonly contentType?: string;
  readonly page: (items: readonly Item[], query: Query, context: PageContext) => Page;
}

/** Positions beyond this are rejected rather than computed with. */
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

/** Structured fields (RFC 9651). Loads the library on first use. */

import { requireLazily } from '#base/require-lazily.js';
import type { Request } from '../exchange.js';
import { headerValues } from './header-values.js';

export type { Dictionary, InnerList, Item, Parameters } from 'structured-headers';

export const structuredFields =
  requireLazily<typeof import('structured-headers')>('structured-headers');

/** Returns `undefined` without the header, or if it is no integer of at least 0. */
export function integerItem(request: Request, name: string): number | undefined {
  const text = headerValues(request, name).join(', ');
  const value = parseItem(text);
  // A decimal such as 1.0 is no integer, but has the same value here.
  const isInteger = Number.isInteger(value) && !/^ *-?\d+\./.test(text);
  return isInteger && Number(value) >= 0 ? Number(value) : undefined;
}

/** Returns `undefined` without the header, or if it is no boolean, `?0` or `?1`. */
export function booleanItem(request: Request, name: string): boolean | undefined {
  const value = parseItem(headerValues(request, name).join(', '));
  return typeof value === 'boolean' ? value : undefined;
}

/** Returns the bare item; `undefined` if the text is malformed. */
function parseItem(text: string): unknown {
  try {
    return structuredFields().parseItem(text)[0];
  } catch {
    return undefined;
  }
}

/** Parses structured fields with one item (RFC 9651 sections 3.3.1 and 3.3.6). */

import type { Request } from '../exchange.js';
import { headerValues } from './header-values.js';

const parameters = '(?: *; *[a-z*][a-z0-9_.*-]*(?:=[^;]*)?)*';
const integer = new RegExp(`^ *(-?\\d{1,15})${parameters} *$`);
const boolean = new RegExp(`^ *\\?([01])${parameters} *$`);

/** Returns `undefined` without the header, or if it is no integer of at least 0. */
export function integerItem(request: Request, name: string): number | undefined {
  const [, digits] = integer.exec(headerValues(request, name).join(', ')) ?? [];
  const value = Number(digits);
  return digits !== undefined && value >= 0 ? value : undefined;
}

/** Returns `undefined` without the header, or if it is no boolean, `?0` or `?1`. */
export function booleanItem(request: Request, name: string): boolean | undefined {
  const [, digit] = boolean.exec(headerValues(request, name).join(', ')) ?? [];
  return digit === undefined ? undefined : digit === '1';
}

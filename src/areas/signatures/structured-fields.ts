/** Structured Fields (RFC 9651), by a library that only signed requests load. */

import type { Item, Parameters } from 'structured-headers';
import { requireLazily } from '../../base/require-lazily.js';

export type { Dictionary, InnerList, Item, Parameters } from 'structured-headers';

export const structuredFields =
  requireLazily<typeof import('structured-headers')>('structured-headers');

export function isInnerList(
  member: Item | readonly [Item[], Parameters],
): member is [Item[], Parameters] {
  return Array.isArray(member[0]);
}

/** What `parse` makes of a text, or why it is nothing. */
export function attempt<Value>(parse: () => Value): Value | { readonly fault: string } {
  try {
    return parse();
  } catch (error) {
    return { fault: (error as Error).message.replace(/^Parse error: /, '') };
  }
}

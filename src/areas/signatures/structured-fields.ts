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

/** Says in a sentence what is wrong with a message, or with its signatures. */
export class MessageFault extends Error {}

/** Throws a {@link MessageFault} unless the condition holds. */
export function check(condition: boolean, fault: string): asserts condition {
  if (!condition) throw new MessageFault(fault);
}

/** Uses the library. Throws a {@link MessageFault} of these words and what it says. */
export function attempt<Value>(use: () => Value, words = ''): Value {
  try {
    return use();
  } catch (error) {
    throw new MessageFault(words + (error as Error).message.replace(/^Parse error: /, ''));
  }
}

/** Returns what a function returns, or what `otherwise` makes of the {@link MessageFault} that it throws. */
export function unlessFaulty<Value, Other>(
  run: () => Value,
  otherwise: (fault: string) => Other,
): Value | Other {
  try {
    return run();
  } catch (error) {
    if (error instanceof MessageFault) return otherwise(error.message);
    throw error;
  }
}

/** Faults of signed messages, and members of their structured fields. */

import type { Item, Parameters } from '#http/headers/structured-fields.js';

export function isInnerList(
  member: Item | readonly [Item[], Parameters],
): member is [Item[], Parameters] {
  return Array.isArray(member[0]);
}

/** Its message is a sentence about a fault of a message or its signatures. */
export class MessageFault extends Error {}

/** Throws a {@link MessageFault} unless the condition holds. */
export function check(condition: boolean, fault: string): asserts condition {
  if (!condition) throw new MessageFault(fault);
}

/** Calls the library. Throws a {@link MessageFault} with these words and the library's message. */
export function attempt<Value>(use: () => Value, words = ''): Value {
  try {
    return use();
  } catch (error) {
    throw new MessageFault(words + (error as Error).message.replace(/^Parse error: /, ''));
  }
}

/** Returns the result of a function, or passes its {@link MessageFault} to `otherwise`. */
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

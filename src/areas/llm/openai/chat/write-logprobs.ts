/** Log probabilities of the tokens of a chat completion. */

import type { JsonObject } from '#base/json-object.js';
import { writeTokens } from '../../model/logprobs.js';

/** `count` is the number of alternatives; without it, there are no log probabilities. */
export function writeLogprobs(
  { text = '', refusal }: { readonly text?: string; readonly refusal?: string | undefined },
  count: number | undefined,
): JsonObject | null {
  if (count === undefined) return null;
  const hasRefusal = refusal !== undefined && refusal !== '';
  return {
    content: text === '' && hasRefusal ? null : writeTokens(text, count),
    refusal: hasRefusal ? writeTokens(refusal, count) : null,
  };
}

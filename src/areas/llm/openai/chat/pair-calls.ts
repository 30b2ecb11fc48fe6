/** Requires the result of each tool call right after its message. */

import type { HttpError } from '#http/http-error.js';
import type { Turn } from '../../messages/conversation.js';
import { mistake } from '../../messages/mistake.js';

/** Throws a mistake for a call without a result, or a result without a call. */
export function pairCalls(turns: readonly Turn[]): void {
  let waiting = new Set<string>();
  for (const [index, { role, calls = [], results = [] }] of turns.entries()) {
    if (role !== 'tool') {
      requireNone(waiting, index);
      waiting = new Set(calls.map(({ id }) => id));
      continue;
    }
    for (const { id } of results) {
      if (!waiting.delete(id)) {
        throw wrongPlace(index, `No call '${id}' waits for the result in messages[${index}].`);
      }
    }
  }
  requireNone(waiting, turns.length - 1);
}

function requireNone(waiting: ReadonlySet<string>, index: number): void {
  const [id] = waiting;
  if (id === undefined) return;
  throw wrongPlace(index, `The call '${id}' has no result; add a tool message right after it.`);
}

/** The API writes these paths with a dot. */
function wrongPlace(index: number, message: string): HttpError {
  return mistake(400, message, {
    param: `messages.[${index}].role`,
    code: null,
    rule: 'tool-ids-pair',
  });
}

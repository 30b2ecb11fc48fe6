/** Checks and cuts the turns of items. */

import type { HttpError } from '#http/http-error.js';
import type { Turn } from '../../messages/conversation.js';
import { mistake } from '../../messages/mistake.js';
import { countPrompt } from '../../model/tokens.js';
import { invalid } from '../read/faults.js';

/** Characters of a whole conversation. */
export const maxCharacters = 1024 * 1024;

/** Counts the characters of texts, results and arguments. */
export function charactersOf(turns: readonly Turn[]): number {
  let sum = 0;
  for (const { text, calls = [], results = [] } of turns) {
    sum += text.length;
    for (const call of calls) sum += call.arguments.length;
    for (const result of results) sum += result.text.length;
  }
  return sum;
}

export function tooLong(path: string): HttpError {
  const message = `Use at most ${maxCharacters} characters in a conversation. Start a new one.`;
  return invalid(path, 'context_length_exceeded', message);
}

/** Requires a result for each call, and a call for each result, in any later place. */
export function pairItems(turns: readonly Turn[]): void {
  const waiting = new Set<string>();
  for (const { calls = [], results = [] } of turns) {
    for (const { id } of calls) {
      if (waiting.has(id)) throw unpaired(`Duplicate call '${id}' in the input.`);
      waiting.add(id);
    }
    for (const { id } of results) {
      if (!waiting.delete(id)) {
        throw unpaired(`No function call waits for the output of '${id}'.`);
      }
    }
  }
  const [id] = waiting;
  if (id !== undefined) {
    throw unpaired(`The function call '${id}' has no function_call_output.`);
  }
}

function unpaired(message: string): HttpError {
  return mistake(400, message, { param: 'input', code: null, rule: 'tool-ids-pair' });
}

/** Drops the oldest turns, except instructions, until the others fit. */
export function fitTurns(turns: readonly Turn[], room: number): readonly Turn[] {
  const costs = turns.map((turn) => countPrompt({ turns: [turn], tools: [] }));
  let excess = costs.reduce((sum, cost) => sum + cost, 0) - room;
  return turns.filter(({ role }, index) => {
    if (excess <= 0 || role === 'system' || index === turns.length - 1) return true;
    excess -= costs[index] ?? 0;
    return false;
  });
}

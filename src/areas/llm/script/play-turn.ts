/** Makes the completion of a turn of the script. */

import type { Completion, Conversation } from '../messages/conversation.js';
import { mistake } from '../messages/mistake.js';
import { finishCompletion } from '../model/finish-completion.js';
import type { ScriptTurn, TurnFault } from './script.js';

/** Throws the fault of the turn. `id` returns letters for the ids of calls. */
export function playTurn(
  conversation: Conversation,
  turn: ScriptTurn,
  id: (length: number) => string,
): Completion {
  const { text = '', thinking = '', refusal, toolCalls = [], stopReason: stop, usage } = turn;
  if (turn.fault !== undefined) throw faultOf(turn.fault);
  const calls = toolCalls.map(({ name, arguments: given, result }) => ({
    id: `call_${id(24)}`,
    name,
    arguments: typeof given === 'string' ? given : JSON.stringify(given),
    ...(result !== undefined && { result }),
  }));
  const completion = finishCompletion(conversation, { text, thinking, refusal, calls, stop });
  const { inputTokens, outputTokens } = usage ?? {};
  return {
    ...completion,
    usage: {
      ...completion.usage,
      ...(inputTokens !== undefined && { input: inputTokens }),
      ...(outputTokens !== undefined && { output: outputTokens }),
    },
  };
}

function faultOf({ status, code, message, ...waits }: TurnFault) {
  const { retryAfter, retryAfterMs, shouldRetry } = waits;
  return mistake(status, message ?? `Simulated failure: the script has status ${status}.`, {
    ...(code !== undefined && { code }),
    headers: {
      'x-simulated': 'true',
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
      ...(retryAfterMs !== undefined && { 'retry-after-ms': String(retryAfterMs) }),
      ...(shouldRetry !== undefined && { 'x-should-retry': String(shouldRetry) }),
    },
  });
}

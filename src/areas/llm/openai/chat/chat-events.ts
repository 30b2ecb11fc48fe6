/** Writes the chunks of a streamed chat completion. */

import type { JsonObject } from '#base/json-object.js';
import type { Completion } from '../../messages/conversation.js';
import type { Place, ProviderEvent, Stamp } from '../../messages/provider.js';
import { inTurns } from '../../model/in-turns.js';
import { piecesOf } from '../../model/tokens.js';
import { callOf, contentOf, finishReasons, headOf, usageOf } from './write-completion.js';
import { writeLogprobs } from './write-logprobs.js';

interface Delta {
  readonly at: Place;
  readonly delta: JsonObject;
  readonly finish?: string;
}

export interface ChatStream {
  readonly model: string;
  /** Whether a last chunk reports the usage. */
  readonly hasUsage: boolean;
  /** See {@link writeLogprobs}. */
  readonly logprobs?: number | undefined;
}

export function* chatEvents(
  { model, hasUsage, logprobs }: ChatStream,
  completions: readonly Completion[],
  stamp: Stamp,
): Iterable<ProviderEvent> {
  const head = headOf(model, 'chat.completion.chunk', stamp);
  const usage = hasUsage && { usage: null };
  // The model writes all choices at the same time.
  yield* inTurns(completions, function* (completion, index): Iterable<ProviderEvent> {
    for (const { at, delta, finish = null } of deltasOf(completion)) {
      const { content, refusal } = delta as { content?: string; refusal?: string };
      const isText = at === 'text';
      const own = isText ? writeLogprobs({ text: content ?? '', refusal }, logprobs) : null;
      const choices = [{ index, delta, logprobs: own, finish_reason: finish }];
      yield { at, data: { ...head, choices, ...usage } };
    }
  });
  if (hasUsage) yield { at: 'end', data: { ...head, choices: [], usage: usageOf(completions) } };
  yield { at: 'end', data: '[DONE]' };
}

function* deltasOf(completion: Completion): Iterable<Delta> {
  const content = contentOf(completion);
  const start = content === null ? null : '';
  yield { at: 'start', delta: { role: 'assistant', content: start, refusal: null } };
  for (const piece of piecesOf(completion.text)) yield { at: 'text', delta: { content: piece } };
  for (const piece of piecesOf(completion.refusal ?? '')) {
    yield { at: 'text', delta: { refusal: piece } };
  }
  for (const [index, call] of completion.calls.entries()) {
    const begun = { index, ...callOf({ ...call, arguments: '' }) };
    yield { at: 'arguments', delta: { tool_calls: [begun] } };
    for (const piece of piecesOf(call.arguments)) {
      const part = { index, function: { arguments: piece } };
      yield { at: 'arguments', delta: { tool_calls: [part] } };
    }
  }
  yield { at: 'end', delta: {}, finish: finishReasons[completion.stop] };
}

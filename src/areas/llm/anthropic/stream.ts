/** Events of a streamed message. */

import type { JsonObject } from '#base/json-object.js';
import type { Completion, ToolCall } from '../messages/conversation.js';
import type { Place, ProviderEvent, Stamp } from '../messages/provider.js';
import { signThinking } from '../messages/signature.js';
import { piecesOf } from '../model/tokens.js';
import {
  finalUsage,
  messageHead,
  type ResponseContext,
  stopOf,
  thinkingOf,
  usageOf,
  visibleTextOf,
  writeCall,
  writeText,
} from './response.js';

export function* streamMessage(
  completion: Completion,
  context: ResponseContext,
  stamp: Stamp,
): Generator<ProviderEvent> {
  yield start(completion, context, stamp);
  yield event('start', { type: 'ping' });
  for (const [index, block] of blocksOf(completion, context).entries())
    yield* writeBlock(block, index);
  const { stop_reason, stop_sequence, stop_details } = stopOf(completion);
  const delta = { stop_reason, stop_sequence, stop_details, container: null };
  yield event('end', { type: 'message_delta', delta, usage: finalUsage(completion) });
  yield event('end', { type: 'message_stop' });
}

function event(at: Place, data: JsonObject & { readonly type: string }): ProviderEvent {
  return { event: data.type, data, at };
}

function start(completion: Completion, context: ResponseContext, stamp: Stamp): ProviderEvent {
  const usage = { ...completion.usage, output: Math.min(1, completion.usage.output), thinking: 0 };
  return event('start', {
    type: 'message_start',
    message: {
      ...messageHead(context, stamp),
      content: [],
      stop_reason: null,
      stop_sequence: null,
      stop_details: null,
      usage: usageOf({ ...completion, usage }, context),
    },
  });
}

interface StreamedBlock {
  readonly at: Place;
  /** The block before its first delta. */
  readonly empty: JsonObject;
  readonly deltas: Iterable<JsonObject>;
}

function* writeBlock(
  { at, empty, deltas }: StreamedBlock,
  index: number,
): Generator<ProviderEvent> {
  yield event(at, { type: 'content_block_start', index, content_block: empty });
  for (const delta of deltas) yield event(at, { type: 'content_block_delta', index, delta });
  yield event(at, { type: 'content_block_stop', index });
}

function blocksOf(completion: Completion, context: ResponseContext): readonly StreamedBlock[] {
  const thinking = thinkingOf(completion, context);
  const text = visibleTextOf(completion);
  return [
    ...(thinking === undefined ? [] : [thinkingBlock(thinking)]),
    ...(text === '' ? [] : [textBlock(text, context)]),
    ...completion.calls.map(callBlock),
  ];
}

function thinkingBlock(thinking: string): StreamedBlock {
  return {
    at: 'thinking',
    empty: { type: 'thinking', thinking: '', signature: '' },
    deltas: thinkingDeltas(thinking),
  };
}

function textBlock(text: string, context: ResponseContext): StreamedBlock {
  return {
    at: 'text',
    empty: writeText('', context),
    deltas: textDeltas(text),
  };
}

function callBlock(call: ToolCall): StreamedBlock {
  return {
    at: 'arguments',
    empty: writeCall(call, {}),
    deltas: inputDeltas(call.arguments),
  };
}

function* thinkingDeltas(thinking: string): Generator<JsonObject> {
  for (const piece of piecesOf(thinking)) yield { type: 'thinking_delta', thinking: piece };
  yield { type: 'signature_delta', signature: signThinking(thinking) };
}

function* textDeltas(text: string): Generator<JsonObject> {
  for (const piece of piecesOf(text)) yield { type: 'text_delta', text: piece };
}

/** The first one is empty, and the only one of a call without input. */
function* inputDeltas(text: string): Generator<JsonObject> {
  yield { type: 'input_json_delta', partial_json: '' };
  if (text === '{}') return;
  for (const piece of piecesOf(text)) yield { type: 'input_json_delta', partial_json: piece };
}

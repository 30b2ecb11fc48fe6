/** Writes the events of an item of a streamed response. */

import type { JsonObject } from '#base/json-object.js';
import type { Place } from '../../messages/provider.js';
import type { WrittenToken } from '../../model/logprobs.js';
import { piecesOf } from '../../model/tokens.js';

export interface ItemEvent {
  readonly at: Place;
  readonly type: string;
  readonly members: JsonObject;
}

export function* itemEvents(item: JsonObject, index: number): Iterable<ItemEvent> {
  const place = { item_id: item.id, output_index: index };
  const at = places[String(item.type)] ?? 'text';
  yield {
    at,
    type: 'response.output_item.added',
    members: { output_index: index, item: begun(item) },
  };
  if (item.type === 'message') yield* messageEvents(item, place);
  else if (item.type === 'reasoning') yield* reasoningEvents(item, place);
  else yield* callEvents(item, place);
  yield { at, type: 'response.output_item.done', members: { output_index: index, item } };
}

const places: Readonly<Record<string, Place>> = {
  message: 'text',
  reasoning: 'thinking',
  function_call: 'arguments',
};

/** Returns the item before its content. */
function begun(item: JsonObject): JsonObject {
  if (item.type === 'message') return { ...item, status: 'in_progress', content: [] };
  if (item.type === 'reasoning') return { ...item, summary: [] };
  return { ...item, status: 'in_progress', arguments: '' };
}

function* messageEvents(item: JsonObject, place: JsonObject): Iterable<ItemEvent> {
  const parts = item.content as readonly JsonObject[];
  for (const [index, part] of parts.entries()) {
    const at = 'text';
    const here = { ...place, content_index: index };
    const name = part.type === 'refusal' ? 'refusal' : 'text';
    const kind = name === 'text' ? 'response.output_text' : 'response.refusal';
    const tokens = (part.logprobs ?? []) as readonly WrittenToken[];
    const logprobs = (some: readonly WrittenToken[]) =>
      name === 'text' && { logprobs: some.map(withoutBytes) };
    const empty = { ...part, [name]: '', ...logprobs([]) };
    let token = 0;
    yield { at, type: 'response.content_part.added', members: { ...here, part: empty } };
    for (const delta of piecesOf(String(part[name]))) {
      const own = logprobs(tokens.slice(token, ++token));
      yield { at, type: `${kind}.delta`, members: { ...here, delta, ...own } };
    }
    const whole = { ...here, [name]: part[name], ...logprobs(tokens) };
    yield { at, type: `${kind}.done`, members: whole };
    yield { at, type: 'response.content_part.done', members: { ...here, part } };
  }
}

/** In events, tokens have no bytes. */
const withoutBytes = ({ token, logprob, top_logprobs: top }: WrittenToken) => ({
  ...{ token, logprob },
  top_logprobs: top.map((each) => ({ token: each.token, logprob: each.logprob })),
});

function* reasoningEvents(item: JsonObject, place: JsonObject): Iterable<ItemEvent> {
  const parts = item.summary as readonly JsonObject[];
  for (const [index, part] of parts.entries()) {
    const at = 'thinking';
    const here = { ...place, summary_index: index };
    const kind = 'response.reasoning_summary';
    const empty = { ...part, text: '' };
    yield { at, type: `${kind}_part.added`, members: { ...here, part: empty } };
    for (const delta of piecesOf(String(part.text))) {
      yield { at, type: `${kind}_text.delta`, members: { ...here, delta } };
    }
    yield { at, type: `${kind}_text.done`, members: { ...here, text: part.text } };
    yield { at, type: `${kind}_part.done`, members: { ...here, part } };
  }
}

function* callEvents(item: JsonObject, place: JsonObject): Iterable<ItemEvent> {
  const kind = 'response.function_call_arguments';
  const { name, arguments: text } = item;
  for (const delta of piecesOf(String(text))) {
    yield { at: 'arguments', type: `${kind}.delta`, members: { ...place, delta } };
  }
  yield { at: 'arguments', type: `${kind}.done`, members: { ...place, name, arguments: text } };
}

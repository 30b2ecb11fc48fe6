/** Chunks of servers that call themselves compatible: they differ in indexes, ids, names and usage. */

import { isObject, type JsonObject } from '#base/json-object.js';
import { casesOf } from '#kit/misbehaviour/misbehaviour.js';
import type { ToolCall } from '../../messages/conversation.js';
import type { ProviderEvent } from '../../messages/provider.js';
import type { Breaking, BrokenStream, Events } from '../broken-stream.js';
import { changeChoice, hasUsage, isUsageChunk } from '../kind-events.js';

/** The calls are in the stream, so a client may restore them. */
const ofCalls = {
  at: ['arguments'],
  kinds: ['chat'],
  nature: 'broken',
  isRestorable: true,
} as const;

export const compatible = casesOf<BrokenStream>()({
  'no-call-index': {
    ...ofCalls,
    what: 'The deltas of a tool call have no index.',
    change: ({ events }) =>
      events.map((event) => changeCalls(event, ({ index: _, ...call }) => call)),
  },
  'shared-index': {
    ...ofCalls,
    what: 'Two tool calls have one index, and different ids.',
    calls: (calls) => calls.flatMap((call) => [call, otherOf(call)]),
    change: ({ events }) =>
      events.map((event) => changeCalls(event, (call) => ({ ...call, index: 0 }))),
  },
  'late-name': {
    ...ofCalls,
    what: 'The name of a tool comes after its arguments.',
    change: withLateName,
  },
  'repeated-id': {
    ...ofCalls,
    nature: 'odd',
    what: 'The id of a tool call is in each of its deltas.',
    change: withRepeatedId,
  },
  'usage-beside-choices': {
    nature: 'odd',
    at: ['end'],
    kinds: ['chat'],
    what: 'The usage is in a chunk that has a choice.',
    isFor: hasUsage,
    change: ({ events }) =>
      events.map((event) => (isUsageChunk(event) ? withChoice(event) : event)),
  },
  'usage-without-details': {
    nature: 'odd',
    natureAt: { responses: 'either' },
    at: ['end'],
    kinds: ['chat', 'responses'],
    what: 'The usage has no details.',
    isFor: hasUsage,
    change: ({ events }) => events.map(withoutDetails),
  },
});

/** Changes the calls in a delta. */
function changeCalls(
  event: ProviderEvent,
  change: (call: JsonObject) => JsonObject,
): ProviderEvent {
  if (event.at !== 'arguments') return event;
  return changeChoice(event, (choice) => {
    const delta = isObject(choice.delta) ? choice.delta : {};
    const calls = Array.isArray(delta.tool_calls) ? delta.tool_calls.filter(isObject) : [];
    return { ...choice, delta: { ...delta, tool_calls: calls.map(change) } };
  });
}

const otherOf = (call: ToolCall): ToolCall => ({
  ...call,
  id: `${call.id.slice(0, -1)}${call.id.endsWith('0') ? 1 : 0}`,
});

/** The first delta of a call has its id and its name, and the others have its arguments. */
function withRepeatedId({ events }: Breaking): Events {
  let known: unknown;
  return events.map((event) =>
    changeCalls(event, (call) => {
      known = call.id ?? known;
      return { ...call, id: known };
    }),
  );
}

function withLateName({ events }: Breaking): Events {
  let name: unknown;
  const nameless = events.map((event) =>
    changeCalls(event, ({ function: called, ...call }) => {
      const { name: own, ...others } = isObject(called) ? called : {};
      name ??= own;
      return { ...call, function: others };
    }),
  );
  const last = nameless.findLastIndex(({ at }) => at === 'arguments');
  const named = nameless[last];
  if (named === undefined) return events;
  const late = changeCalls(named, ({ index }) => ({ index, function: { name } }));
  return nameless.toSpliced(last + 1, 0, late);
}

function withChoice(event: ProviderEvent): ProviderEvent {
  const choices = [{ index: 0, delta: {}, logprobs: null, finish_reason: null }];
  return isObject(event.data) ? { ...event, data: { ...event.data, choices } } : event;
}

function withoutDetails(event: ProviderEvent): ProviderEvent {
  const { data } = event;
  if (!isObject(data)) return event;
  const { response } = data;
  if (isObject(response)) {
    return { ...event, data: { ...data, response: { ...response, ...plainUsage(response) } } };
  }
  return { ...event, data: { ...data, ...plainUsage(data) } };
}

function plainUsage({ usage }: JsonObject): JsonObject {
  if (!isObject(usage)) return {};
  const plain = Object.entries(usage).filter(([name]) => !name.endsWith('_details'));
  return { usage: Object.fromEntries(plain) };
}

/** Streams whose events have another content, or another order. */

import { casesOf } from '#kit/misbehaviour/misbehaviour.js';
import type { ProviderEvent } from '../../messages/provider.js';
import { needsNone } from '../../model/needs-none.js';
import {
  allKinds,
  type Breaking,
  type BrokenStream,
  type Events,
  eventKinds,
  inContent,
  type Kind,
  whole,
} from '../broken-stream.js';
import {
  emptyChunk,
  hasUsage,
  isTerminator,
  withoutDelta,
  withoutReason,
  withoutUsage,
  withWrongIndex,
} from '../kind-events.js';

/** In messages, arguments are an object, which can be broken in a stream only. */
const inArguments = {
  at: ['arguments'],
  kinds: allKinds,
  withoutStream: ['chat', 'responses', 'gemini', 'ollama'],
  nature: 'broken',
} as const;

export const contents = casesOf<BrokenStream>()({
  'out-of-order': {
    ...inContent,
    nature: 'broken',
    what: 'A delta comes before the event that begins its content, or after the end.',
    keepsNumbers: true,
    isRestorable: true,
    change: outOfOrder,
  },
  duplicate: {
    ...inContent,
    nature: 'either',
    what: 'A delta is sent twice.',
    keepsNumbers: true,
    change: ({ events, index }) => events.toSpliced(index, 0, ...events.slice(index, index + 1)),
  },
  'null-deltas': {
    ...whole,
    nature: 'odd',
    what: 'There are deltas without content.',
    change: ({ kind, events }) => events.flatMap((event) => withEmptyBefore(kind, event)),
  },
  'empty-choices': {
    nature: 'odd',
    at: ['start', 'text', 'end'],
    kinds: ['chat', 'gemini'],
    what: 'There is a chunk without choices.',
    change: ({ events, index }) =>
      events.toSpliced(index, 0, emptyChunk(events[index] ?? { data: {}, at: 'end' })),
  },
  'empty-arguments': {
    ...inArguments,
    what: 'The arguments of a tool call are empty.',
    arguments: () => '',
    isHarmlessFor: ({ completion: { calls }, tools }) =>
      calls.every((call) => needsNone(call, tools)),
  },
  'cut-arguments': {
    ...inArguments,
    what: 'The arguments of a tool call are cut, but the stream ends as usual.',
    arguments: (text) => text.slice(0, Math.ceil(text.length / 2)),
  },
  'trailing-arguments': {
    ...inArguments,
    what: 'The arguments of a tool call have more text after the JSON.',
    arguments: (text) => `${text}}`,
  },
  'doubly-encoded-arguments': {
    ...inArguments,
    what: 'The arguments of a tool call are a JSON string with JSON inside.',
    arguments: (text) => JSON.stringify(text),
  },
  'wrong-index': {
    ...inContent,
    nature: 'broken',
    kinds: eventKinds,
    what: 'A delta has the index of content that does not exist.',
    isRestorable: true,
    change: ({ kind, events, index }) =>
      events.map((event, each) => (each === index ? withWrongIndex(kind, event) : event)),
  },
  'no-finish-reason': {
    nature: 'broken',
    natureAt: { ollama: 'odd' },
    at: ['end'],
    kinds: ['chat', 'messages', 'gemini', 'ollama'],
    what: 'The stream ends as usual, but without a reason.',
    change: ({ kind, events }) => events.map((event) => withoutReason(kind, event)),
  },
  'no-usage': {
    nature: 'odd',
    natureAt: { messages: 'either' },
    at: ['end'],
    kinds: allKinds,
    what: 'The usage is missing.',
    isFor: hasUsage,
    change: ({ events }) => events.flatMap((event) => withoutUsage(event) ?? []),
  },
});

/** Moves a delta before the beginning of its content; where nothing begins it, after the end. */
function outOfOrder({ kind, events, index }: Breaking): Events {
  const moved = events[index];
  if (moved === undefined) return events;
  const others = events.toSpliced(index, 1);
  const hasBeginning = kind === 'responses' || kind === 'messages';
  const end = others.findIndex(isTerminator) + (kind === 'chat' ? 0 : 1);
  const to = hasBeginning ? others.findIndex((event) => event.at === moved.at) : end;
  return others.toSpliced(to, 0, moved);
}

function withEmptyBefore(kind: Kind, event: ProviderEvent): Events {
  const empty = event.at === 'text' || event.at === 'arguments' ? withoutDelta(kind, event) : event;
  return empty === event ? [event] : [empty, event];
}

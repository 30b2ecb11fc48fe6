/** Breaks the events of a stream at a place. */

import { isObject } from '../../../base/json-object.js';
import type { ProviderEvent } from '../messages/provider.js';
import type { BreakingPlace, Kind, Misbehaviour, StreamName } from './cases.js';
import { writeLong, writerOf } from './frame.js';
import {
  emptyChunk,
  errorEvents,
  failedEvent,
  isTerminator,
  unknownEvents,
  withoutDelta,
  withoutReason,
  withoutUsage,
  withWrongIndex,
} from './kind-events.js';
import type { Piece } from './pieces.js';

type Events = readonly ProviderEvent[];

interface Breaking {
  readonly kind: Kind;
  readonly events: Events;
  /** Index of the event that the break comes before. */
  readonly index: number;
}

function breakingIndex(events: Events, at: BreakingPlace): number {
  if (at === 'start') return 0;
  const content = events.flatMap((event, index) =>
    (event.at === 'text' || event.at === 'arguments' || event.at === 'thinking') && isOfFirst(event)
      ? index
      : [],
  );
  if (at === 'end') return (content.at(-1) ?? -1) + 1;
  const here = events.flatMap((event, index) => (event.at === at && isOfFirst(event) ? index : []));
  return here[Math.ceil(here.length / 2)] ?? here.at(-1) ?? events.length;
}

/** Returns whether an event is of the first of several choices. */
function isOfFirst({ data }: ProviderEvent): boolean {
  const [choice] = isObject(data) && Array.isArray(data.choices) ? data.choices : [];
  return !isObject(choice) || choice.index === 0;
}

/** Changes of the list of events. */
const changes: Partial<Record<StreamName, (breaking: Breaking) => Events>> = {
  'error-event': ({ kind, events, index }) => [...events.slice(0, index), errorEvents[kind]],
  'failed-open': ({ events, index }) => [...events.slice(0, index), failedEvent(events[0])],
  'no-terminator': ({ events }) => events.filter((event) => !isTerminator(event)),
  reset: before,
  close: before,
  'silence-with-pings': before,
  silence: before,
  'unknown-events': ({ kind, events, index }) => events.toSpliced(index, 0, unknownEvents[kind]),
  'out-of-order': outOfOrder,
  duplicate: ({ events, index }) => events.toSpliced(index, 0, ...events.slice(index, index + 1)),
  'null-deltas': ({ kind, events }) => events.flatMap((event) => withEmptyBefore(kind, event)),
  'empty-choices': ({ events, index }) =>
    events.toSpliced(index, 0, emptyChunk(events[index] ?? { data: {}, at: 'end' })),
  'wrong-index': ({ kind, events, index }) =>
    events.map((event, each) => (each === index ? withWrongIndex(kind, event) : event)),
  'no-finish-reason': ({ kind, events }) => events.map((event) => withoutReason(kind, event)),
  'no-usage': ({ events }) => events.flatMap((event) => withoutUsage(event) ?? []),
};

function before({ events, index }: Breaking): Events {
  return events.slice(0, index);
}

/** Moves a delta before the beginning of its content; in chat, after the end. */
function outOfOrder({ kind, events, index }: Breaking): Events {
  const moved = events[index];
  if (moved === undefined) return events;
  const others = events.toSpliced(index, 1);
  const to =
    kind === 'chat'
      ? others.findIndex(isTerminator)
      : others.findIndex((event) => event.at === moved.at);
  return others.toSpliced(to, 0, moved);
}

function withEmptyBefore(kind: Kind, event: ProviderEvent): Events {
  const empty = event.at === 'text' || event.at === 'arguments' ? withoutDelta(kind, event) : event;
  return empty === event ? [event] : [empty, event];
}

const ends: Partial<Record<StreamName, Piece>> = {
  reset: 'reset',
  silence: 'open',
  'silence-with-pings': 'pings',
  'failed-open': 'open',
};

/** Returns whether the connection remains open without events. */
export function endsInSilence(name: StreamName): boolean {
  return ends[name] === 'open' || ends[name] === 'pings';
}

/** Time for a chunk to be sent before the next one. */
const apart: Piece = { pauseMs: 5 };

export function breakEvents(
  kind: Kind,
  events: Events,
  { name, at }: Misbehaviour,
): Iterable<Piece> {
  const index = breakingIndex(events, at);
  const changed = changes[name]?.({ kind, events, index }) ?? events;
  const isNumbered = kind === 'responses' && name !== 'out-of-order' && name !== 'duplicate';
  return writePieces(name, isNumbered ? changed.map(withNumber) : changed, index);
}

/** Numbers the events of a response again. */
function withNumber(event: ProviderEvent, place: number): ProviderEvent {
  const { data } = event;
  return isObject(data) ? { ...event, data: { ...data, sequence_number: place } } : event;
}

const cutting: readonly StreamName[] = [
  ...(['error-event', 'failed-open', 'no-terminator', 'reset', 'close'] as const),
  ...(['silence', 'silence-with-pings', 'html'] as const),
];

/** Returns whether the last event is sent. */
export function endsAsUsual(name: StreamName): boolean {
  return !cutting.includes(name);
}

function* writePieces(name: StreamName, events: Events, index: number): Generator<Piece> {
  const write = writerOf(name);
  if (name === 'one-packet') {
    yield events.map(write).join('');
    return;
  }
  if (name === 'bom') yield Buffer.from([0xef, 0xbb, 0xbf]);
  for (const [place, event] of events.entries()) {
    if (name === 'comments' && place >= index) yield ': comment\n:\n\n';
    if (name === 'long-line' && place === 0) yield writeLong(event);
    else if (name === 'split-crlf') yield* split(write(event), /(?<=\r)/);
    else if (name === 'many-packets') yield* split(write(event), /(?<=[:,\n])/);
    else if (name === 'split-utf8') yield* splitCharacters(write(event));
    else yield write(event);
  }
  const end = ends[name];
  if (end !== undefined) yield end;
}

const maxParts = 12;

function* split(text: string, between: RegExp): Generator<Piece> {
  const parts = text.split(between);
  for (const part of [...parts.slice(0, maxParts), parts.slice(maxParts).join('')]) {
    if (part === '') continue;
    yield part;
    yield apart;
  }
}

/** Ends a chunk after the first byte of each character that has several. */
function* splitCharacters(text: string): Generator<Piece> {
  const bytes = Buffer.from(text);
  let from = 0;
  for (let at = 0; at < bytes.length; at++) {
    if ((bytes[at] ?? 0) < 0xc0) continue;
    yield bytes.subarray(from, at + 1);
    yield apart;
    from = at + 1;
  }
  yield bytes.subarray(from);
}

/** Applies a broken stream to a completion, and to its events. */

import { isObject } from '#base/json-object.js';
import type { Completion } from '../messages/conversation.js';
import type { ProviderEvent, StreamForm } from '../messages/provider.js';
import type { BreakingPlace, BrokenStream, Events, Kind, Piece, Wanted } from './broken-stream.js';
import { brokenStream, type Misbehaviour, natureOf } from './cases.js';
import { isTerminator } from './kind-events.js';
import { writeIn } from './stream-form.js';

/** Returns whether a response misbehaves; otherwise it is an ordinary one. */
export function applies({ name, at }: Misbehaviour, wanted: Wanted): boolean {
  const { kinds, withoutStream = [], isOfEvents, isFor } = brokenStream(name);
  const { kind, isStream, form, completion } = wanted;
  const { text, refusal, calls } = completion;
  if (!(isStream ? kinds : withoutStream).includes(kind)) return false;
  if (isOfEvents && form !== 'events') return false;
  if (at === 'arguments' && calls.length === 0) return false;
  if (at === 'text' && text === '' && refusal === undefined) return false;
  return isFor?.(wanted) ?? true;
}

/** Changes the completion, before its events are written. */
export function breakCompletion(completion: Completion, { name }: Misbehaviour): Completion {
  const { arguments: change, calls: changeCalls } = brokenStream(name);
  const calls = (changeCalls?.(completion.calls) ?? completion.calls).map((call) => ({
    ...call,
    ...(change && { arguments: change(call.arguments) }),
  }));
  return { ...completion, calls };
}

export interface BrokenEvents {
  readonly pieces: Iterable<Piece>;
  /** Whether the last event is among them. */
  readonly isWhole: boolean;
  /** Whether the latest piece has shown the client that the stream is broken. */
  readonly isShown: () => boolean;
}

export function breakEvents(
  { kind, form }: { readonly kind: Kind; readonly form: StreamForm },
  events: Events,
  { name, at }: Misbehaviour,
): BrokenEvents {
  const stream = brokenStream(name);
  const { change, keepsNumbers } = stream;
  const index = breakingIndex(events, at);
  const changed = change?.({ kind, events, index }) ?? events;
  const isNumbered = kind === 'responses' && !keepsNumbers;
  const numbered = isNumbered ? changed.map(withNumber) : changed;
  const isBroken = natureOf(name, kind) !== 'odd';
  let isShown = false;
  const write = (event: ProviderEvent, place: number) => {
    const text = writeIn(form, event, place);
    return stream.write?.(text, event) ?? text;
  };
  const written = writeEach(numbered, write, (place) => {
    isShown ||= isBroken && place === index;
  });
  return {
    pieces: piecesOf(stream, written, index),
    isWhole: changed.some(isTerminator),
    isShown: () => isShown,
  };
}

/** Returns whether the connection remains open without events. */
export function endsInSilence({ name }: Misbehaviour): boolean {
  const { end } = brokenStream(name);
  return end === 'open' || end === 'pings';
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

/** Numbers the events of a response again. */
function withNumber(event: ProviderEvent, index: number): ProviderEvent {
  const { data } = event;
  return isObject(data) ? { ...event, data: { ...data, sequence_number: index } } : event;
}

function* piecesOf(
  { pieces, end }: BrokenStream,
  written: Iterable<string>,
  index: number,
): Generator<Piece> {
  yield* pieces?.(written, index) ?? written;
  if (end !== undefined) yield end;
}

function* writeEach(
  events: Events,
  write: (event: ProviderEvent, index: number) => string,
  onEvent: (index: number) => void,
): Generator<string> {
  for (const [index, event] of events.entries()) {
    onEvent(index);
    yield write(event, index);
  }
}

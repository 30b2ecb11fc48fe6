/** The type of a broken or unusual stream: one value has its description and its effects. */

import type { JsonObject } from '#base/json-object.js';
import type { Reply } from '#http/exchange.js';
import type { SomeOf } from '#kit/misbehaviour/misbehaviour.js';
import type { Completion, ToolCall, ToolSpec } from '../messages/conversation.js';
import type { Generation, ProviderEvent, StreamForm } from '../messages/provider.js';

export type Kind = Generation['kind'];

export const allKinds: readonly Kind[] = ['chat', 'responses', 'messages', 'gemini', 'ollama'];

/** Endpoints whose streams are server-sent events. */
export const eventKinds: readonly Kind[] = allKinds.filter((kind) => kind !== 'ollama');

/** Places where a stream breaks. `start` also means the whole stream. */
export const places = ['start', 'text', 'arguments', 'end'] as const;
export type BreakingPlace = (typeof places)[number];

/**
 * `broken`: the client must not use the fragment. `odd`: the stream is right, and the client must
 * use it. `either`: both are right.
 */
export type Nature = 'broken' | 'odd' | 'either';

/** Parts of a stream, in order: bytes, pauses and ends. */
export type Piece = string | Buffer | { readonly pauseMs: number } | End;

/** Resets the connection, sends nothing more, or sends only pings. */
export type End = 'reset' | 'open' | 'pings';

export type Events = readonly ProviderEvent[];

export interface Breaking {
  readonly kind: Kind;
  readonly events: Events;
  /** Index of the event that the break comes before. */
  readonly index: number;
}

/** A request, and the right completion to it. */
export interface Wanted {
  readonly kind: Kind;
  readonly isStream: boolean;
  readonly form: StreamForm;
  readonly body: JsonObject;
  readonly completion: Completion;
  readonly tools: readonly ToolSpec[];
}

/** The right response, for streams that send another one. Writing it also stores it. */
export interface RightResponse {
  readonly reply: Reply;
  readonly form: StreamForm;
  readonly writeJson: () => Promise<JsonObject>;
  readonly writeEvents: () => Promise<string>;
}

interface Effects {
  /** Changes the arguments of each call, which are JSON text. */
  readonly arguments: (text: string) => string;
  /** Changes the calls of a completion. */
  readonly calls: (calls: readonly ToolCall[]) => readonly ToolCall[];
  /** Changes the list of events. */
  readonly change: (breaking: Breaking) => Events;
  /** Changes a written event. */
  readonly write: (written: string, event: ProviderEvent) => string;
  /** Makes pieces from the written events. */
  readonly pieces: (written: Iterable<string>, index: number) => Iterable<Piece>;
  /** Ends the stream in another way. */
  readonly end: End;
  /** Sends another response than a stream of events. */
  readonly respond: (right: RightResponse) => Promise<void>;
}

interface StreamText {
  readonly what: string;
  readonly nature: Nature;
  /** The nature at some endpoints, if it differs. */
  readonly natureAt?: Readonly<Partial<Record<Kind, Nature>>>;
  readonly at: readonly BreakingPlace[];
  readonly kinds: readonly Kind[];
  /** Endpoints where it also changes responses without a stream. */
  readonly withoutStream?: readonly Kind[];
  /** Whether only server-sent events have it. */
  readonly isOfEvents?: true;
  /** Whether it changes the response to a request, beyond place and endpoint. */
  readonly isFor?: (wanted: Wanted) => boolean;
  /** Whether it breaks nothing for this request, so that a client may do both. */
  readonly isHarmlessFor?: (wanted: Wanted) => boolean;
  /** Events of responses keep their numbers, which show the change. */
  readonly keepsNumbers?: true;
  /** A client can restore the right completion. */
  readonly isRestorable?: true;
  /** The rule that a client keeps if it repeats the request, and breaks if it continues. */
  readonly rule?: 'stops-at-error';
}

export type BrokenStream = StreamText & SomeOf<Effects>;

export const everywhere = { at: places, kinds: allKinds } as const;
export const whole = { at: ['start'], kinds: allKinds } as const;
export const inContent = { at: ['text', 'arguments'], kinds: allKinds } as const;

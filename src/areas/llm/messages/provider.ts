/** The knowledge of a provider: how to read its requests, and how to write responses, events and errors. */

import type { JsonObject } from '#base/json-object.js';
import type { Fields, Reply, Request } from '#http/exchange.js';
import type { HttpError } from '#http/http-error.js';
import type { Failure } from '#kit/area.js';
import type { Json } from '#kit/example.js';
import type { Limits, Runtime } from '#kit/services.js';
import type { DatasetOf } from '#state/rows/datasets-of.js';
import type { Completion, Conversation } from './conversation.js';

/** Services that the endpoints share. */
export interface LlmParts {
  readonly services: Pick<Limits, 'held'> & Pick<Runtime, 'reportFailure'>;
  readonly datasetOf: DatasetOf;
}

/** The form of a stream: server-sent events, JSON lines, or the items of a JSON array. */
export type StreamForm = 'events' | 'lines' | 'array';

/** The part of a response that an event belongs to. */
export type Place = 'start' | 'thinking' | 'text' | 'arguments' | 'end';

export interface ProviderEvent {
  /** Value of the `event:` line. */
  readonly event?: string | undefined;
  /** Written as JSON; a text is written unchanged, such as `[DONE]`. */
  readonly data: JsonObject | string;
  readonly at: Place;
}

/** Ids and times of a response. The seed of a request fixes them. */
export interface Stamp {
  /** Returns letters and digits; each call returns others. */
  readonly id: (length: number) => string;
  readonly nowMs: number;
}

/** A valid request. */
export interface Reading {
  readonly conversation: Conversation;
  readonly isStream: boolean;
  /** Default: `events`. */
  readonly form?: StreamForm;
  /** Returns the id of a call by its place, where ids follow from the conversation. */
  readonly idOf?: (index: number) => string;
  /** Number of completions. Default: 1. */
  readonly count?: number;
  /** Number of alternatives of each token; absent without log probabilities. */
  readonly logprobs?: number | undefined;
  readonly respond: (completions: readonly Completion[], stamp: Stamp) => JsonObject;
  /** Pieces of text are tokens; see `piecesOf`. */
  readonly events: (completions: readonly Completion[], stamp: Stamp) => Iterable<ProviderEvent>;
  /** Stores the response, once it is complete. */
  readonly store?: () => Promise<void>;
}

/** An endpoint that continues a conversation. */
export interface Generation {
  readonly kind: 'chat' | 'responses' | 'messages' | 'gemini' | 'ollama';
  /** The required members of a body, except the model. */
  readonly example: { readonly [member: string]: Json };
  /** Whether another endpoint has the streams. */
  readonly neverStreams?: true;
  /** Throws a `mistake` for an invalid body. */
  readonly read: (body: JsonObject, request: Request, parts: LlmParts) => Promise<Reading>;
  /** Returns a response without a completion; `undefined` for requests that get one. */
  readonly instead?: (call: ProviderCall) => Promise<JsonObject | undefined>;
}

export type ProviderName = 'openai' | 'anthropic' | 'gemini' | 'ollama';

/** The headers and parameters for the key of a request. */
export interface KeyPlaces {
  readonly key: string;
  /** Name of the security scheme. */
  readonly security: string;
  /** Headers in lower case, of which the first counts. */
  readonly headers: readonly string[];
  /** A parameter of the query, which the provider accepts, and the judge finds. */
  readonly parameter?: string;
  /** The error for a request without any credentials, unless it is 401. */
  readonly absent?: (message: string) => HttpError;
  /** The error for an unknown key, unless it is 401. */
  readonly unknown?: (message: string) => HttpError;
}

export interface Provider {
  readonly name: ProviderName;
  /** The last segment of the base URL, such as `v1`. */
  readonly version: string;
  /** Absent if it has no keys. */
  readonly keyPlaces?: KeyPlaces;
  /** Whether its documentation demands to wait as a response says. */
  readonly demandsWait?: true;
  /** Headers of a right request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Statuses of errors without a right key. */
  readonly keyStatuses: readonly number[];
  /** Whether bodies can have any media type. */
  readonly acceptsAnyType?: true;
  /** Writes the body of an error; see `MistakeOptions` for the members of a failure. */
  readonly errorBody: (failure: Failure, request: Request, requestId: string) => unknown;
  readonly errorSchema: JsonObject;
}

/** A request that has a key and, with POST, a JSON object. */
export interface ProviderCall {
  readonly request: Request;
  readonly reply: Reply;
  readonly parts: LlmParts;
  /** Empty without a body. */
  readonly body: JsonObject;
}

/** An endpoint of a provider. */
export interface ProviderRoute {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the base URL, such as `/chat/completions` or `/models/:model`. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  /** Left out of the API description, whose size is limited. The guide has it. */
  readonly isHidden?: true;
  /** JSON Schema of the body; a POST without one has no body. */
  readonly body?: JsonObject;
  /** JSON Schema of the 200 response. */
  readonly response: JsonObject;
  readonly params?: Fields;
  readonly query?: Fields;
  /** One of both. `handle` returns the body of a 200 response. */
  readonly generation?: Generation;
  readonly handle?: (call: ProviderCall) => unknown;
}

/** The knowledge of a provider: how to read its requests, and how to write responses, events and errors. */

import type { JsonObject } from '#base/json-object.js';
import type { Fields, Reply, Request } from '#http/exchange.js';
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
  /** Number of completions. Default: 1. */
  readonly count?: number;
  readonly respond: (completions: readonly Completion[], stamp: Stamp) => JsonObject;
  /** Pieces of text are tokens; see `piecesOf`. */
  readonly events: (completions: readonly Completion[], stamp: Stamp) => Iterable<ProviderEvent>;
  /** Stores the response, once it is complete. */
  readonly store?: () => Promise<void>;
}

/** An endpoint that continues a conversation. */
export interface Generation {
  readonly kind: 'chat' | 'responses' | 'messages';
  /** The required members of a body, except the model. */
  readonly example: { readonly [member: string]: Json };
  /** Throws a `mistake` for an invalid body. */
  readonly read: (body: JsonObject, request: Request, parts: LlmParts) => Promise<Reading>;
}

export type ProviderName = 'openai' | 'anthropic';

export interface Provider {
  readonly name: ProviderName;
  /** Writes the body of an error; see `MistakeOptions` for the members of a failure. */
  readonly errorBody: (failure: Failure, requestId: string) => JsonObject;
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

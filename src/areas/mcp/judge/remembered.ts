/** The memory of a judge about one client: its newest exchanges, in a sandbox. */

import type { JsonObject } from '#base/json-object.js';
import type { Responded } from '#kit/verdict/exchange.js';
import type { RpcId } from '../messages/message.js';

export interface Exchange extends Partial<Responded> {
  readonly id: RpcId;
  readonly method: string;
  /** Name, URI or task of the request. */
  readonly target: string;
  /** Digest of what a repetition has unchanged. */
  readonly call: string;
  readonly atMs: number;
  /** The connection of HTTP/2. */
  readonly overlapping?: string;
  /** There is no response yet. */
  readonly isOpen: boolean;
  /** HTTP rejected the message, so it never was open. */
  readonly isRejected?: boolean;
  readonly progressToken?: RpcId;
  /** Code of the JSON-RPC error. */
  readonly code?: number;
  readonly needsInput?: boolean;
  /** Keys of the requests for input. */
  readonly asks?: readonly string[];
  /** When the client cancelled it by a notification. */
  readonly cancelledAtMs?: number;
  /** Digests of what the client must return unchanged. */
  readonly state?: string;
  readonly cursor?: string;
}

/** A response with Retry-After, or a stream that ended with `retry`. */
export interface Delay extends Responded {
  /** The request that it is about, or the resumption. */
  readonly call: string;
  readonly notBeforeMs: number;
}

/** A form that the client was asked to fill in. */
export interface AskedForm {
  readonly key: RpcId;
  readonly schema: JsonObject;
}

/** A request that was rejected with 403 insufficient_scope. */
export interface StepUp {
  readonly call: string;
  /** The token of the request. */
  readonly grantId: string;
  /** The scopes of the token, and the scopes of the challenge. */
  readonly scopes: readonly string[];
}

export interface Memory {
  readonly exchanges: readonly Exchange[];
  readonly delays: readonly Delay[];
  /** The response that said that the session is unknown. */
  readonly gone?: Responded;
  /** Consecutive responses with 403 insufficient_scope, and the newest of them. */
  readonly forbidden: number;
  readonly forbade?: Responded;
  /** Whether the client has sent notifications/initialized. */
  readonly isInitialized?: boolean;
  /** Listed tools with arguments that headers mirror. */
  readonly listed: readonly string[];
  readonly forms: readonly AskedForm[];
  readonly stepUp?: StepUp;
}

export const noMemory: Memory = { exchanges: [], delays: [], forbidden: 0, listed: [], forms: [] };

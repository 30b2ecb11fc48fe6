/** A request and its client, as rules read them. */

import type { IncomingHttpHeaders } from 'node:http';
import { isObject, type JsonObject } from '#base/json-object.js';
import type { Login } from '#kit/offers/issuer.js';
import type { Arrival } from '#kit/verdict/exchange.js';
import type { Message, RpcRequest } from '../messages/message.js';
import type { Revision } from '../messages/revision.js';
import type { Memory, StepUp } from './remembered.js';

/** Times are by the clock of the sandbox. */
export interface Observed extends Arrival {
  /** The connection of HTTP/2, whose requests overlap. */
  readonly overlapping?: string;
  /** Method of HTTP. */
  readonly httpMethod: string;
  readonly headers: IncomingHttpHeaders;
  readonly query: JsonObject;
  /** The parsed body. */
  readonly value: unknown;
  readonly messages: readonly Message[];
  /** The requests among the messages. */
  readonly requests: readonly RpcRequest[];
  readonly isBatch: boolean;
  /** The revision of the session, or 2026-07-28; absent before there is one. */
  readonly revision: Revision | undefined;
  readonly isStateless: boolean;
  readonly session: ObservedSession | undefined;
  readonly isProtected: boolean;
  /** How the client got its token; absent without a valid one. */
  readonly login: Login | undefined;
  /** Returns the schema of a tool's arguments; `undefined` for an unknown tool. */
  readonly schemaOf: (tool: unknown) => JsonObject | undefined;
  /** Whether a cursor is of the list of a method; `undefined` for a method without pages. */
  readonly isCursorOf: (method: string, cursor: unknown) => boolean | undefined;
  /** Whether it is of the transport of 2024-11-05. */
  readonly isOld: boolean;
  /** Earlier exchanges of this client. */
  readonly memory: Memory;
  /** A request of the same user and client that needed more scopes. */
  readonly stepUp: StepUp | undefined;
}

/** The same before the judge has recognised the client. */
export type Seen = Omit<Observed, 'memory' | 'stepUp'>;

export interface ObservedSession {
  readonly id: string;
  readonly client: JsonObject | undefined;
  readonly isInitialized: boolean;
  readonly capabilities: JsonObject;
}

export function metaOf({ params }: Pick<RpcRequest, 'params'>): JsonObject {
  return isObject(params._meta) ? params._meta : {};
}

/** Returns the members of a message that should be an object. */
export function rawMessages({ value }: Observed): readonly JsonObject[] {
  return [value].flat().filter(isObject);
}

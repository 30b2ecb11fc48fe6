/** Stores and changes the memory of the judge. */

import { createHash } from 'node:crypto';
import { isObject, type JsonObject } from '#base/json-object.js';
import type { Login } from '#kit/offers/issuer.js';
import { orderOf, type Responded } from '#kit/verdict/exchange.js';
import type { Space } from '#state/state.js';
import { isRpcId, type Message, type RpcId, type RpcRequest } from '../messages/message.js';
import { metaOf, type Observed, type Seen } from './observed.js';
import type { Exchange, Memory } from './remembered.js';

/** Under 40 KB each. */
export const memorySpace: Space<Memory> = { name: 'mcp-judge', maxKeys: 50 };

const maxExchanges = 40;
const maxTargetLength = 100;
const maxListed = 20;
const maxForms = 8;
/** In characters of JSON. */
const maxFormLength = 2000;
const maxDelays = 10;
const memoryMs = 60 * 60 * 1000;

export const memoryEnd = (nowMs: number) => nowMs + memoryMs;

export function digest(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(value) ?? '')
    .digest('base64url')
    .slice(0, 16);
}

/** Identifies the token of a request. */
export const readerOf = ({ authorization }: Observed['headers']) => digest(authorization);

export const sessionKey = (sessionId: unknown) => digest(['session', sessionId]);

export const namedKey = ({ headers }: Pick<Observed, 'headers'>, info: unknown) =>
  digest([headers.authorization, info]);

/** Identifies a client: by its session, else by its token and its name. */
export function clientKey(observed: Seen): string {
  const { headers, messages, session } = observed;
  const { 'mcp-session-id': sessionId = session?.id } = headers;
  if (sessionId !== undefined) return sessionKey(sessionId);
  const [request] = messages;
  const params = request === undefined || request.kind === 'reply' ? {} : request.params;
  const info = metaOf({ params })['io.modelcontextprotocol/clientInfo'] ?? params.clientInfo;
  return namedKey(observed, info);
}

export function targetOf({ name, uri, taskId }: JsonObject): string {
  return String(name ?? uri ?? taskId ?? '').slice(0, maxTargetLength);
}

/** Identifies what a repetition of a request has unchanged. */
export function callOf({ method, params }: Pick<RpcRequest, 'method' | 'params'>): string {
  const { _meta, inputResponses: _responses, requestState: _state, ...others } = params;
  return digest([method, others]);
}

/** Identifies the resumption of a stream after an event. */
export const resumptionOf = (eventId: unknown) => digest(['resume', eventId]);

/** Identifies a user of a client. */
export const loginKey = ({ clientId, sub }: Login) => digest(['login', clientId, sub]);

/** Returns the connection of a request as its exchange keeps it. */
export const connectionOf = ({ connection, overlapping }: Observed) => ({
  ...(connection !== undefined && { connection }),
  ...(overlapping !== undefined && { overlapping }),
});

/** Adds the requests of a POST. */
export function withRequests(memory: Memory, observed: Observed, nowMs: number): Memory {
  const { timeMs, messages } = observed;
  const added = observed.requests.map(({ id, method, params }): Exchange => {
    const { progressToken } = metaOf({ params });
    return {
      ...{ id, method: method.slice(0, maxTargetLength), target: targetOf(params) },
      ...connectionOf(observed),
      call: callOf({ method, params }),
      atMs: Math.min(timeMs, nowMs),
      isOpen: true,
      ...(isRpcId(progressToken) && { progressToken }),
    };
  });
  const { gone, ...kept } = memory;
  const cancels = messages.flatMap((each) => cancelledId(each) ?? []);
  const cancelled = (each: Exchange) =>
    each.isOpen && cancels.includes(each.id) && each.cancelledAtMs === undefined
      ? { ...each, cancelledAtMs: nowMs }
      : each;
  const isBegun = added.some(({ method }) => method === 'initialize');
  const isInitialized = messages.some(
    (each) => each.kind === 'notification' && each.method === 'notifications/initialized',
  );
  return {
    ...kept,
    ...(gone && !isBegun && { gone }),
    ...(isInitialized && { isInitialized }),
    exchanges: [...memory.exchanges.map(cancelled), ...added].slice(-maxExchanges),
  };
}

/** Returns the id in notifications/cancelled; `undefined` for another message. */
export function cancelledId(message: Message): RpcId | undefined {
  if (message.kind !== 'notification' || message.method !== 'notifications/cancelled') {
    return undefined;
  }
  const { requestId } = message.params;
  return isRpcId(requestId) ? requestId : undefined;
}

/** Remembers the time after which a stream may be resumed. */
export function withRetry(memory: Memory, eventId: string, ms: number, nowMs: number): Memory {
  const delay = { call: resumptionOf(eventId), respondedAtMs: nowMs, notBeforeMs: nowMs + ms };
  return { ...memory, delays: [...memory.delays, delay].slice(-maxDelays) };
}

/** Whether earlier exchanges may be forgotten. */
export const isFull = ({ exchanges }: Memory) => exchanges.length >= maxExchanges;

/** Closes the exchange that a response belongs to. */
export function withResponse(
  memory: Memory,
  { id, result, error }: JsonObject,
  nowMs: number,
): Memory {
  const at = memory.exchanges.findLastIndex((each) => each.isOpen && each.id === id);
  const before = memory.exchanges[at];
  if (before === undefined) return memory;
  const shown = isObject(result) ? result : {};
  const { resultType, requestState, nextCursor } = shown;
  const closed: Exchange = {
    ...before,
    isOpen: false,
    respondedAtMs: nowMs,
    ...(isObject(error) && { code: Number(error.code) }),
    ...(resultType === 'input_required' && { needsInput: true, asks: keysOf(shown.inputRequests) }),
    ...(requestState !== undefined && { state: digest(requestState) }),
    ...(nextCursor !== undefined && { cursor: digest(nextCursor) }),
  };
  const forbidden = error === undefined ? 0 : memory.forbidden;
  const exchanges = memory.exchanges.with(at, closed);
  const keyOf = (key: string) => formKey(before.target, key);
  const known = withForms(withTools(memory, shown), shown.inputRequests, keyOf);
  return { ...known, forbidden, exchanges };
}

/** Closes exchanges whose response the client did not get. */
export function withoutResponse(memory: Memory, ids: readonly unknown[]): Memory {
  const exchanges = [...memory.exchanges];
  for (const id of ids) {
    const at = exchanges.findLastIndex((each) => each.isOpen && each.id === id);
    const each = exchanges[at];
    if (each !== undefined) exchanges[at] = { ...each, isOpen: false, isRejected: true };
  }
  return { ...memory, exchanges };
}

const keysOf = (requests: unknown) =>
  Object.keys(isObject(requests) ? requests : {}).slice(0, maxForms);

/** Identifies a form in the result of a request. */
export const formKey = (target: string, key: string) => `${target} ${key}`;

/** Remembers the tools of a list whose arguments headers mirror. */
function withTools(memory: Memory, { tools }: JsonObject): Memory {
  if (!Array.isArray(tools)) return memory;
  const names = tools.flatMap(({ name, inputSchema }) =>
    JSON.stringify(inputSchema)?.includes('"x-mcp-header"') ? [String(name)] : [],
  );
  return { ...memory, listed: [...new Set([...memory.listed, ...names])].slice(-maxListed) };
}

/** Remembers the forms among requests for input. */
export function withForms(memory: Memory, requests: unknown, keyOf: (key: string) => RpcId) {
  const asked = Object.entries(isObject(requests) ? requests : {}).flatMap(([key, request]) => {
    const { requestedSchema: schema } =
      isObject(request) && isObject(request.params) ? request.params : {};
    if (!isObject(schema) || JSON.stringify(schema).length > maxFormLength) return [];
    return [{ key: keyOf(key), schema }];
  });
  if (asked.length === 0) return memory;
  return { ...memory, forms: [...memory.forms, ...asked].slice(-maxForms) };
}

/** A response of HTTP that a client must react to. */
export interface Rejection extends Responded {
  readonly status: number;
  /** Until then, the client should wait. */
  readonly notBeforeMs?: number;
  readonly isStepUp: boolean;
}

/** Whether 404 means that the session is gone: of a session that exists, only the stream may be unknown. */
export const isGoneAfter = ({ httpMethod, headers, session }: Observed, status: number) =>
  status === 404 &&
  headers['mcp-session-id'] !== undefined &&
  !(httpMethod === 'GET' && session !== undefined);

/** Notes that HTTP rejected the requests of a POST. */
export function withRejection(memory: Memory, observed: Observed, rejection: Rejection): Memory {
  const { respondedAtMs, status, notBeforeMs, isStepUp } = rejection;
  const responded: Responded = { respondedAtMs, ...connectionOf(observed) };
  const { requests } = observed;
  const exchanges = [...memory.exchanges];
  for (const { id } of requests) {
    const at = exchanges.findLastIndex((each) => each.isOpen && each.id === id);
    const last = at >= 0 ? at : exchanges.findLastIndex((each) => each.id === id);
    const each = exchanges[last];
    if (each !== undefined)
      exchanges[last] = { ...each, isOpen: false, isRejected: true, respondedAtMs };
  }
  const delays = requests.map((each) => ({
    ...responded,
    call: callOf(each),
    notBeforeMs: notBeforeMs ?? 0,
  }));
  const isFurther = memory.forbade === undefined || orderOf(observed, memory.forbade) === 'after';
  return {
    ...memory,
    exchanges,
    ...(notBeforeMs !== undefined && { delays: [...memory.delays, ...delays].slice(-maxDelays) }),
    ...(isStepUp && isFurther && { forbidden: memory.forbidden + 1, forbade: responded }),
    ...(isGoneAfter(observed, status) && { gone: responded }),
  };
}

/** Forgets the delays of requests that were sent again. */
export function withoutDelays(memory: Memory, observed: Observed): Memory {
  const calls = observed.requests.map(callOf);
  const delays = memory.delays.filter(
    (each) => !calls.includes(each.call) || orderOf(observed, each) === 'before',
  );
  return { ...memory, delays };
}

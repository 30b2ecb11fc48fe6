/** Stores and changes the memory of the judge. */

import { createHash } from 'node:crypto';
import { isObject, type JsonObject } from '../../../base/json-object.js';
import type { Space } from '../../../state/state.js';
import { isRpcId } from '../messages/message.js';
import { metaOf, type Observed, type Seen } from './observed.js';
import type { Exchange, Memory } from './remembered.js';

/** Under 20 KB each. */
export const memorySpace: Space<Memory> = { name: 'mcp-judge', maxKeys: 50 };

const maxExchanges = 40;
const maxTargetLength = 100;
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

/** Adds the requests of a POST. */
export function withRequests(memory: Memory, observed: Observed, nowMs: number): Memory {
  const added = observed.requests.map(({ id, method, params }): Exchange => {
    const { progressToken } = metaOf({ params });
    return {
      ...{ id, method: method.slice(0, maxTargetLength), target: targetOf(params), atMs: nowMs },
      isOpen: true,
      ...(isRpcId(progressToken) && { progressToken }),
    };
  });
  const { isGone, ...kept } = memory;
  const isBegun = added.some(({ method }) => method === 'initialize');
  return {
    ...kept,
    ...(isGone && !isBegun && { isGone }),
    exchanges: [...memory.exchanges, ...added].slice(-maxExchanges),
  };
}

/** Closes the exchange that a response belongs to. */
export function withResponse(memory: Memory, { id, result, error }: JsonObject): Memory {
  const at = memory.exchanges.findLastIndex((each) => each.isOpen && each.id === id);
  const before = memory.exchanges[at];
  if (before === undefined) return memory;
  const { resultType, requestState, nextCursor } = isObject(result) ? result : {};
  const closed: Exchange = {
    ...before,
    isOpen: false,
    ...(isObject(error) && { code: Number(error.code) }),
    ...(resultType === 'input_required' && { needsInput: true }),
    ...(requestState !== undefined && { state: digest(requestState) }),
    ...(nextCursor !== undefined && { cursor: digest(nextCursor) }),
  };
  const forbidden = error === undefined ? 0 : memory.forbidden;
  return { ...memory, forbidden, exchanges: memory.exchanges.with(at, closed) };
}

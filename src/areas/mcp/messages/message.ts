/** JSON-RPC messages: requests, notifications and responses of clients. */

import { isObject, type JsonObject } from '#base/json-object.js';
import { codes, RpcError } from './rpc-error.js';

/** Messages in a batch of revision 2025-03-26. */
export const maxBatch = 100;

export type RpcId = string | number;

export interface RpcRequest {
  readonly kind: 'request';
  readonly id: RpcId;
  readonly method: string;
  readonly params: JsonObject;
  /** The parameters as sent, if a misbehaviour has replaced them. */
  readonly sent?: JsonObject;
}

export interface RpcNotification {
  readonly kind: 'notification';
  readonly method: string;
  readonly params: JsonObject;
}

export interface RpcReply {
  readonly kind: 'reply';
  readonly id: RpcId;
  readonly result?: JsonObject;
  readonly error?: JsonObject;
}

export type Message = RpcRequest | RpcNotification | RpcReply;

export function isRpcId(value: unknown): value is RpcId {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

/** Returns the id of a value that may be a request, for errors about it. */
export function idIn(value: unknown): RpcId | undefined {
  return isObject(value) && isRpcId(value.id) ? value.id : undefined;
}

const invalid = (message: string) => new RpcError(codes.invalidRequest, message, undefined, 400);

/** Throws an error with code -32600 if the value is no message. */
export function readMessage(value: unknown): Message {
  if (!isObject(value)) throw invalid('A message must be a JSON object.');
  const { jsonrpc, id, method, params } = value;
  if (jsonrpc !== '2.0') throw invalid('jsonrpc must be "2.0".');
  if (id !== undefined && !isRpcId(id)) {
    throw invalid('id must be a string or an integer, and not null.');
  }
  if (method === undefined) return readReply(value, id);
  if (typeof method !== 'string') throw invalid('method must be a string.');
  if (params !== undefined && !isObject(params)) throw invalid('params must be an object.');
  const common = { method, params: params ?? {} };
  return id === undefined
    ? { kind: 'notification', ...common }
    : { kind: 'request', id, ...common };
}

function readReply({ result, error }: JsonObject, id: RpcId | undefined): RpcReply {
  if (id === undefined) throw invalid('A message needs a method, or an id with a result.');
  if (isObject(result) && error === undefined) return { kind: 'reply', id, result };
  if (isObject(error) && result === undefined) return { kind: 'reply', id, error };
  throw invalid('A response needs a result or an error, which must be an object.');
}

export function resultMessage(id: RpcId, result: JsonObject): JsonObject {
  return { jsonrpc: '2.0', id, result };
}

export function errorMessage(id: RpcId | undefined, error: RpcError): JsonObject {
  const { code, message, data } = error;
  return {
    jsonrpc: '2.0',
    ...(id !== undefined && { id }),
    error: { code, message, ...(data && { data }) },
  };
}

export function notification(method: string, params: JsonObject): JsonObject {
  return { jsonrpc: '2.0', method, params };
}

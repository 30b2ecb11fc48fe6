/** JSON-RPC 2.0: requests, notifications and batches with a few practice methods. */

import { isUtf8 } from 'node:buffer';
import { isObject } from '#base/json-object.js';
import { JsonSyntaxError, parseJson } from './parse-json.js';

type Id = string | number | null;

class RpcFault extends Error {
  override readonly name = 'RpcFault';
  readonly code: number;
  readonly data: string | undefined;

  constructor(code: number, message: string, data: string) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

const invalidRequest = (data: string) => new RpcFault(-32600, 'Invalid Request', data);
const invalidParams = (data: string) => new RpcFault(-32602, 'Invalid params', data);

/** Sends a notification from the server, if the connection allows it. */
type Notify = (text: string) => void;

type Method = (params: unknown, notify: Notify | undefined) => unknown;

const maxValues = 20_000;
const maxBatch = 1_000;

const methods: Readonly<Record<string, Method>> = {
  subtract(params) {
    const [minuend, subtrahend, ...others] = Array.isArray(params)
      ? params
      : [member(params, 'minuend'), member(params, 'subtrahend')];
    if (!isNumber(minuend) || !isNumber(subtrahend) || others.length > 0) {
      throw invalidParams(
        'subtract accepts [minuend, subtrahend], or an object with both, of numbers.',
      );
    }
    return minuend - subtrahend;
  },
  sum(params) {
    if (!Array.isArray(params) || !params.every(isNumber)) {
      throw invalidParams('sum accepts an array of numbers.');
    }
    return params.reduce((total: number, each: number) => total + each, 0);
  },
  echo: (params) => params ?? null,
  fail() {
    throw new RpcFault(-32603, 'Internal error', 'This method always fails.');
  },
  notify(params, notify) {
    notify?.(JSON.stringify({ jsonrpc: '2.0', method: 'notified', params }));
    return { notified: notify !== undefined };
  },
};

export const rpcMethods = Object.keys(methods);

/**
 * Returns the response to a message, as bytes of UTF-8; `undefined` if there is none, as for
 * notifications.
 */
export function respondByRpc(message: Buffer, notify?: Notify): string | undefined {
  let parsed: unknown;
  try {
    // RFC 8259 section 8.1.
    if (!isUtf8(message)) throw new JsonSyntaxError('The JSON is not valid UTF-8.');
    parsed = parseJson(message.toString('utf8'), maxValues);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return JSON.stringify(failure(null, new RpcFault(-32700, 'Parse error', error.message)));
  }
  if (!Array.isArray(parsed)) {
    const response = respondToOne(parsed, notify);
    return response && JSON.stringify(response);
  }
  if (parsed.length === 0 || parsed.length > maxBatch) {
    const fault = invalidRequest(`A batch has 1 to ${maxBatch} requests; got ${parsed.length}.`);
    return JSON.stringify(failure(null, fault));
  }
  const responses = parsed.flatMap((each) => respondToOne(each, notify) ?? []);
  return responses.length === 0 ? undefined : JSON.stringify(responses);
}

function respondToOne(request: unknown, notify: Notify | undefined): object | undefined {
  const given = member(request, 'id');
  const id = isId(given) ? given : null;
  try {
    const result = call(request, notify);
    return given === undefined ? undefined : { jsonrpc: '2.0', result, id };
  } catch (error) {
    if (!(error instanceof RpcFault)) throw error;
    const isNotification = given === undefined && error.code !== -32600;
    return isNotification ? undefined : failure(id, error);
  }
}

function call(request: unknown, notify: Notify | undefined): unknown {
  if (!isObject(request)) throw invalidRequest('A request must be an object.');
  const { jsonrpc, method, params } = request;
  if (jsonrpc !== '2.0') throw invalidRequest('jsonrpc must be "2.0".');
  if (typeof method !== 'string') throw invalidRequest('method must be a string.');
  const id = member(request, 'id');
  if (id !== undefined && !isId(id)) throw invalidRequest('id must be a string, a number or null.');
  if (params !== undefined && (typeof params !== 'object' || params === null)) {
    throw invalidRequest('params must be an array or an object.');
  }
  const run = Object.hasOwn(methods, method) ? methods[method] : undefined;
  if (run === undefined) {
    throw new RpcFault(-32601, 'Method not found', `The methods are ${rpcMethods.join(', ')}.`);
  }
  return run(params, notify);
}

function failure(id: Id, { code, message, data }: RpcFault): object {
  return { jsonrpc: '2.0', error: { code, message, data }, id };
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

function isId(value: unknown): value is Id {
  return typeof value === 'string' || typeof value === 'number' || value === null;
}

/** Returns an own member of an object; `undefined` for other values. */
function member(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

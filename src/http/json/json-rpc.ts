/** JSON-RPC 2.0: requests, notifications and batches over a few methods to practise with. */

import { JsonSyntaxError, parseJson } from './parse-json.js';

type Id = string | number | null;

interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

class RpcFault extends Error {
  override readonly name = 'RpcFault';
  readonly error: RpcError;

  constructor(code: number, message: string, data?: string) {
    super(message);
    this.error = { code, message, ...(data !== undefined && { data }) };
  }
}

/** Sends a notification of the server's, where the connection can carry one. */
export type Notify = (text: string) => void;

type Method = (params: unknown, notify: Notify | undefined) => unknown;

/** A text may have so many values, and a batch so many requests. */
const maxValues = 20_000;
const maxBatch = 1_000;

const methods: Readonly<Record<string, Method>> = {
  subtract(params) {
    const [minuend, subtrahend] = Array.isArray(params)
      ? params
      : [member(params, 'minuend'), member(params, 'subtrahend')];
    if (
      !isNumber(minuend) ||
      !isNumber(subtrahend) ||
      (Array.isArray(params) && params.length > 2)
    ) {
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
    notify?.(
      JSON.stringify({
        jsonrpc: '2.0',
        method: 'notified',
        ...(params !== undefined && { params }),
      }),
    );
    return { notified: notify !== undefined };
  },
};

export const rpcMethods = Object.keys(methods);

/** The response to a text; `undefined` where there is none, as to notifications alone. */
export function respondByRpc(text: string, notify?: Notify): string | undefined {
  let parsed: unknown;
  try {
    parsed = parseJson(text, maxValues);
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
    const { method, params } = check(request);
    const run = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (run === undefined) {
      throw new RpcFault(-32601, 'Method not found', `The methods are ${rpcMethods.join(', ')}.`);
    }
    const result = run(params, notify);
    return given === undefined ? undefined : { jsonrpc: '2.0', result, id };
  } catch (error) {
    if (!(error instanceof RpcFault)) throw error;
    const isNotification = given === undefined && error.error.code !== -32600;
    return isNotification ? undefined : failure(id, error);
  }
}

interface CheckedRequest {
  readonly method: string;
  readonly params: unknown;
}

function check(request: unknown): CheckedRequest {
  if (typeof request !== 'object' || request === null || Array.isArray(request)) {
    throw invalidRequest('A request must be an object.');
  }
  const { jsonrpc, method, params } = request as Record<string, unknown>;
  if (jsonrpc !== '2.0') throw invalidRequest('jsonrpc must be "2.0".');
  if (typeof method !== 'string') throw invalidRequest('method must be a string.');
  const id = member(request, 'id');
  if (id !== undefined && !isId(id)) throw invalidRequest('id must be a string, a number or null.');
  if (params !== undefined && (typeof params !== 'object' || params === null)) {
    throw invalidRequest('params must be an array or an object.');
  }
  return { method, params };
}

function failure(id: Id, { error }: RpcFault): object {
  return { jsonrpc: '2.0', error, id };
}

const invalidRequest = (data: string) => new RpcFault(-32600, 'Invalid Request', data);
const invalidParams = (data: string) => new RpcFault(-32602, 'Invalid params', data);

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

function isId(value: unknown): value is Id {
  return typeof value === 'string' || typeof value === 'number' || value === null;
}

/** A member of an object; `undefined` of anything else, and of what it only inherits. */
function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

/**
 * Reads the body of a request before anything can fail, because the JSON-RPC error of a failure has
 * the id of its request.
 */

import { isUtf8 } from 'node:buffer';
import { isBodyWithheld, isJsonType, readWholeBody } from '#http/body/request-body.js';
import type { Request } from '#http/exchange.js';
import { HttpError } from '#http/http-error.js';
import { JsonSyntaxError, parseJson } from '#http/json/parse-json.js';
import type { Watched } from '../judge/watch.js';
import { acceptsBoth } from '../messages/accepted-types.js';
import { idIn, type RpcId } from '../messages/message.js';
import { codes, RpcError } from '../messages/rpc-error.js';
import { oldPaths } from '../model/session.js';

/** Values in a body. */
const maxValues = 20_000;

interface Received {
  readonly value?: unknown;
  readonly error?: RpcError;
  /** Absent if there is no judge. */
  readonly watched?: Watched;
}

const received = new WeakMap<Request, Received>();

/** Leaves faults of the JSON to the handler, and a body that need not be sent because of the head. */
export async function receiveBody(request: Request): Promise<void> {
  if (request.method !== 'POST' || !isJsonType(request.headers['content-type'])) return;
  const isOld = request.route?.path === oldPaths.messages;
  if (isBodyWithheld(request) && !isOld && !acceptsBoth(request.headers.accept)) return;
  received.set(request, parseBody(await readWholeBody(request)));
}

function parseBody(bytes: Buffer): Received {
  try {
    if (!isUtf8(bytes)) throw new JsonSyntaxError('The JSON is not valid UTF-8.');
    return { value: parseJson(bytes.toString('utf8'), maxValues) };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return { error: new RpcError(codes.parse, error.message, undefined, 400) };
  }
}

function checkTypes({ headers }: Request): void {
  const type = headers['content-type'];
  if (!isJsonType(type)) {
    throw new HttpError(415, 'Content-Type must be application/json.');
  }
  if (!acceptsBoth(headers.accept)) {
    throw new HttpError(406, 'Accept must list application/json and text/event-stream.');
  }
}

/** Returns the parsed body. Throws an error with code -32700. */
export function receivedValue(request: Request): unknown {
  const { value, error } = received.get(request) ?? {};
  if (error !== undefined) throw error;
  return value;
}

/** The same, for a POST that may get a stream. Throws 415 and 406 for types that do not suit it. */
export function postedValue(request: Request): unknown {
  checkTypes(request);
  return receivedValue(request);
}

/** Returns the parsed body; `undefined` for malformed JSON. */
export function receivedBody(request: Request): unknown {
  return received.get(request)?.value;
}

/** Returns the id in the body; `undefined` for a notification, a batch, or no body. */
export function receivedId(request: Request): RpcId | undefined {
  return idIn(receivedBody(request));
}

/** Keeps the request as the judge sees it, for all that is noted of it later. */
export function keepWatched(request: Request, watched: Watched): void {
  received.set(request, { ...received.get(request), watched });
}

export function watchedOf(request: Request): Watched | undefined {
  return received.get(request)?.watched;
}

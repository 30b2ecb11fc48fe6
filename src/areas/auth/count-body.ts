/** Authentication with any method. Responses have the size of the request's body. */

import { Type } from 'typebox';
import {
  hasBody,
  maxParsedBodyBytes,
  noBody,
  type RequestBody,
  readBody,
} from '#http/body/request-body.js';
import type { Request } from '#http/exchange.js';
import { HttpError } from '#http/http-error.js';
import { errorSchema } from '#http/schemas/error-schema.js';

const bodyBytes = Type.Optional(
  Type.Integer({ description: "Size of the request's body in bytes." }),
);

/** A schema of responses to requests that may have a body. */
export const countedBody = { bodyBytes };

export const countedError = Type.Object({ ...errorSchema.properties, ...countedBody });

/** Reads the body, and keeps its first `keepBytes`. A client that waits for 100 Continue gets its challenge first. */
export async function readCounted(request: Request, keepBytes = 0): Promise<RequestBody> {
  const { authorization, expect } = request.headers;
  if (expect !== undefined && authorization === undefined) return noBody;
  return keepBytes === 0 ? readBody(request, 0) : readBody(request, keepBytes, maxParsedBodyBytes);
}

/** Whether the response has the body's size. It has none for a GET without a body. */
export function isCounted({ method, raw }: Request): boolean {
  return !/^(?:GET|HEAD)$/.test(method) || hasBody(raw);
}

/** Adds the size of the request's body to the result of `authenticate`, and to its error. */
export function countBody(request: Request, authenticate: () => object): object | Promise<object> {
  return isCounted(request) ? readAndCount(request, authenticate) : authenticate();
}

async function readAndCount(request: Request, authenticate: () => object): Promise<object> {
  const { size } = await readCounted(request);
  try {
    return { ...authenticate(), bodyBytes: size };
  } catch (error) {
    throw withBodyBytes(error, size);
  }
}

/** Adds the size of the body to an error with a challenge. */
export function withBodyBytes(error: unknown, size: number): unknown {
  if (!(error instanceof HttpError) || error.status !== 401) return error;
  const { status, message, headers, extra } = error;
  return new HttpError(status, message, { headers, body: { ...extra, bodyBytes: size } });
}

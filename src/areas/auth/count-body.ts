/** Authentication by any method, where responses say how many bytes of a body came with the request. */

import { Type } from 'typebox';
import { anyMethod } from '../../http/any-method.js';
import {
  maxParsedBodyBytes,
  noBody,
  type RequestBody,
  readBody,
} from '../../http/body/request-body.js';
import type { Request } from '../../http/exchange.js';
import { HttpError } from '../../http/http-error.js';
import { errorSchema } from '../../http/schemas/error-schema.js';

/** Beside GET and HEAD. OPTIONS is a preflight's, which has no credentials. */
export const otherMethods = anyMethod.filter((method) => !/^(?:GET|HEAD|OPTIONS)$/.test(method));

const bodyBytes = Type.Optional(
  Type.Integer({ description: 'How many bytes of a body came with this request.' }),
);

/** A schema of responses to requests that may have a body. */
export const countedBody = { bodyBytes };

export const countedError = Type.Object({ ...errorSchema.properties, ...countedBody });

/** Reads the body, and keeps its first `keepBytes`. A client that waits for 100 learns first that it needs credentials. */
export async function readCounted(request: Request, keepBytes = 0): Promise<RequestBody> {
  const { authorization, expect } = request.headers;
  if (expect !== undefined && authorization === undefined) return noBody;
  return keepBytes === 0 ? readBody(request, 0) : readBody(request, keepBytes, maxParsedBodyBytes);
}

/** Makes a handler whose responses and rejections say how large the body was. */
export function countingBody<Result extends object>(handle: (request: Request) => Result) {
  return async (request: Request): Promise<Result & { readonly bodyBytes: number }> => {
    const { size } = await readCounted(request);
    try {
      return { ...handle(request), bodyBytes: size };
    } catch (error) {
      throw withBodyBytes(error, size);
    }
  };
}

export function withBodyBytes(error: unknown, size: number): unknown {
  if (!(error instanceof HttpError)) return error;
  const { status, message, headers, extra } = error;
  return new HttpError(status, message, { headers, body: { ...extra, bodyBytes: size } });
}

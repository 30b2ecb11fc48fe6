/** Describes a request so that its repetition can be recognised and judged. */

import { originForm } from '#http/address/target.js';
import { hashOf } from '#http/caching/content.js';
import type { Request } from '#http/exchange.js';
import { headerValues } from '#http/headers/header-values.js';
import { parseIdempotencyKey } from '#http/headers/parse-idempotency-key.js';
import { HttpError } from '#http/http-error.js';
import type { Attempt } from '../plan/attempts.js';

/** Headers that differ between attempts although the request is the same. */
const incidental =
  /^(?:host|connection|content-length|transfer-encoding|date|user-agent|expect|te|via|forwarded|x-forwarded-.*|trace(?:parent|state)|baggage|x-request-id|x-correlation-id|.*retr(?:y|ies).*|.*attempt.*)$/;

/** The methods of RFC 9110 section 9.2.2. */
const idempotentMethods = ['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE', 'QUERY'];

type Described = Pick<Attempt, 'key' | 'target' | 'authorization' | 'headers' | 'isMultipart'>;

export function describeRequest(request: Request): Described {
  const { authorization, 'content-type': type = '' } = request.headers;
  const key = validKey(request);
  const others = Object.entries(request.headers).filter(([name]) => !incidental.test(name));
  return {
    key: key === undefined ? null : hashOf(key),
    target: hashOf(originForm(request.url)),
    ...(authorization !== undefined && { authorization: hashOf(authorization) }),
    ...(/^multipart\//i.test(type) && { isMultipart: true as const }),
    headers: hashOf(JSON.stringify(others.sort(([one], [other]) => (one < other ? -1 : 1)))),
  };
}

/** An empty or malformed key is no key. */
function validKey(request: Request): string | undefined {
  try {
    return parseIdempotencyKey(headerValues(request, 'idempotency-key'));
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return undefined;
  }
}

/** Whether sending a request twice does no more than sending it once; `null` if that is unknown. */
export function isRepeatable({ raw, headers, route }: Request, body: Buffer): boolean | null {
  const { method = '' } = raw;
  const isConditional =
    headers['if-match'] !== undefined ||
    headers['if-unmodified-since'] !== undefined ||
    headers['if-none-match']?.trim() === '*';
  if (isConditional || idempotentMethods.includes(method)) return true;
  const { onlyReads = false } = route?.spec ?? {};
  return typeof onlyReads === 'function' ? (onlyReads(body) ?? null) : onlyReads;
}

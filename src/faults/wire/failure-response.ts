/** Writes the error response of a fault plan. */

import type { DeniedHeaders } from '#http/denied-headers.js';
import {
  checkSettableHeaders,
  encodeHeaders,
  type GivenHeaders,
  headersByName,
} from '#http/headers/settable-headers.js';
import {
  type ErrorHeaders,
  errorBody,
  type FieldFault,
  jsonContentType,
  type ShapedFailure,
} from '#http/http-error.js';
import { isolatingHeaders } from '#http/isolating-headers.js';
import type { Fault, RetryAfter } from '../plan/fault-plan.js';

export interface FailureResponse {
  readonly status: number;
  readonly headers: ErrorHeaders;
  readonly body: string | Buffer;
  /** Headers of the rule, in its letter case. */
  readonly given: GivenHeaders;
}

/** Headers that planned responses vary by, for caches. */
export const ofSandbox = 'X-Sandbox, X-Service-Key';

interface FailureContext {
  readonly message: string;
  /** By the real clock. */
  readonly nowMs: number;
  /** Headers that HTTP requires with the status. */
  readonly companions: ErrorHeaders;
  /** The failure in the protocol of the area, if the rule requests it. */
  readonly shaped: ShapedFailure | undefined;
}

/** Returns the faults of the headers of a planned response. */
export function failureHeaderFaults(
  { headers = {}, headerEncoding: encoding = 'latin1', body, bodyBase64 }: Fault,
  field: string,
  denied: DeniedHeaders,
): FieldFault[] {
  const isBodyScripted = (body ?? bodyBase64) !== undefined;
  return checkSettableHeaders(headers, field, { denied, encoding, isBodyScripted });
}

export function failureResponse(
  fault: Fault,
  { message, nowMs, companions, shaped }: FailureContext,
): FailureResponse {
  const { status = 500, headers, body, bodyBase64, retryAfter } = fault;
  const wait = retryAfter === undefined ? undefined : waitOf(retryAfter, nowMs);
  const extra = wait === undefined ? {} : { retryAfter: wait.seconds };
  const isChosen = [headers, body, bodyBase64].some((each) => each !== undefined);
  const own = chosenHeaders(fault);
  const content = shaped ??
    contentOf(body, bodyBase64) ?? {
      contentType: jsonContentType,
      body: JSON.stringify(errorBody(status, message, extra)),
    };
  return {
    status: shaped?.status ?? status,
    headers: {
      ...companions,
      'content-type': content.contentType,
      ...shaped?.headers,
      ...(wait && { 'retry-after': wait.value }),
      ...own,
      ...(isChosen && isolatingHeaders),
    },
    body: content.body,
    given: headers ?? {},
  };
}

/** Returns the headers that a fault sets, by name in lower case. */
export function chosenHeaders({
  headers = {},
  headerEncoding,
}: Pick<Fault, 'headers' | 'headerEncoding'>): Readonly<Record<string, string | string[]>> {
  const own = headersByName(encodeHeaders(headers, headerEncoding));
  const vary = own.get('vary');
  if (vary !== undefined) own.set('vary', [vary, ofSandbox].flat().join(', '));
  return Object.fromEntries(own);
}

function contentOf(body: unknown, bodyBase64: string | undefined) {
  if (bodyBase64 !== undefined) {
    return { contentType: 'application/octet-stream', body: Buffer.from(bodyBase64, 'base64') };
  }
  if (body === undefined) return undefined;
  if (typeof body === 'string') return { contentType: 'text/plain; charset=utf-8', body };
  return { contentType: jsonContentType, body: JSON.stringify(body) };
}

/** Returns the value of Retry-After. A date has whole seconds, so it is rounded up. */
function waitOf(given: RetryAfter, nowMs: number): { value: string; seconds: number } {
  const { seconds, as = 'seconds' } = typeof given === 'number' ? { seconds: given } : given;
  if (as === 'seconds') return { value: String(seconds), seconds };
  const atMs = Math.ceil(nowMs / 1000 + seconds) * 1000;
  return { value: new Date(atMs).toUTCString(), seconds };
}

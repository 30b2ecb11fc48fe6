/**
 * The response to a captured request. Callers choose bytes that are sent from this origin, so browsers must not run
 * them.
 */

import type { DeniedHeaders } from '#http/denied-headers.js';
import {
  checkSettableHeaders,
  encodeHeaders,
  type GivenHeaders,
  headerPairs,
} from '#http/headers/settable-headers.js';
import { errorBody, type FieldFault, jsonContentType } from '#http/http-error.js';
import type { BinResponse } from './bins.js';

export const maxResponseBodyBytes = 64 * 1024;

/** Returns what is wrong with a bin's response, beyond what its schema checks. */
export function checkBinResponse(response: BinResponse, denied: DeniedHeaders): FieldFault[] {
  const { body, bodyBase64 } = response;
  const faults = binHeaderFaults(response, denied);
  if (body !== '' && bodyBase64 !== undefined) {
    const message = 'A response has one body: send body or bodyBase64, not both.';
    faults.push({ field: 'response.bodyBase64', message });
  }
  if (bytesOf(response).length > maxResponseBodyBytes) {
    const message = `The body of a response must be at most ${maxResponseBodyBytes} bytes.`;
    const field = bodyBase64 === undefined ? 'response.body' : 'response.bodyBase64';
    faults.push({ field, message });
  }
  return faults;
}

export function binHeaderFaults(response: BinResponse, denied: DeniedHeaders): FieldFault[] {
  const { headers, headerEncoding: encoding = 'latin1' } = response;
  return checkSettableHeaders(headers, 'response.headers', {
    ...{ denied, encoding },
    isBodyScripted: true,
  });
}

/** Responses with these statuses have no body (RFC 9110 section 15). */
const bodylessStatuses = new Set([204, 205, 304]);

/**
 * Returns the response of a bin to one captured request. `asked` is the request's `status` parameter; if it is not a
 * final status, it belongs to the sender and is ignored. `given` are the headers of the bin.
 */
export function chooseResponse(
  response: BinResponse | null,
  asked: unknown,
  captured: { readonly binId: string; readonly requestId: string },
) {
  const isAsked = typeof asked === 'string' && /^[2-5]\d\d$/.test(asked);
  const status = isAsked ? Number(asked) : (response?.status ?? 200);
  const given = encodeHeaders(response?.headers ?? {}, response?.headerEncoding);
  if (bodylessStatuses.has(status)) {
    return { status, type: undefined, given: withoutType(given), body: undefined };
  }
  // Bytes, because the framework would add a charset to the Content-Type of text.
  const body = response ? bytesOf(response) : Buffer.from(confirmation(status, captured));
  return { status, type: typeOf(response), given, body };
}

function withoutType(headers: GivenHeaders): GivenHeaders {
  return headerPairs(headers).filter(([name]) => name.toLowerCase() !== 'content-type');
}

function typeOf(response: BinResponse | null): string {
  if (response === null) return jsonContentType;
  const isText = response.bodyBase64 === undefined;
  return isText ? 'text/plain; charset=utf-8' : 'application/octet-stream';
}

function bytesOf({ body, bodyBase64 }: BinResponse): Buffer {
  return bodyBase64 === undefined ? Buffer.from(body) : Buffer.from(bodyBase64, 'base64');
}

/** An error status has the shape of all errors, so that clients can practise on a complete one. */
function confirmation(status: number, captured: object): string {
  const body = { received: true, ...captured };
  if (status < 400) return JSON.stringify(body);
  const message = 'The request was captured. The status is from ?status=.';
  return JSON.stringify(errorBody(status, message, body));
}

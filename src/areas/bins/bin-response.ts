/**
 * The response to a captured request. Callers choose bytes that are sent from this origin, so browsers must not run
 * them.
 */

import {
  checkSettableHeaders,
  encodeHeaders,
  headersByName,
} from '../../http/headers/settable-headers.js';
import { errorBody, type FieldFault, jsonContentType } from '../../http/http-error.js';
import { isolatingHeaders } from '../../http/isolating-headers.js';
import type { BinResponse } from './bins.js';

export const maxResponseBodyBytes = 64 * 1024;

/** Returns what is wrong with a bin's response, beyond what its schema checks. */
export function checkBinResponse(response: BinResponse): FieldFault[] {
  const { headers, headerEncoding: encoding = 'latin1', body, bodyBase64 } = response;
  const faults = checkSettableHeaders(headers, 'response.headers', { encoding });
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

/** Responses with these statuses have no body (RFC 9110 section 15). */
const bodylessStatuses = new Set([204, 205, 304]);

/**
 * Returns the response of a bin to one captured request. `asked` is the request's `status` parameter; if it is not a
 * final status, it belongs to the sender and is ignored. `given` are the headers of the bin, in its letter case.
 */
export function chooseResponse(
  response: BinResponse | null,
  asked: unknown,
  captured: { readonly binId: string; readonly requestId: string },
) {
  const isAsked = typeof asked === 'string' && /^[2-5]\d\d$/.test(asked);
  const status = isAsked ? Number(asked) : (response?.status ?? 200);
  const given = response?.headers ?? {};
  const headers: Record<string, string | string[]> = {
    'content-type': typeOf(response),
    ...Object.fromEntries(headersByName(encodeHeaders(given, response?.headerEncoding))),
    ...isolatingHeaders,
  };
  if (bodylessStatuses.has(status)) {
    delete headers['content-type'];
    return { status, headers, given, body: undefined };
  }
  // Bytes, because the framework would add a charset to the Content-Type of text.
  const body = response ? bytesOf(response) : Buffer.from(confirmation(status, captured));
  return { status, headers, given, body };
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

/**
 * The response to a capture. Whoever makes a bin chooses these bytes, and they come from our
 * origin: nothing in them may run, or change how a browser treats this service.
 */

import { STATUS_CODES } from 'node:http';
import { checkSettableHeaders, headersByName } from '../../http/headers/settable-headers.js';
import type { FieldFault } from '../../http/http-error.js';
import { isolatingHeaders } from '../../http/isolating-headers.js';
import type { BinResponse } from './bins.js';

/** The response to a capture, ready to send. */
export interface CaptureResponse {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string | string[]>;
  /** Bytes, for the head of a body that is text is sent in UTF-8 as well. `undefined` where the status allows none. */
  readonly body: Buffer | undefined;
}

export const maxResponseBodyBytes = 64 * 1024;

/** What may not be in a bin's response, beyond what the schema says; empty when all may. */
export function checkBinResponse({ headers, body }: BinResponse): FieldFault[] {
  const faults = checkSettableHeaders(headers, 'response.headers');
  if (Buffer.byteLength(body) > maxResponseBodyBytes) {
    const message = `The body of a response must be at most ${maxResponseBodyBytes} bytes.`;
    faults.push({ field: 'response.body', message });
  }
  return faults;
}

/** These end a request but have no body (RFC 9110 section 15). */
const bodylessStatuses = new Set([204, 205, 304]);

/**
 * The response of a bin to one captured request. `askedStatus` is the request's own `status` parameter;
 * anything but a final status there belongs to the sender and asks for nothing.
 */
export function chooseResponse(
  response: BinResponse | null,
  askedStatus: unknown,
  captured: { readonly binId: string; readonly requestId: string },
): CaptureResponse {
  const status = readStatus(askedStatus) ?? response?.status ?? 200;
  const headers = new Map<string, string | string[]>([
    ['content-type', response ? textType : jsonType],
    ...(response === null ? [] : headersByName(response.headers)),
    ...isolating,
  ]);
  if (bodylessStatuses.has(status)) {
    headers.delete('content-type');
    return { status, headers, body: undefined };
  }
  return { status, headers, body: Buffer.from(response?.body ?? confirmation(status, captured)) };
}

const isolating = Object.entries(isolatingHeaders);

const textType = 'text/plain; charset=utf-8';
const jsonType = 'application/json; charset=utf-8';

function readStatus(asked: unknown): number | undefined {
  return typeof asked === 'string' && /^[2-5]\d\d$/.test(asked) ? Number(asked) : undefined;
}

/** An error status has the shape of all errors, so that clients can practise on a complete one. */
function confirmation(status: number, captured: object): string {
  const body = { received: true, ...captured };
  if (status < 400) return JSON.stringify(body);
  const error = STATUS_CODES[status] ?? 'Error';
  const message = `The request was captured; this is the status you asked for.`;
  return JSON.stringify({ status, error, message, ...body });
}

/** Answers as bytes, for connections on which Node knows of no request. */

import { errorBody, jsonContentType } from '../../http/http-error.js';
import { newRequestId } from '../../http/request-id.js';

/** The last answer of a connection, where there is no request that Node knows of. */
export function rawResponse(status: number, message: string): string {
  const fault = errorBody(status, message);
  const body = JSON.stringify(fault);
  return [
    `HTTP/1.1 ${status} ${fault.error}`,
    `Date: ${new Date().toUTCString()}`,
    `Content-Type: ${jsonContentType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Access-Control-Allow-Origin: *',
    'Access-Control-Expose-Headers: *',
    `X-Request-Id: ${newRequestId()}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}

/** Rules for every response of the service; a judge returns the fault of a response. */

import { STATUS_CODES } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

/** @typedef {import('../harness/raw-http.js').WireResponse} WireResponse */

/**
 * @param {WireResponse} response
 * @returns {string | undefined}
 */
export function judgeHead({ status, headers }) {
  if (status === 0) return 'no HTTP';
  if (!headers.get('x-request-id')) return 'no X-Request-Id';
  // httpbin names the origin of the request, and allows credentials.
  const isOpen =
    headers.get('access-control-allow-origin') === '*' ||
    headers.get('access-control-allow-credentials') === 'true';
  if (!isOpen) return 'not open to every origin';
  if (/text\/html/.test(headers.get('content-type') ?? '') && status >= 400) return 'an HTML error';
  return undefined;
}

/**
 * The error shape of REST, for statuses from 400 on.
 *
 * @param {WireResponse} response
 * @returns {string | undefined}
 */
export function judgeRestError(response) {
  const { status, headers } = response;
  if (headers.get('content-type') !== 'application/json; charset=utf-8') return 'an error not JSON';
  const parsed = parseBody(response);
  if (parsed?.status !== status) return 'an error body without its status';
  if (typeof parsed.message !== 'string' || parsed.message === '') return 'an error not explained';
  if (
    parsed.error !== (STATUS_CODES[status] ?? 'Error') &&
    parsed.error_description === undefined
  ) {
    return 'an error without its name';
  }
  if (status === 405 && !headers.get('allow')) return 'a 405 without Allow';
  return undefined;
}

/** @type {Record<string, (bytes: Buffer) => Buffer>} */
const decoders = { br: brotliDecompressSync, gzip: gunzipSync };

/**
 * @param {Pick<WireResponse, 'headers' | 'body'>} response
 * @returns {any} `undefined` when it is no JSON
 */
export function parseBody({ headers, body }) {
  const decode = decoders[headers.get('content-encoding') ?? ''] ?? ((bytes) => bytes);
  try {
    return JSON.parse(decode(Buffer.from(body, 'latin1')).toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The request description that the method endpoints respond with. */

import { queryFault } from '#http/address/target.js';
import type { RequestBody } from '#http/body/request-body.js';
import { showBody } from '#http/body/show-body.js';

/** Bytes beyond it are only counted. */
export const shownBodyBytes = 1024 * 1024;

interface RequestFacts {
  readonly method: string;
  /** The path as sent, with its query. */
  readonly url: string;
  readonly query: object;
  readonly contentType: string | undefined;
  readonly body: RequestBody;
}

/** Includes `parseError` for a malformed query, and `bodyEncoding` for a body in base64 because it is not UTF-8. */
export function describeRequest(facts: RequestFacts, nowMs: number) {
  const { method, url, query, contentType, body } = facts;
  const queryStart = url.indexOf('?');
  const { text, encoding } = showBody(body);
  const parseError = queryFault(url);
  return {
    method,
    message: receivedMessage(method),
    path: queryStart < 0 ? url : url.slice(0, queryStart),
    query,
    contentType: contentType ?? null,
    bodyLength: body.size,
    bodyTruncated: body.isTruncated,
    body: text,
    timestamp: new Date(nowMs).toISOString(),
    ...(parseError !== undefined && { parseError }),
    ...(encoding === 'base64' && { bodyEncoding: 'base64' as const }),
  };
}

export function receivedMessage(method: string): string {
  return `${method} request received`;
}

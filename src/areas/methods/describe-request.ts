/** The record that the method endpoints respond with. */

import { queryFault } from '../../http/address/target.js';
import type { RequestBody } from '../../http/body/request-body.js';
import { showBody } from '../../http/body/show-body.js';

/** Further bytes of a body are only counted. */
export const shownBodyBytes = 1024 * 1024;

interface RequestFacts {
  readonly method: string;
  /** The path as sent, with its query. */
  readonly url: string;
  readonly query: object;
  readonly contentType: string | undefined;
  readonly body: RequestBody;
}

/** Has `parseError` if the query is malformed, and `bodyEncoding` if the body is not UTF-8 and so shown as base64. */
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

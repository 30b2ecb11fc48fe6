/** The record that the method endpoints respond with: what arrived, exactly. */

import { queryFault } from '../../http/address/target.js';
import type { RequestBody } from '../../http/body/request-body.js';
import { showBody } from '../../http/body/show-body.js';
import type { TextOfBytes } from '../../http/json/json-pieces.js';

/** How much of a body is shown; the rest is counted. */
export const shownBodyBytes = 1024 * 1024;

export interface EchoRecord {
  readonly method: string;
  readonly message: string;
  readonly path: string;
  readonly query: object;
  readonly contentType: string | null;
  readonly bodyLength: number;
  readonly bodyTruncated: boolean;
  readonly body: string | TextOfBytes | null;
  readonly timestamp: string;
  readonly bodyEncoding?: 'base64';
  /** Why the query could not be decoded. */
  readonly parseError?: string;
}

export interface RequestFacts {
  readonly method: string;
  /** The path as sent, with its query. */
  readonly url: string;
  readonly query: object;
  readonly contentType: string | undefined;
  readonly body: RequestBody;
}

/**
 * The nine fields, `parseError` when the query is malformed, and `bodyEncoding` when the body is not UTF-8 and so
 * shown as base64.
 */
export function describeRequest(facts: RequestFacts, nowMs: number): EchoRecord {
  const { method, url, query, contentType, body } = facts;
  const queryStart = url.indexOf('?');
  const shown = showBody(body);
  const parseError = queryFault(url);
  const record = {
    method,
    message: receivedMessage(method),
    path: queryStart < 0 ? url : url.slice(0, queryStart),
    query,
    contentType: contentType ?? null,
    bodyLength: body.size,
    bodyTruncated: body.isTruncated,
    body: shown.text,
    timestamp: new Date(nowMs).toISOString(),
    ...(parseError !== undefined && { parseError }),
  };
  return shown.encoding === 'base64' ? { ...record, bodyEncoding: 'base64' } : record;
}

export function receivedMessage(method: string): string {
  return `${method} request received`;
}

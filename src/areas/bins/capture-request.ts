/** A request as a bin keeps it, and as its owner reads it. */

import { parse as parseQuery } from 'fast-querystring';
import { queryFault } from '../../http/address/target.js';
import { showBody } from '../../http/body/show-body.js';
import type { TextOfBytes } from '../../http/json/json-pieces.js';
import type { DeliveryVerdict } from '../../kit/delivery-verdict.js';
import type { LogEntry } from '../../state/state.js';

/** What the log keeps beside the bytes of the body. */
export interface CapturedItem {
  readonly receivedAtMs: number;
  readonly method: string;
  /** The path as sent, with its query. */
  readonly url: string;
  readonly rawHeaders: readonly string[];
  readonly ip: string;
  readonly bodySize: number;
  readonly signature?: DeliveryVerdict;
}

export interface CapturedRequest {
  readonly id: string;
  readonly receivedAt: string;
  readonly method: string;
  readonly path: string;
  readonly subPath: string;
  readonly query: object;
  readonly queryString: string;
  /** Why the query could not be decoded. */
  readonly parseError?: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly contentType: string | null;
  readonly bodySize: number;
  readonly bodyTruncated: boolean;
  readonly bodyEncoding: 'utf-8' | 'base64' | 'none';
  readonly body: string | TextOfBytes | null;
  readonly ip: string;
  readonly signature?: DeliveryVerdict;
}

/** A longer body is decoded while it is written, for readers that take their time. */
export const longBodyBytes = 10 * 1024;

/** Everything up to and with the bin's id in a request target. */
const binPrefix = /^(?:https?:\/\/[^/?]*)?(?:\/(?:s|%[57]3)\/[^/?]*)?\/api\/webhooks\/[^/?]*/i;

export function describeCapture({
  sequence,
  item,
  bytes,
}: LogEntry<CapturedItem>): CapturedRequest {
  const { receivedAtMs, method, url, rawHeaders, ip, bodySize, signature } = item;
  const queryStart = url.indexOf('?');
  const path = queryStart < 0 ? url : url.slice(0, queryStart);
  const queryString = queryStart < 0 ? '' : url.slice(queryStart + 1);
  const bodyTruncated = bodySize > bytes.length;
  const { text, encoding } = showBody({ bytes, isTruncated: bodyTruncated }, longBodyBytes);
  const parseError = queryFault(url);
  const headers = pairHeaders(rawHeaders);
  const contentType = headers.find(({ name }) => name.toLowerCase() === 'content-type');
  return {
    id: String(sequence),
    receivedAt: new Date(receivedAtMs).toISOString(),
    method,
    path,
    subPath: path.replace(binPrefix, ''),
    query: parseQuery(queryString),
    queryString,
    ...(parseError !== undefined && { parseError }),
    headers,
    contentType: contentType?.value ?? null,
    bodySize,
    bodyTruncated,
    bodyEncoding: encoding,
    body: text,
    ip,
    ...(signature && { signature }),
  };
}

function pairHeaders(rawHeaders: readonly string[]): { name: string; value: string }[] {
  const headers = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    headers.push({ name: rawHeaders[index] ?? '', value: rawHeaders[index + 1] ?? '' });
  }
  return headers;
}

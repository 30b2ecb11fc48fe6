/** Recorded requests as HAR 1.2, without bodies and credentials. */

import { STATUS_CODES } from 'node:http';
import { packageVersion } from '#base/package/package-files.js';
import { redact } from '#base/text/redact.js';
import type { NumberedRequest, Pair } from './exchange-record.js';

export const harType = 'application/har+json';

/** Returns the text before the entries, which is followed by {@link harEnd}. */
export function harStart(): string {
  const creator = { name: 'Practice API', version: packageVersion };
  return `{"log":{"version":"1.2","creator":${JSON.stringify(creator)},"entries":[`;
}

export const harEnd = ']}}';

export function harEntryOf(request: NumberedRequest, baseUrl: string): object {
  const { method, status, atMs, durationMs, query, headers, responseHeaders, fault } = request;
  const httpVersion = `HTTP/${request.httpVersion}`;
  return {
    startedDateTime: new Date(atMs).toISOString(),
    time: durationMs,
    request: {
      method,
      url: urlOf(request, baseUrl),
      httpVersion,
      cookies: [],
      headers: namedOf(headers),
      queryString: namedOf(query),
      headersSize: -1,
      bodySize: request.bodyBytes,
    },
    response: {
      status,
      statusText: STATUS_CODES[status] ?? '',
      httpVersion,
      cookies: [],
      headers: namedOf(responseHeaders),
      content: { size: request.responseBytes, mimeType: firstOf(responseHeaders, 'content-type') },
      redirectURL: firstOf(responseHeaders, 'location'),
      headersSize: -1,
      bodySize: request.responseBytes,
    },
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    _id: request.id,
    _requestId: request.requestId,
    _fault: fault,
  };
}

function urlOf({ path, query }: NumberedRequest, baseUrl: string): string {
  const text = new URLSearchParams(query.map(([name, value]): [string, string] => [name, value]));
  // A base URL with the path of an account or a pupil is a secret.
  const url = redact(baseUrl) + path + (query.length > 0 ? `?${text}` : '');
  return url.replaceAll('…', encodeURIComponent('…'));
}

const namedOf = (pairs: readonly Pair[]) => pairs.map(([name, value]) => ({ name, value }));

function firstOf(pairs: readonly Pair[], name: string): string {
  return pairs.find(([each]) => each.toLowerCase() === name)?.[1] ?? '';
}

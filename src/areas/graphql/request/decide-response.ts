/**
 * Which media type a response has and with which status it is sent (GraphQL over HTTP, section 6):
 * from what the client accepts (RFC 9110 section 12.5.1) and how the request went.
 */

import { readPreferences, weightOf } from '../../../http/read-preferences.js';

export type MediaType = 'application/graphql-response+json' | 'application/json';

/**
 * How a request went: `executed` has data, be it null or partial; `rejected` is a GraphQL request that
 * was not executed; `subscription` is one that needs a stream; `malformed` is no GraphQL request;
 * `unavailable` can be sent again as it is, because nothing came of it; the last two were not even looked
 * into.
 */
export type OutcomeKind =
  | 'executed'
  | 'refused'
  | 'subscription'
  | 'malformed'
  | 'unavailable'
  | 'method-not-allowed'
  | 'not-acceptable';

export interface ResponseHead {
  readonly status: number;
  readonly contentType: string;
  readonly allow?: string;
  readonly retryAfter?: string;
}

const graphqlJson = 'application/graphql-response+json; charset=utf-8';
const plainJson = 'application/json; charset=utf-8';

export function decideResponse(
  mediaType: MediaType | undefined,
  outcome: OutcomeKind,
): ResponseHead {
  // A client that accepts neither type still gets to read why.
  const contentType = mediaType === 'application/json' ? plainJson : graphqlJson;
  switch (outcome) {
    case 'executed':
      return { status: 200, contentType };
    case 'refused':
    case 'subscription':
      return { status: mediaType === 'application/json' ? 200 : 400, contentType };
    case 'malformed':
      return { status: 400, contentType };
    case 'unavailable':
      return { status: 503, contentType, retryAfter: '1' };
    case 'method-not-allowed':
      return { status: 405, contentType, allow: 'POST' };
    case 'not-acceptable':
      return { status: 406, contentType };
  }
}

const eventStream = 'text/event-stream';

/** Whether the client accepts events; it must say so by their name, because nobody else could read them. */
export function takesEvents(accept: string | undefined): boolean {
  // Most clients do not name it, and need not be read for that.
  if (accept === undefined || !/event-stream/i.test(accept)) return false;
  return (readPreferences(accept).get(eventStream) ?? 0) > 0;
}

/** Whether it likes events better than either type of JSON, be the outcome one or many. */
export function prefersEvents(accept: string | undefined): boolean {
  if (accept === undefined || !takesEvents(accept)) return false;
  const preferences = readPreferences(accept);
  const weight = preferences.get(eventStream) ?? 0;
  return (
    weight > weightOf(preferences, 'application/graphql-response+json') &&
    weight > weightOf(preferences, 'application/json')
  );
}

/**
 * The type the client likes best, the newer one where it likes both alike; `undefined` when it accepts neither.
 */
export function chooseMediaType(accept: string | undefined): MediaType | undefined {
  if (accept === undefined || accept === '*/*' || accept.trim() === '') {
    return 'application/graphql-response+json';
  }
  const preferences = readPreferences(accept);
  const newer = weightOf(preferences, 'application/graphql-response+json');
  const older = weightOf(preferences, 'application/json');
  if (newer === 0 && older === 0) return undefined;
  return newer >= older ? 'application/graphql-response+json' : 'application/json';
}

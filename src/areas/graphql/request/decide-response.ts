/**
 * Chooses media type and status of a response: GraphQL over HTTP section 6, RFC 9110 section
 * 12.5.1.
 */

import { readPreferences, weightOf } from '#http/negotiation/read-preferences.js';

const newerType = 'application/graphql-response+json';
const olderType = 'application/json';
const eventStream = 'text/event-stream';

export type MediaType = typeof newerType | typeof olderType;

interface ResponseHead {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether clients of plain JSON get 200. */
  readonly isLenient?: true;
}

/**
 * Results of a request: `executed` has data, possibly null or partial; `rejected` is a GraphQL
 * request that was not executed; `subscription` needs a stream; `malformed` is not a GraphQL
 * request; `unavailable` can be sent again unchanged, because nothing was done. The last two were
 * not examined further. `persisted-query-not-found` has 200, as in Apollo Server: clients repeat
 * the request with the document.
 */
const heads = {
  executed: { status: 200 },
  rejected: { status: 400, isLenient: true },
  subscription: { status: 400, isLenient: true },
  malformed: { status: 400 },
  unavailable: { status: 503, headers: { 'retry-after': '1' } },
  'method-not-allowed': { status: 405, headers: { allow: 'POST' } },
  'not-acceptable': { status: 406 },
  'persisted-query-not-found': { status: 200 },
} satisfies Record<string, ResponseHead>;

export type OutcomeKind = keyof typeof heads;

export function decideResponse(mediaType: MediaType | undefined, outcome: OutcomeKind) {
  const { status, headers, isLenient }: ResponseHead = heads[outcome];
  // A client that accepts neither type still gets an explanation.
  const contentType = `${mediaType ?? newerType}; charset=utf-8`;
  return {
    status: isLenient && mediaType === olderType ? 200 : status,
    headers: { ...headers, 'content-type': contentType },
  };
}

/**
 * Returns whether the client accepts events by name, because wildcards do not prove that it can
 * parse them.
 */
export function takesEvents(accept: string | undefined): boolean {
  // Most clients do not name it, so the header is not parsed.
  if (accept === undefined || !/event-stream/i.test(accept)) return false;
  return (readPreferences(accept).get(eventStream) ?? 0) > 0;
}

/** Returns whether the client prefers events to both JSON types, for one or many results. */
export function prefersEvents(accept: string | undefined): boolean {
  if (!takesEvents(accept)) return false;
  const preferences = readPreferences(accept);
  const weight = preferences.get(eventStream) ?? 0;
  return weight > weightOf(preferences, newerType) && weight > weightOf(preferences, olderType);
}

/**
 * Returns the preferred type, the newer of equal ones; `undefined` if the client accepts neither.
 */
export function chooseMediaType(accept: string | undefined): MediaType | undefined {
  if (accept === undefined || accept === '*/*' || accept.trim() === '') return newerType;
  const preferences = readPreferences(accept);
  const newer = weightOf(preferences, newerType);
  const older = weightOf(preferences, olderType);
  if (newer === 0 && older === 0) return undefined;
  return newer >= older ? newerType : olderType;
}

/** Chooses the media type and status of a response: GraphQL over HTTP section 6, RFC 9110 section 12.5.1. */

import { readPreferences, weightOf } from '../../../http/negotiation/read-preferences.js';

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
 * How a request went: `executed` has data, be it null or partial; `refused` is a GraphQL request that
 * was not executed; `subscription` is one that needs a stream; `malformed` is no GraphQL request;
 * `unavailable` can be sent again as it is, because nothing came of it; the last two were not even looked
 * into. `persisted-query-not-found` has 200, as Apollo Server has it: clients repeat the request with the document.
 */
const heads = {
  executed: { status: 200 },
  refused: { status: 400, isLenient: true },
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
  // A client that accepts neither type still gets to read why.
  const contentType = `${mediaType ?? newerType}; charset=utf-8`;
  return {
    status: isLenient && mediaType === olderType ? 200 : status,
    headers: { ...headers, 'content-type': contentType },
  };
}

/** Whether the client accepts events; it must say so by their name, because nobody else could read them. */
export function takesEvents(accept: string | undefined): boolean {
  // Most clients do not name it, and need not be read for that.
  if (accept === undefined || !/event-stream/i.test(accept)) return false;
  return (readPreferences(accept).get(eventStream) ?? 0) > 0;
}

/** Whether it likes events better than either type of JSON, be the outcome one or many. */
export function prefersEvents(accept: string | undefined): boolean {
  if (!takesEvents(accept)) return false;
  const preferences = readPreferences(accept);
  const weight = preferences.get(eventStream) ?? 0;
  return weight > weightOf(preferences, newerType) && weight > weightOf(preferences, olderType);
}

/**
 * The type the client likes best, the newer one where it likes both alike; `undefined` when it accepts neither.
 */
export function chooseMediaType(accept: string | undefined): MediaType | undefined {
  if (accept === undefined || accept === '*/*' || accept.trim() === '') return newerType;
  const preferences = readPreferences(accept);
  const newer = weightOf(preferences, newerType);
  const older = weightOf(preferences, olderType);
  if (newer === 0 && older === 0) return undefined;
  return newer >= older ? newerType : olderType;
}

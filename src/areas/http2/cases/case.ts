/** A case as one value: what the server does, and how the client's reaction is read. */

import type { CaseText, SomeOf } from '#kit/misbehaviour/misbehaviour.js';
import { cite } from '#kit/verdict/citations.js';
import type { Settings } from '../frames/frames.js';

/** Bytes, a pause in milliseconds, a round trip of a PING, or the end of the connection. */
export type Move = Buffer | number | 'ping' | 'end';
export type Moves = readonly [Move, ...Move[]];

/** `stream` has the request; `settings` are the settings of the client. */
export type Script = Moves | ((stream: number, settings: Settings) => Moves);

interface Effects {
  /** The first bytes of the server, in place of its SETTINGS. */
  readonly preface: Script;
  /** Follows the SETTINGS and the request. */
  readonly send: Script;
  /** Frames of the client that are never acknowledged. */
  readonly withholds: 'settings' | 'ping';
}

/** With `may`, rejecting and accepting are both right. */
export const levels = ['must', 'should', 'may'] as const;

/** How the reaction is read. */
export type Expected =
  /** It ends the connection. */
  | 'connection-error'
  /** It resets the stream, or ends the connection. */
  | 'stream-error'
  /** It continues as usual. */
  | 'accepted'
  | 'anything'
  /** It sends no RST_STREAM after ours. */
  | 'no-reset'
  /** It acknowledges a PING with the same bytes. */
  | 'same-ping'
  | 'within-window'
  /** It opens no further stream meanwhile. */
  | 'no-new-stream'
  /** Its next request on the connection has a right field block. */
  | 'next-request'
  /** It does not repeat the request soon. */
  | 'not-repeated'
  /** Only the report of the test decides. */
  | 'report';

interface Place {
  readonly level: (typeof levels)[number];
  readonly expected: Expected;
  /** The part of the response that the case sends. Default: nothing. */
  readonly sent?: 'headers' | 'all';
  /** Without one, any method. */
  readonly method?: 'POST';
  /** Least size of the body of the request, which keeps the stream open. */
  readonly bodyBytes?: number;
  /** Requests that the client sends: at once, or with the same connection. */
  readonly requests?: number;
  /** Returns why this client cannot meet it. */
  readonly lacks?: (settings: Settings) => string | undefined;
  /** A PING would be part of the fault. */
  readonly isUnprobed?: true;
  /** The size of a table that the client has reduced is not sent. */
  readonly sendsNoSize?: true;
}

/** A case without an effect does not compile. */
export type Case = CaseText & Place & SomeOf<Effects>;
export type Cases = Readonly<Record<string, Case>>;
export type More = Partial<Place> & { readonly rightClient?: string };

type Section = Parameters<typeof cite<'RFC 9113'>>[1] | `RFC ${string}`;

/** A number without a standard is of RFC 9113. */
export const sectionOf = (section: Section) =>
  section.startsWith('RFC') ? section : cite('RFC 9113', section as '6.1');
const of = (citation: string) => citation as `RFC ${string}`;
export const hpack = (section: Parameters<typeof cite<'RFC 7541'>>[1]) =>
  of(cite('RFC 7541', section));
export const http = (section: Parameters<typeof cite<'RFC 9110'>>[1]) =>
  of(cite('RFC 9110', section));

const maker =
  (expected: Expected, level: Case['level'], rightClient: string) =>
  (section: Section, what: string, send: Script, more: More = {}) => ({
    ...{ what, rightClient, section: sectionOf(section), level, expected, send },
    ...more,
  });

export const closes = maker('connection-error', 'must', 'It ends the connection.');
export const resets = maker('stream-error', 'must', 'It resets the stream.');
export const accepts = maker('accepted', 'must', 'It accepts the response.');
export const either = maker('anything', 'may', 'It may accept or reject it.');
export const repeats = maker('not-repeated', 'should', 'It does not repeat the request by itself.');
export const waits = maker('within-window', 'must', 'It sends no more than the window.');

/** The windows of the lab do not open, so that the request stays open. */
export const openBody = { method: 'POST', bodyBytes: 100_000 } as const;
export const headersSent = { sent: 'headers' } as const;
export const allSent = { sent: 'all' } as const;
export const openAllSent = { ...openBody, ...allSent } as const;

/** Finds the exchange that a request repeats or continues. */

import { type Arrival, isAfterResponse, orderOf } from '#kit/verdict/exchange.js';
import type { Conversation, ToolResult, Turn } from '../messages/conversation.js';
import { nextMessage } from '../streams/played-case.js';
import {
  type CutCall,
  callDigest,
  digestsOf,
  type Exchange,
  extendsTurn,
  wholeDigest,
} from './history.js';

/** A request and its arrival. */
export interface Sent {
  readonly conversation: Pick<Conversation, 'turns'>;
  /** See {@link Exchange.sent}. */
  readonly sent: string;
  readonly arrival: Arrival;
  /** Arrival by the clock of the sandbox. */
  readonly atMs: number;
}

/**
 * `whole`: a continuation has the whole completion. `left-out`: it has nothing of it. `believed`: it
 * has something else, and the user continues as a test does after a response. `open`: it has something
 * else, and the client may know that it is a fragment.
 */
export type Continued = 'whole' | 'left-out' | 'believed' | 'open';

export interface Relation {
  readonly kind: 'repeat' | 'continuation';
  readonly exchange: Exchange;
  /** Whether it is the same request, and not another one with the same prompt. */
  readonly isSame: boolean;
  readonly continued: Continued;
  /** Whether a tool result is for a call of the exchange. */
  readonly hasResult: boolean;
  /** Results for calls whose arguments were not whole. */
  readonly ofCut: readonly (ToolResult & { readonly call?: CutCall | undefined })[];
}

/** Exchanges whose last turn a request may extend; each costs a digest of the turn. */
const maxExtended = 2;

const nothing = { isSame: false, continued: 'left-out', hasResult: false, ofCut: [] } as const;

export function relate(sent: Sent, history: readonly Exchange[]): Relation | undefined {
  const { conversation, arrival } = sent;
  const digests = digestsOf(conversation);
  // Nothing that was sent before a response reacts to it.
  const known = history.filter(({ respondedAtMs }) => isAfterResponse(arrival, respondedAtMs));
  const begun = known.filter(({ turns, digest }) => digests[turns - 1] === digest);
  const repeated = begun.filter(({ turns }) => turns === conversation.turns.length);
  if (repeated.length > 0) return repeat(sent, repeated);
  const last = begun.at(-1);
  if (last !== undefined) return continuation(conversation, begun, last.turns);
  const extended = known
    .slice(-maxExtended)
    .findLast((each) => extendsTurn(conversation, digests, each));
  return extended && { kind: 'continuation', exchange: extended, ...nothing };
}

/** Among many equal requests, the earliest response that explains the repeat is the one. */
function repeat({ sent, atMs, arrival }: Sent, all: readonly Exchange[]): Relation | undefined {
  const open = all.filter(({ repeatedBy }) => repeatedBy === undefined);
  const same = open.filter((each) => each.sent === sent);
  const candidates = same.length > 0 ? same : open;
  const explains = ({ notBeforeMs = 0, mustNotRetry }: Exchange) =>
    notBeforeMs <= atMs + toleranceMs && mustNotRetry !== true;
  // A request that may have crossed the response has not ignored it.
  const isCertain = (each: Exchange) => orderOf(arrival, each) === 'after';
  const exchange = candidates.find(explains) ?? candidates.find(isCertain);
  return exchange && { kind: 'repeat', exchange, ...nothing, isSame: same.length > 0 };
}

/** Clocks and timers differ by this much. */
export const toleranceMs = 100;

/** Several requests may have had the same prompt: its completion decides. */
function continuation(
  { turns }: Pick<Conversation, 'turns'>,
  begun: readonly Exchange[],
  length: number,
): Relation | undefined {
  const further = turns.slice(length);
  const own = ownTurns(further);
  const whole = completionIn(own);
  const results = further.flatMap((turn) => turn.results ?? []);
  const called = new Set(own.flatMap(({ calls = [] }) => calls.map(({ id }) => id)));
  const isOf = ({ callIds = [] }: Exchange) => callIds.some((id) => called.has(id));
  const latest = begun.filter((each) => each.turns === length);
  const exchange =
    latest.findLast((each) => each.whole === whole) ?? latest.findLast(isOf) ?? latest.at(-1);
  if (exchange === undefined) return undefined;
  const ids = new Set(exchange.callIds);
  const ofCalls = results.filter(({ id }) => ids.has(id));
  const continued = exchange.whole === whole ? 'whole' : continuedAs(further, own);
  return {
    ...{ kind: 'continuation', exchange, isSame: false, continued },
    hasResult: ofCalls.length > 0,
    ofCut: cutResults(exchange, own, ofCalls),
  };
}

/** Returns the results for calls whose arguments the client has not had, and has not restored. */
function cutResults(
  exchange: Exchange,
  own: readonly Turn[],
  results: readonly ToolResult[],
): Relation['ofCut'] {
  const { cut = [], wholeCalls = [] } = exchange;
  const sent = own.flatMap(({ calls = [] }) => calls);
  const isRestored = (id: string) =>
    sent.some((call) => call.id === id && wholeCalls.includes(callDigest(call)));
  const isBroken = isBrokenInArguments(exchange);
  return results.flatMap((result) => {
    const { id } = result;
    const call = cut.find((each) => each.id === id);
    return call !== undefined || (isBroken && !isRestored(id)) ? [{ ...result, call }] : [];
  });
}

function continuedAs(further: readonly Turn[], own: readonly Turn[]): Continued {
  if (own.every(({ text, calls = [] }) => text === '' && calls.length === 0)) return 'left-out';
  const next = further[own.length];
  const isPlayed = next?.role === 'user' && next.text === nextMessage;
  return isPlayed && further.length === own.length + 1 ? 'believed' : 'open';
}

const isBrokenInArguments = ({ broken }: Exchange) =>
  broken?.nature === 'broken' && broken.at === 'arguments';

/** Some formats have an item for each part of a completion. */
function ownTurns(further: readonly Turn[]): readonly Turn[] {
  const end = further.findIndex(({ role }) => role !== 'assistant');
  return end < 0 ? further : further.slice(0, end);
}

function completionIn(own: readonly Turn[]): string {
  const text = own.map((turn) => turn.text).filter((each) => each !== '');
  return wholeDigest(
    text.join('\n'),
    own.flatMap(({ calls = [] }) => calls),
  );
}

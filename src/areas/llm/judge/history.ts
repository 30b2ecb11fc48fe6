/** The newest exchanges of a base URL, by which later requests are judged. */

import { hash } from 'node:crypto';
import type { Responded } from '#kit/verdict/exchange.js';
import type { TestCase } from '#kit/verdict/test-runs.js';
import type { Space } from '#state/state.js';
import type { Completion, Conversation, ToolCall, Turn } from '../messages/conversation.js';
import { needsNone } from '../model/needs-none.js';
import type { BreakingPlace, Nature } from '../streams/broken-stream.js';
import type { StreamName } from '../streams/cases.js';

export interface Broken {
  readonly name: StreamName;
  readonly at: BreakingPlace;
  readonly nature: Nature;
  /** Whether the stream has each call in one event. */
  readonly hasWholeCalls?: boolean;
}

/** A call whose arguments a client must not use. */
export interface CutCall {
  readonly id: string;
  /** A text that only an execution returns, if it is known. */
  readonly result?: string;
}

export interface Exchange extends Responded {
  readonly requestId: string;
  /** Digest of the body and the key; another client, or another seed, has another one. */
  readonly sent: string;
  /** Request that repeated it. Later ones repeat another exchange. */
  readonly repeatedBy?: string;
  /** Number of turns of the prompt, and their digest. */
  readonly turns: number;
  readonly digest: string;
  /** Length of the text of the last turn. */
  readonly textLength: number;
  /** Digest of the whole completion; absent if the request failed. */
  readonly whole?: string;
  readonly callIds?: readonly string[];
  /** Digests of the calls, if a stream was broken in their arguments. */
  readonly wholeCalls?: readonly string[];
  readonly cut?: readonly CutCall[];
  /** Id of a response that the stream did not complete. */
  readonly responseId?: string;
  readonly broken?: Broken;
  /** Whether parts of the completion were sent. */
  readonly hasContent?: boolean;
  /** Until then, a client should wait. */
  readonly notBeforeMs?: number;
  readonly mustNotRetry?: boolean;
}

/** By base URL: `open`, or a case of a run. */
export const historySpace: Space<readonly Exchange[]> = { name: 'llm-history', maxKeys: 200 };

export const maxExchanges = 20;
export const historyMs = 3600 * 1000;

export function historyKey(runCase: TestCase | undefined): string {
  return runCase === undefined ? 'open' : `${runCase.run}/${runCase.name}`;
}

/** Returns the digest of the first turn, of the first two, and so on. */
export function digestsOf({ turns }: Pick<Conversation, 'turns'>): readonly string[] {
  const known = digested.get(turns);
  if (known !== undefined) return known;
  let last = '';
  const digests = turns.map((turn) => {
    last = turnDigest(last, turn);
    return last;
  });
  digested.set(turns, digests);
  return digests;
}

/** By the turns, because several steps need the digests. */
const digested = new WeakMap<readonly Turn[], readonly string[]>();

function turnDigest(before: string, turn: Turn): string {
  return digest([before, turn.role, turn.text, callsOf(turn), turn.results ?? []]);
}

/**
 * Whether a request adds text to the last turn of an exchange. Some providers combine two messages
 * of a user, between which the completion is missing.
 */
export function extendsTurn(
  { turns }: Pick<Conversation, 'turns'>,
  digests: readonly string[],
  exchange: Exchange,
): boolean {
  const { turns: count, textLength, digest: known } = exchange;
  const turn = turns[count - 1];
  if (turn?.text[textLength] !== '\n') return false;
  const text = turn.text.slice(0, textLength);
  return turnDigest(digests[count - 2] ?? '', { ...turn, text }) === known;
}

const callsOf = ({ calls = [] }: Turn) =>
  calls.map(({ id, name, arguments: given }) => [id, name, normalized(given)]);

/** Returns the digest of a completion, as a client that sends it back writes it. */
export function wholeDigest(text: string, calls: readonly ToolCall[]): string {
  // Anthropic requires that the last turn of an assistant does not end with white space.
  return digest([text.trim(), callsOf({ role: 'assistant', text, calls })]);
}

export const callDigest = (call: ToolCall) =>
  digest(callsOf({ role: 'assistant', text: '', calls: [call] }));

export function wholeOf({ text, calls, refusal = '' }: Completion): string {
  return wholeDigest(text === '' ? refusal : text, calls);
}

/**
 * Returns the calls whose arguments are not JSON. Empty ones are right for a tool that needs none:
 * they are the ordinary stream of Anthropic.
 */
export function cutCallsOf(
  { calls }: Completion,
  { tools }: Pick<Conversation, 'tools'>,
): readonly CutCall[] {
  return calls
    .filter((call) => !isJson(call.arguments) && !(call.arguments === '' && needsNone(call, tools)))
    .map(({ id, result }) => ({ id, ...(result !== undefined && { result }) }));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Clients may write JSON with other spaces, and no arguments as an empty object. */
function normalized(text: string): string {
  if (text === '') return '{}';
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}

export function digest(value: unknown): string {
  return hash('sha256', JSON.stringify(value), 'base64url').slice(0, 22);
}

/** The newest exchanges of a base URL, by which later requests are judged. */

import { hash } from 'node:crypto';
import type { TestCase } from '../../../kit/verdict/test-runs.js';
import type { Space } from '../../../state/state.js';
import type { Completion, Conversation, ToolCall, Turn } from '../messages/conversation.js';
import type { BreakingPlace, Nature } from '../streams/broken-stream.js';
import type { StreamName } from '../streams/cases.js';

export interface Broken {
  readonly name: StreamName;
  readonly at: BreakingPlace;
  readonly nature: Nature;
}

export interface Exchange {
  readonly requestId: string;
  /** Number of turns of the prompt, and their digest. */
  readonly turns: number;
  readonly digest: string;
  /** Length of the text of the last turn. */
  readonly textLength: number;
  /** Digest of the whole completion; absent if the request failed. */
  readonly whole?: string;
  readonly callIds?: readonly string[];
  /** Calls whose arguments are not JSON. */
  readonly cutIds?: readonly string[];
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

export function wholeOf({ text, calls, refusal = '' }: Completion): string {
  return wholeDigest(text === '' ? refusal : text, calls);
}

/** Returns the calls whose arguments are not whole. */
export function cutIdsOf({ calls }: Completion): readonly string[] {
  return calls.filter((call) => !isJson(call.arguments)).map(({ id }) => id);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Clients may write JSON with other spaces. */
function normalized(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}

function digest(value: unknown): string {
  return hash('sha256', JSON.stringify(value), 'base64url').slice(0, 22);
}

/** Finds the exchange that a request repeats or continues, and what the request says about it. */

import type { Conversation, ToolResult, Turn } from '../messages/conversation.js';
import { brokenStream } from '../streams/cases.js';
import { digestsOf, type Exchange, extendsTurn, wholeDigest } from './history.js';
import type { RuleName } from './rules.js';

export interface Relation {
  readonly kind: 'repeat' | 'continuation';
  readonly exchange: Exchange;
  /** Whether a continuation has the whole completion. */
  readonly isWhole: boolean;
  /** Whether a tool result is for a call of the exchange. */
  readonly hasResult: boolean;
  /** Results for calls whose arguments were not whole. */
  readonly ofCut: readonly ToolResult[];
}

/** Exchanges whose last turn a request may extend; each costs a digest of the turn. */
const maxExtended = 2;

const nothing = { isWhole: false, hasResult: false, ofCut: [] } as const;

export function relate(
  conversation: Conversation,
  history: readonly Exchange[],
): Relation | undefined {
  const digests = digestsOf(conversation);
  const exchange =
    history.findLast((each) => digests[each.turns - 1] === each.digest) ??
    history.slice(-maxExtended).findLast((each) => extendsTurn(conversation, digests, each));
  if (exchange === undefined) return undefined;
  if (digests[exchange.turns - 1] !== exchange.digest) {
    return { kind: 'continuation', exchange, ...nothing };
  }
  const further = conversation.turns.slice(exchange.turns);
  if (further.length === 0) {
    return { kind: 'repeat', exchange, ...nothing };
  }
  const { callIds = [], whole } = exchange;
  const isWhole = whole === completionIn(further);
  const ids = new Set(callIds);
  const own = further.flatMap(({ results = [] }) => results.filter(({ id }) => ids.has(id)));
  const isCut = (id: string) => isBrokenInArguments(exchange) || exchange.cutIds?.includes(id);
  const ofCut = own.filter(({ id }) => isCut(id));
  return { kind: 'continuation', exchange, isWhole, hasResult: own.length > 0, ofCut };
}

const isBrokenInArguments = ({ broken }: Exchange) =>
  broken?.nature === 'broken' && broken.at === 'arguments';

/** Returns whether results report invalid arguments; `undefined` if the texts may mean it. */
function reportErrors(results: readonly ToolResult[]): boolean | undefined {
  const unclear = results.filter(({ isError, text }) => !isError && !errorStart.test(text));
  if (unclear.length === 0) return true;
  return unclear.some(({ text }) => errorWords.test(text)) ? undefined : false;
}

/** Beginnings of the results that SDKs send for invalid arguments. */
const errorStart =
  /^[\s\W]*(?:"?error|invalid|failed|failure|exception|cannot|can't|could not|unable|malformed|unexpected)/i;
const errorWords =
  /\b(?:error|invalid|failed|failure|exception|cannot|could not|parse|malformed|unexpected)\b/i;

/** Some formats have an item for each part of a completion. */
function completionIn(further: readonly Turn[]): string {
  const end = further.findIndex(({ role }) => role !== 'assistant');
  const own = end < 0 ? further : further.slice(0, end);
  const text = own.map((turn) => turn.text).filter((each) => each !== '');
  return wholeDigest(
    text.join('\n'),
    own.flatMap(({ calls = [] }) => calls),
  );
}

export interface Judged {
  readonly outcome?: 'handled' | 'mishandled';
  readonly evidence: string;
}

/** Judges what a client did with a broken or odd stream; the outcome is absent without evidence. */
export function judgeStream(relation: Relation): Judged {
  const { kind, exchange, isWhole, ofCut } = relation;
  const { broken } = exchange;
  if (broken === undefined) return { evidence: '' };
  const { nature } = broken;
  const { arguments: changesArguments, isRestorable } = brokenStream(broken.name);
  if (kind === 'repeat') {
    if (nature === 'odd') return { evidence: '' };
    return { outcome: 'handled', evidence: 'The client sent the request again.' };
  }
  if (nature === 'either') return { evidence: '' };
  const mishandled = { outcome: 'mishandled' } as const;
  const isError = ofCut.length > 0 ? reportErrors(ofCut) : undefined;
  if (isError === true) {
    return { outcome: 'handled', evidence: 'The tool result reports invalid arguments.' };
  }
  if (changesArguments) {
    if (isError === undefined) return { evidence: '' };
    return { ...mishandled, evidence: 'A tool result is for arguments that never were whole.' };
  }
  if (nature === 'odd') {
    return isWhole
      ? { outcome: 'handled', evidence: 'The client continued with the whole completion.' }
      : {
          ...mishandled,
          evidence: 'The client continued with another completion.',
        };
  }
  return isWhole && isRestorable
    ? { outcome: 'handled', evidence: 'The client continued with the right completion.' }
    : { ...mishandled, evidence: 'The client continued with the fragment.' };
}

/** `undefined`: the rule is not about this request. */
export type Checks = Readonly<Partial<Record<RuleName, boolean | undefined>>>;

/** Returns which rules a request keeps, and which it breaks. */
export function checkRules(relation: Relation, retries: number, nowMs: number): Checks {
  const { kind, exchange, hasResult, isWhole, ofCut } = relation;
  const { broken, notBeforeMs, mustNotRetry, hasContent, whole } = exchange;
  const stream = broken && brokenStream(broken.name);
  const ofStream = stream?.rule && { [stream.rule]: kind === 'repeat' };
  if (kind === 'continuation') {
    const isRestored = isWhole && stream !== undefined && !stream.arguments;
    const hasRun = ofCut.length > 0 && !isRestored ? reportErrors(ofCut) : true;
    return {
      ...(hasResult && { 'tool-arguments-whole': hasRun, 'tool-ids-pair': true }),
      ...ofStream,
    };
  }
  const isAutomatic = retries > 0;
  // A user may repeat a request by hand.
  const isForbidden = mustNotRetry === true && isAutomatic;
  const isTold = notBeforeMs !== undefined || isForbidden;
  const isEarly = notBeforeMs !== undefined && nowMs + toleranceMs < notBeforeMs;
  return {
    ...(isTold && { 'waits-as-told': !isEarly && !isForbidden }),
    ...ofStream,
    ...(whole !== undefined && hasContent && { 'no-retry-after-content': !isAutomatic }),
  };
}

/** Clocks and timers differ by this much. */
const toleranceMs = 100;

/** The current challenge of a sandbox, as a fold over its exchanges. */

import type { Exchange } from '#kit/recording/exchange-record.js';
import type { Challenge, Memo, Step } from './challenge.js';

/** The state of a started challenge; small, whatever the client sends. */
export interface Attempt {
  readonly id: string;
  readonly startedAtMs: number;
  /** Index of the next step. */
  readonly step: number;
  readonly memo: Memo;
  /** The lack of the last request that concerned the step. */
  readonly lack?: string;
  /** Reason why no request counts any more. */
  readonly spoilt?: string;
  /** Whether a request of the client is that reason. */
  readonly isBroken?: true;
  /** Ids of the requests that counted. */
  readonly evidence: readonly string[];
}

const maxEvidence = 20;
const maxKeptLength = 200;
/** The newest notes are kept. */
const maxNotes = 20;
const maxOthers = 10;

export function startAttempt(id: string, startedAtMs: number): Attempt {
  return { id, startedAtMs, step: 0, memo: {}, evidence: [] };
}

export function isSolved({ step }: Attempt, { steps }: Challenge): boolean {
  return step >= steps.length;
}

/** Returns the same attempt if the exchange does not concern it. */
export function advance(before: Attempt, challenge: Challenge, exchange: Exchange): Attempt {
  const { steps } = challenge;
  const step = steps[before.step];
  if (step === undefined || before.spoilt !== undefined) return before;
  const spoilt = spoiltBy(exchange, challenge);
  if (spoilt !== undefined) return { ...before, spoilt };
  const lack = lackOf(step, exchange, before.memo);
  const limit = limitOf(step, exchange, before.memo);
  const attempt = noted(before, challenge, exchange);
  if (limit !== undefined) {
    return { ...attempt, spoilt: `${limit} Start the challenge again.`, isBroken: true };
  }
  if (lack === '') return taken(attempt, step, exchange);
  for (let index = attempt.step - 1; index >= 0; index--) {
    const earlier = steps[index];
    if (earlier?.keep === undefined || earlier.isDone !== undefined) continue;
    if (lackOf(earlier, exchange, attempt.memo) !== '') continue;
    const again = taken({ ...attempt, step: index }, earlier, exchange);
    return lack === undefined ? again : { ...again, lack };
  }
  return lack === undefined ? attempt : { ...attempt, lack };
}

/** Keeps what the challenge notes of any exchange. */
function noted(attempt: Attempt, { notes = [] }: Challenge, exchange: Exchange): Attempt {
  const found = notes.filter(({ on }) => concerns(on, exchange));
  if (found.length === 0) return attempt;
  const memo = found.reduce((kept, { keep }) => keep(exchange, kept), attempt.memo);
  return { ...attempt, memo: cutMemo(memo) };
}

function taken(attempt: Attempt, step: Step, exchange: Exchange): Attempt {
  const memo = cutMemo(step.keep?.(exchange, attempt.memo) ?? attempt.memo);
  const isDone = step.isDone?.(memo) ?? true;
  const { lack, ...rest } = attempt;
  return {
    ...rest,
    memo,
    step: isDone ? attempt.step + 1 : attempt.step,
    evidence: [...attempt.evidence, exchange.requestId].slice(-maxEvidence),
  };
}

function cutMemo(memo: Memo): Memo {
  const entries = Object.entries(memo);
  const isNote = ([name]: readonly [string, string]) => name.includes(' ');
  const others = entries.filter((each) => !isNote(each)).slice(0, maxOthers);
  const kept = [...others, ...entries.filter(isNote).slice(-maxNotes)];
  return Object.fromEntries(kept.map(([name, value]) => [name, value.slice(0, maxKeptLength)]));
}

/** Returns an empty text if nothing is lacking, and `undefined` if the step is not concerned. */
function lackOf({ on, checks }: Step, exchange: Exchange, memo: Memo): string | undefined {
  if (!concerns(on, exchange)) return undefined;
  return checks.find(([holds]) => !holds(exchange, memo))?.[1] ?? '';
}

/** Returns what a request did after which no other counts. */
function limitOf({ on, limits = [] }: Step, exchange: Exchange, memo: Memo): string | undefined {
  if (!concerns(on, exchange)) return undefined;
  return limits.find(([holds]) => !holds(exchange, memo))?.[1];
}

function concerns(on: string, { method, route, path }: Exchange): boolean {
  const [methods = '', place = ''] = on.split(' ');
  if (methods !== '*' && !methods.split('|').includes(method)) return false;
  return place.split('|').some((each) => each === route || (route === '' && each === path));
}

function spoiltBy({ method, route, status }: Exchange, challenge: Challenge): string | undefined {
  if (status >= 400) return undefined;
  if (method === 'PUT' && route === '/api/sandbox/clock' && !challenge.isClockFree) {
    return 'The clock of the sandbox was moved, which this challenge does not allow. Start it again.';
  }
  const isPlan = route === '/api/sandbox/faults' && (method === 'PUT' || method === 'DELETE');
  if (isPlan && challenge.faults !== undefined) {
    return 'The faults of this challenge were changed. Start it again.';
  }
  return undefined;
}

/**
 * Returns what the last request lacked; before the first attempt, the goal. Empty for a solved
 * challenge.
 */
export function missingOf(
  attempt: Attempt | undefined,
  { steps, goal }: Challenge,
): readonly string[] {
  if (attempt === undefined) return ['Start the challenge: requests count from then on.'];
  const { spoilt, lack, step } = attempt;
  if (spoilt !== undefined) return [spoilt];
  if (step >= steps.length) return [];
  if (lack !== undefined) return [lack];
  if (attempt.evidence.length === 0) return [goal];
  return [`Requests so far count: ${step} of ${steps.length} parts are done. ${goal}`];
}

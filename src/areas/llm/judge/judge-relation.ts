/** Judges a request by the exchange that it repeats or continues. */

import type { Observed } from '../plan/runs.js';
import { brokenStream } from '../streams/cases.js';
import { codeOf } from '../streams/played-case.js';
import type { Broken } from './history.js';
import { type Relation, type Sent, toleranceMs } from './relate.js';
import type { RuleName } from './rules.js';

/** Knowledge about results for arguments that were not whole: only structure counts, never words. */
type Ran = 'executed' | 'reported' | 'unclear';

function ranOf({ exchange: { broken }, ofCut }: Relation): Ran | undefined {
  if (ofCut.length === 0) return undefined;
  const code = broken && codeOf(broken);
  const isOfRun = ({ text, call, isError }: Relation['ofCut'][number]) =>
    isError !== true &&
    [code, call?.result].some((each) => each !== undefined && each !== '' && text.includes(each));
  if (ofCut.some(isOfRun)) return 'executed';
  return ofCut.every(({ isError }) => isError === true) ? 'reported' : 'unclear';
}

const ofResults: Readonly<Record<Ran, Observed>> = {
  executed: {
    outcome: 'mishandled',
    isCertain: true,
    evidence: 'A tool result shows that the tool ran with arguments that never were whole.',
  },
  reported: { outcome: 'handled', evidence: 'The tool result is marked as an error.' },
  unclear: {
    outcome: 'unclear',
    evidence: 'The tool result is no error, and not what the case says that the tool returns.',
  },
};

/** Judges what a client did with a broken or odd stream; `undefined` without evidence. */
export function judgeStream(relation: Relation): Observed | undefined {
  const { kind, exchange, continued } = relation;
  const { broken } = exchange;
  if (broken === undefined) return undefined;
  const { arguments: changesArguments, isRestorable } = brokenStream(broken.name);
  if (kind === 'repeat') {
    if (broken.nature === 'odd') return undefined;
    return { outcome: 'handled', evidence: 'The client sent the request again.' };
  }
  if (broken.nature === 'either') return undefined;
  const isOdd = broken.nature === 'odd';
  if (continued === 'whole' && (isOdd || isRestorable)) {
    return { outcome: 'handled', evidence: 'The client continued with the whole completion.' };
  }
  const ran = ranOf(relation);
  if (ran !== undefined) return ofResults[ran];
  return changesArguments ? undefined : judgeContent(relation, isOdd, hasNothing(broken));
}

/** Whether a stream that breaks there has no content. */
const hasNothing = ({ at, hasWholeCalls }: Broken) =>
  at === 'start' || (at === 'arguments' && hasWholeCalls === true);

function judgeContent(
  { continued }: Relation,
  isOdd: boolean,
  isFromStart: boolean,
): Observed | undefined {
  if (continued === 'left-out') {
    if (isOdd || isFromStart) {
      return { outcome: 'unclear', evidence: 'The client continued without a completion.' };
    }
    return { outcome: 'handled', evidence: 'The client continued without the fragment.' };
  }
  const what = isOdd ? 'another completion' : 'the fragment';
  const isBelieved = continued === 'believed' || continued === 'whole';
  return isBelieved
    ? { outcome: 'mishandled', evidence: `The client continued with ${what}.` }
    : { outcome: 'either', evidence: `The client continued with ${what}, perhaps knowingly.` };
}

/** `true`: the rule was kept. A text is the observation that would decide. `undefined`: not reached. */
export type Check = boolean | { readonly decidedBy: string } | undefined;
export type Checks = Readonly<Partial<Record<RuleName, Check>>>;

export interface Repetition {
  /** Whether an SDK has repeated the request, as a header of it says. */
  readonly isAutomatic: boolean;
  /** Whether the documentation of the provider demands to wait as told. */
  readonly isWaitDemanded: boolean;
}

/** Returns what a request says about each rule. */
export function checkRules(relation: Relation, sent: Sent, repetition: Repetition): Checks {
  const { isAutomatic } = repetition;
  const waits = checkWait(relation, sent, repetition);
  const ofAll = { ...(waits !== undefined && { 'waits-as-told': waits }), ...ofError(relation) };
  if (relation.kind === 'continuation') return { ...ofAll, ...ofTools(relation) };
  const { broken, hasContent, whole } = relation.exchange;
  // The plan tells clients to repeat a broken stream.
  const isOwnEnd = broken === undefined && whole !== undefined && hasContent === true;
  return {
    ...ofAll,
    ...(isOwnEnd && relation.isSame && { 'no-retry-after-content': !isAutomatic }),
  };
}

function ofTools(relation: Relation): Checks {
  const { exchange, continued, hasResult } = relation;
  if (!hasResult) return {};
  const { broken } = exchange;
  const isRestorable = broken !== undefined && brokenStream(broken.name).isRestorable === true;
  const ran = continued === 'whole' && isRestorable ? 'reported' : (ranOf(relation) ?? 'reported');
  const decidedBy =
    'A result that is marked as an error, or a text that only an execution returns.';
  const whole = ran === 'unclear' ? { decidedBy } : ran === 'reported';
  return { 'tool-arguments-whole': whole, 'tool-ids-pair': true };
}

function ofError({ kind, exchange: { broken }, continued }: Relation): Checks {
  const rule = broken && brokenStream(broken.name).rule;
  if (broken === undefined || rule === undefined) return {};
  if (kind === 'repeat') return { [rule]: true };
  if (continued === 'left-out') return hasNothing(broken) ? {} : { [rule]: true };
  const decidedBy = 'Whether the client knows that it continues a fragment.';
  return { [rule]: continued === 'open' ? { decidedBy } : false };
}

function checkWait(
  { kind, exchange, isSame }: Relation,
  { atMs }: Sent,
  { isAutomatic, isWaitDemanded }: Repetition,
): Check {
  const { notBeforeMs, mustNotRetry } = exchange;
  // A user may repeat a request by hand.
  const isForbidden = mustNotRetry === true && isAutomatic;
  const isEarly = notBeforeMs !== undefined && atMs + toleranceMs < notBeforeMs;
  if (!isEarly && !isForbidden) {
    return notBeforeMs !== undefined && kind === 'repeat' ? true : undefined;
  }
  if (!isSame) return { decidedBy: 'The same request again; this one differs.' };
  return isWaitDemanded
    ? false
    : { decidedBy: 'A documentation of the provider that demands the wait.' };
}

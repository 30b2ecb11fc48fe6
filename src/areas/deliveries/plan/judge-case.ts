/** Judges what a receiver did with the deliveries of a case. */

import { outcomeAgainst, type RuleLevel, type RuleOutcome } from '#kit/verdict/verdict.js';
import { isSuccess } from '../model/queue.js';

/** The response to a delivery, as the program that sent it reports it. */
export interface Response {
  /** Null without a response. */
  readonly status: number | null;
  readonly ms: number;
  readonly error?: string | undefined;
}

/** A record that the receiver wrote in the sandbox, with the id of an event of the case in it. */
export interface Written {
  /** Number of the part whose event it names. */
  readonly part: number;
  readonly isCreated: boolean;
  /** The record, and its collection. */
  readonly object: string;
}

export interface Seen {
  readonly level: RuleLevel;
  /** The response to each part. */
  readonly responses: readonly Response[];
  readonly written: readonly Written[];
  /** Whether a right delivery was accepted; `undefined` if there was none. */
  readonly acceptsValid: boolean | undefined;
}

export interface Finding {
  readonly outcome: RuleOutcome;
  readonly says: string;
  /** Whether no right receiver can cause it. */
  readonly isCertain?: true;
  readonly decidedBy?: string;
}

export type JudgeCase = (seen: Seen) => Finding;

const byRecordOrReport =
  'A record for each event, with the id of the event in a field, or a PUT of the outcome.';

/** The finding where no right receiver does the same. */
const against = ({ level }: Seen, says: string): Finding => ({
  outcome: outcomeAgainst(level),
  says,
  isCertain: true,
});

const kept = (says: string): Finding => ({ outcome: 'kept', says, isCertain: true });

/** The finding where a right receiver would do better. */
const unwise = (says: string): Finding => ({ outcome: 'against-advice', says, isCertain: true });

const says = ({ status, error = 'no response' }: Response) =>
  status === null ? error : `status ${status}`;

const last = ({ responses }: Seen): Response =>
  responses.at(-1) ?? { status: null, ms: 0, error: 'no delivery' };

/** Judges the status of the last response, and what it says. Without a response, a case is unclear. */
const byStatus =
  (judge: (status: number, said: string, seen: Seen) => Finding): JudgeCase =>
  (seen) => {
    const response = last(seen);
    const said = says(response);
    if (response.status !== null) return judge(response.status, said, seen);
    return { outcome: 'unclear', says: said, decidedBy: 'A response of the receiver.' };
  };

/** Statuses of a receiver that is right, and busy at present. */
const busy: readonly number[] = [429, 503];

export const mustAccept = byStatus((status, said, seen) => {
  if (isSuccess(status)) return kept(said);
  if (!busy.includes(status)) return against(seen, said);
  return { outcome: 'unclear', says: said, decidedBy: 'A receiver that is not busy.' };
});

export const mustReject = byStatus((status, said, seen) => {
  if (isSuccess(status)) return against(seen, said);
  if (seen.acceptsValid !== true) {
    const decidedBy = 'A right delivery that the receiver accepts.';
    return { outcome: 'unclear', says: `${said}, as to a right delivery`, decidedBy };
  }
  if (status >= 400 && status < 500) return kept(said);
  return unwise(`${said}; 400 or 401 would tell the sender why`);
});

/** Accepts success and some statuses. Others of 4xx are against advice, and failures of the receiver as well. */
export const mustNotFail = (allowed: readonly number[]) =>
  byStatus((status, said) =>
    isSuccess(status) || allowed.includes(status) ? kept(said) : unwise(said),
  );

export const mustNotRedirect = byStatus((status, said, seen) =>
  status >= 300 && status < 400 ? against(seen, said) : kept(said),
);

export const mustBeFast =
  (workMs: number): JudgeCase =>
  (seen) => {
    const response = last(seen);
    const { status, ms } = response;
    const text = `${says(response)} after ${ms} ms`;
    if (ms >= workMs) {
      return { outcome: outcomeAgainst(seen.level), says: `${text}, as long as the work` };
    }
    if (isSuccess(status)) return { outcome: 'kept', says: text };
    return { outcome: 'unclear', says: says(response), decidedBy: 'A response of 2xx.' };
  };

const mustRespondToRepetition = byStatus((status, said, { written }) => {
  if (!isSuccess(status)) {
    return unwise(`${said} to a repeated event, which the sender then repeats again`);
  }
  if (written.some(({ isCreated }) => isCreated)) {
    return { outcome: 'kept', says: 'one record for one event' };
  }
  return { outcome: 'unclear', says: 'no record of the event', decidedBy: byRecordOrReport };
});

export const mustWorkOnce: JudgeCase = (seen) => {
  const created = seen.written.filter(({ isCreated }) => isCreated).length;
  if (created > 1) return against(seen, `${created} records for one event`);
  return mustRespondToRepetition(seen);
};

/** The first part is the newer version. */
export const mustKeepOrder: JudgeCase = (seen) => {
  const { written } = seen;
  const newest = written.filter(({ part }) => part === 0);
  const replaced = written.some(
    ({ part, object }, index) =>
      part === 1 &&
      written.slice(0, index).some((each) => each.part === 0 && each.object === object) &&
      !written.slice(index).some((each) => each.part === 0 && each.object === object),
  );
  if (replaced) return against(seen, 'the older version replaced the newer one');
  const rejected = seen.responses.find(({ status }) => status !== null && !isSuccess(status));
  if (rejected !== undefined) {
    return unwise(`${says(rejected)} to a right delivery, which the sender then repeats`);
  }
  if (newest.length > 0 && newest.length === written.length) {
    return { outcome: 'kept', says: 'only the newer version was written' };
  }
  const text = written.length === 0 ? 'no record of the events' : 'a record for each version';
  return { outcome: 'unclear', says: text, decidedBy: byRecordOrReport };
};

/**
 * The queue of a subscription: its deliveries that are not settled, up to a position in the log of its events. All
 * functions are pure.
 */

import type { WaitingEvent } from '#state/events/publish-event.js';
import type { LogEntry } from '#state/state.js';

/** Why a receiver may get a delivery again, although no failure was reported. */
export type Repetition = 'unreported' | 'redelivery' | 'replay';

export interface OpenDelivery {
  /** The sequence of its entry in the log. */
  readonly sequence: number;
  /** A later delivery of the object waits until this one is settled. */
  readonly object: string;
  /** Attempts that were reported. */
  readonly attempts: number;
  /** By the clock of the sandbox; 0 for at once. */
  readonly nextAtMs: number;
  /** Number of the event that handed it to the listener. */
  readonly handout?: number;
  /** Until when a client that polled has it, by real time. */
  readonly lentUntilMs?: number;
  /** In Unix seconds of real time. */
  readonly signedAt?: number;
  readonly repeated?: Repetition;
  /** Differs after a redelivery or a replay, so that no report of an earlier attempt counts. */
  readonly round?: string;
  /** Tests of receivers have one attempt. */
  readonly isTest?: true;
}

/** The listener that has the deliveries. Times are real. */
export interface Listener {
  readonly id: string;
  /** Its newest connection; earlier ones end. */
  readonly connection: number;
  readonly untilMs: number;
  /** The process that it is connected to. */
  readonly process: string;
}

export interface Queue {
  /** Sequence of the last entry of the log that was added to the queue. */
  readonly position: number;
  /** Deliveries up to this sequence may have arrived before they are added. */
  readonly repeatedTo: number;
  /** Id of the newest replay. */
  readonly round?: string;
  readonly handouts: number;
  readonly listener?: Listener;
  /** The process in which the subscription was created. */
  readonly process?: string;
  /** Deliveries in a row whose schedule ran out. */
  readonly failures: number;
  /** In the order of their sequences. */
  readonly open: readonly OpenDelivery[];
}

export const emptyQueue: Queue = {
  position: 0,
  repeatedTo: 0,
  handouts: 0,
  failures: 0,
  open: [],
};

/** A receiver with this many failing deliveries gets the next ones only after them. */
export const maxOpen = 1000;

/** Adds entries of the log that follow the position. */
export function takeIn(queue: Queue, entries: readonly LogEntry<WaitingEvent>[]): Queue {
  const next = entries.filter(({ sequence }) => sequence > queue.position);
  if (next.length === 0) return queue;
  // A delivery that was redelivered before its turn is known already.
  const known = new Set(queue.open.map(({ sequence }) => sequence));
  const unknown = next.filter(({ sequence }) => !known.has(sequence));
  const added = unknown.map(
    ({ sequence, item: { object, test } }): OpenDelivery => ({
      ...{ sequence, object, attempts: 0, nextAtMs: 0 },
      ...(sequence <= queue.repeatedTo && repetitionOf(queue)),
      ...(test !== undefined && { isTest: true as const }),
    }),
  );
  return {
    ...queue,
    position: next.at(-1)?.sequence ?? queue.position,
    open: [...queue.open, ...added].sort((a, b) => a.sequence - b.sequence),
  };
}

function repetitionOf({ round }: Queue): Pick<OpenDelivery, 'repeated' | 'round'> {
  return round === undefined ? { repeated: 'unreported' } : { repeated: 'replay', round };
}

export interface Clocks {
  /** By the clock of the sandbox. */
  readonly nowMs: number;
  readonly realMs: number;
  /** Whether the connected listener asks, which keeps what it has. */
  readonly isListener?: true;
}

/** Returns the deliveries that are due and that no other program has: of each object, only the first. */
export function dueIn(
  { open, listener }: Queue,
  { nowMs, realMs, isListener }: Clocks,
): readonly OpenDelivery[] {
  const listenerUntilMs = isListener ? Number.POSITIVE_INFINITY : (listener?.untilMs ?? 0);
  const blocked = new Set<string>();
  return open.filter((delivery) => {
    const { object, nextAtMs, handout, lentUntilMs = 0, repeated } = delivery;
    const isFree = repeated === 'redelivery' || !blocked.has(object);
    blocked.add(object);
    const hadUntilMs = handout === undefined ? lentUntilMs : listenerUntilMs;
    return isFree && hadUntilMs <= realMs && nextAtMs <= nowMs;
  });
}

/** Returns whether time makes further deliveries due. */
export function waitsForTime({ open }: Queue, nowMs: number): boolean {
  return open.some(({ nextAtMs, lentUntilMs }) => nextAtMs > nowMs || lentUntilMs !== undefined);
}

/** Frees a delivery from the program that has it. Without a report, it may have arrived. */
function freed({ handout, lentUntilMs, ...delivery }: OpenDelivery): OpenDelivery {
  const mayHaveArrived = handout !== undefined || lentUntilMs !== undefined;
  return { ...delivery, ...(mayHaveArrived && { repeated: delivery.repeated ?? 'unreported' }) };
}

export interface Loan {
  readonly untilMs: number;
  readonly signedAt: number;
}

/** Lends deliveries to a client that polls. */
export function lend(
  queue: Queue,
  sequences: readonly number[],
  { untilMs, signedAt }: Loan,
): Queue {
  const lent = new Set(sequences);
  const open = queue.open.map((each) =>
    lent.has(each.sequence) ? { ...freed(each), lentUntilMs: untilMs, signedAt } : each,
  );
  return { ...queue, open };
}

/** Notes for a client that polls what an older state, restored after a kill, does not know. */
export function afterRestart(
  queue: Queue,
  {
    process,
    isOnlyProcess,
    lastSequence,
  }: Pick<Connecting, 'process' | 'isOnlyProcess' | 'lastSequence'>,
): Queue {
  if (!isOnlyProcess || queue.process === undefined || queue.process === process) return queue;
  return {
    ...queue,
    process,
    repeatedTo: Math.max(queue.repeatedTo, lastSequence),
    open: queue.open.map((each) => ({ ...each, repeated: each.repeated ?? 'unreported' })),
  };
}

/** Hands deliveries to the listener. */
export function handOut(queue: Queue, sequences: readonly number[], signedAt: number): Queue {
  const handed = new Set(sequences);
  let { handouts } = queue;
  const open = queue.open.map((each) =>
    handed.has(each.sequence) ? { ...freed(each), handout: ++handouts, signedAt } : each,
  );
  return { ...queue, handouts, open };
}

export interface Connecting {
  readonly id: string;
  /** The last event that the listener received; absent if it has just started. */
  readonly received?: number | undefined;
  readonly untilMs: number;
  readonly process: string;
  /** Whether no other process can have a listener. */
  readonly isOnlyProcess: boolean;
  readonly nowMs: number;
  /** Sequence of the newest entry of the log. */
  readonly lastSequence: number;
}

/** Connects a listener. Returns `undefined` if another one is connected. */
export function connect(queue: Queue, connecting: Connecting): Queue | undefined {
  const { id, received = 0, untilMs, process, isOnlyProcess, nowMs, lastSequence } = connecting;
  const before = queue.listener;
  const isSame = before?.id === id;
  const isGone =
    before === undefined ||
    before.untilMs <= nowMs ||
    (isOnlyProcess && before.process !== process);
  if (!isSame && !isGone) return undefined;
  // After a kill, an older state may have been restored: its last deliveries may have arrived, and their reports are lost.
  const earlier = before?.process ?? queue.process;
  const isRestored = isOnlyProcess && earlier !== undefined && earlier !== process;
  const isUncertain = !isSame && isRestored;
  const open = queue.open.map((delivery): OpenDelivery => {
    const { handout, ...rest } = delivery;
    // After a restoration the same program gets them again: it knows the result, and reports it again.
    if (isSame && !isRestored && handout !== undefined && handout <= received) return delivery;
    const mayHaveArrived = !isSame && (handout !== undefined || isUncertain);
    return { ...rest, ...(mayHaveArrived && { repeated: rest.repeated ?? 'unreported' }) };
  });
  const connection = (before?.connection ?? 0) + 1;
  return {
    ...queue,
    open,
    handouts: isSame ? Math.max(queue.handouts, received) : queue.handouts,
    repeatedTo: isUncertain ? Math.max(queue.repeatedTo, lastSequence) : queue.repeatedTo,
    process,
    listener: { id, connection, untilMs, process },
  };
}

/** Returns whether this is still the connection of the listener. */
export function isConnected({ listener }: Queue, id: string, connection: number): boolean {
  return listener?.id === id && listener.connection === connection;
}

/** Sets until when the listener keeps its deliveries from others. */
export function keepListener(queue: Queue, untilMs: number): Queue {
  const { listener } = queue;
  return listener === undefined ? queue : { ...queue, listener: { ...listener, untilMs } };
}

export interface AttemptRules {
  readonly retrySchedule: readonly number[];
  readonly disableAfterFailures: number;
}

export interface Settled {
  readonly queue: Queue;
  readonly state: 'waiting' | 'delivered' | 'failed';
  /** Why the subscription must be disabled. */
  readonly disabledBecause?: string;
}

export interface AttemptReport {
  /** Null without a response. */
  readonly status: number | null;
  /** Seconds that the receiver asked to wait. */
  readonly retryAfter?: number | undefined;
  /** By the clock of the sandbox. */
  readonly nowMs: number;
}

const maxRetryAfterSeconds = 24 * 3600;

/** Identifies an attempt of a delivery, so that each is reported once. */
export function attemptIdOf({ round = '0', attempts }: OpenDelivery): string {
  return `${round}.${attempts + 1}`;
}

/** Settles a delivery after an attempt, or plans the next one. */
export function settle(
  queue: Queue,
  delivery: OpenDelivery,
  { status, retryAfter = 0, nowMs }: AttemptReport,
  { retrySchedule, disableAfterFailures }: AttemptRules,
): Settled {
  const { sequence, isTest = false } = delivery;
  const without = queue.open.filter((each) => each.sequence !== sequence);
  const settled = (failures: number): Queue => ({ ...queue, failures, open: without });
  const state = isSuccess(status) ? 'delivered' : 'failed';
  if (isTest) return { queue: settled(queue.failures), state };
  if (state === 'delivered') return { queue: settled(0), state };
  if (status === 410) {
    const disabledBecause = 'The receiver responded with 410 Gone.';
    return { queue: settled(0), state, disabledBecause };
  }
  const pauseSeconds = retrySchedule[delivery.attempts];
  if (pauseSeconds === undefined) {
    const failures = queue.failures + 1;
    if (failures < disableAfterFailures) return { queue: settled(failures), state };
    const disabledBecause = `${failures === 1 ? 'A delivery has' : `${failures} deliveries in a row have`} failed in all attempts.`;
    return { queue: settled(0), state, disabledBecause };
  }
  const pause = Math.max(pauseSeconds, Math.min(retryAfter, maxRetryAfterSeconds));
  const { handout: _handout, lentUntilMs: _lentUntilMs, ...kept } = delivery;
  const { signedAt: _signedAt, repeated: _repeated, ...rest } = kept;
  const next = { ...rest, attempts: rest.attempts + 1, nextAtMs: nowMs + pause * 1000 };
  const open = queue.open.map((each) => (each.sequence === sequence ? next : each));
  return { queue: { ...queue, open }, state: 'waiting' };
}

export function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** Makes a delivery due at once, whatever its state. */
export function redeliver(queue: Queue, given: Omit<OpenDelivery, 'nextAtMs'>): Queue {
  const { sequence } = given;
  const again: OpenDelivery = { ...given, nextAtMs: 0, repeated: 'redelivery' };
  const open = queue.open.filter((each) => each.sequence !== sequence);
  const at = open.findIndex((each) => each.sequence > sequence);
  return { ...queue, open: open.toSpliced(at < 0 ? open.length : at, 0, again) };
}

/** Repeats all deliveries from a sequence on, in their order. */
export function replay(queue: Queue, from: number, round: string): Queue {
  if (from > queue.position) return queue;
  return {
    ...queue,
    position: from - 1,
    repeatedTo: Math.max(queue.repeatedTo, queue.position),
    round,
    open: queue.open.filter(({ sequence }) => sequence < from),
  };
}

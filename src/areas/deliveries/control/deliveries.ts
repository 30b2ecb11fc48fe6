/** Deliveries of a subscription: those that wait, their listener, and the reports. */

import { randomBytes } from 'node:crypto';
import type { JsonObject } from '#base/json-object.js';
import { unixSeconds } from '#base/whole-seconds.js';
import { HttpError } from '#http/http-error.js';
import type { DeliveryScheme } from '#kit/deliveries/schemes.js';
import {
  newEventId,
  publishTo,
  type Subscription,
  type WaitingEvent,
  waitingSpace,
} from '#state/events/publish-event.js';
import type { LogEntry, Sandbox, Transaction } from '#state/state.js';
import { envelopes } from '../model/envelopes.js';
import {
  afterRestart,
  attemptIdOf,
  type Connecting,
  connect,
  dueIn,
  emptyQueue,
  handOut,
  isConnected,
  keepListener,
  lend,
  maxOpen,
  type OpenDelivery,
  type Queue,
  redeliver,
  replay,
  settle,
  takeIn,
  waitsForTime,
} from '../model/queue.js';
import { type SignedRequest, signRequest } from '../model/sign-request.js';
import {
  type Attempt,
  changesSpace,
  processId,
  queuesSpace,
  type Result,
  resultKey,
  resultsSpace,
} from '../model/spaces.js';
import { changeIn, isStopped, secretsOf } from '../model/subscriptions.js';
import { caseOf } from '../plan/cases.js';
import { noteResponse } from '../plan/runs.js';

/** Events that are read at once, because each may have 256 KiB. */
const readAtOnce = 16;
/** Deliveries that a listener gets at once. */
export const handedAtOnce = 8;
/** A listener that has left is followed by another one after this time. */
export const leaseMs = 30_000;
/** Attempts of a delivery that are kept. */
const keptAttempts = 12;

/** A delivery with everything that is known about it. */
export interface Delivery {
  readonly subscription: Subscription;
  readonly entry: LogEntry<WaitingEvent>;
  /** Absent once it is settled. */
  readonly open: OpenDelivery | undefined;
  readonly result: Result | undefined;
  /** Whether it is beyond the position of the queue. */
  readonly isNew?: boolean;
}

const readQueue = async (sandbox: Sandbox, id: string): Promise<Queue> =>
  (await sandbox.read(queuesSpace, id)) ?? emptyQueue;

const queueIn = (view: Transaction, id: string): Queue => view.read(queuesSpace, id) ?? emptyQueue;

export const deliveryId = ({ sequence, item }: LogEntry<WaitingEvent>): string =>
  `dlv_${sequence}_${item.id}`;

const unknownDelivery = () =>
  new HttpError(404, 'Unknown delivery of this subscription, or no longer stored.');

/** Adds events to the queue until enough deliveries are due, and the position has reached a sequence. */
async function fill(sandbox: Sandbox, id: string, wanted: number, least = 0): Promise<Queue> {
  for (;;) {
    const queue = await readQueue(sandbox, id);
    if (queue.open.length >= maxOpen) return queue;
    const isFar = queue.position >= least;
    const clocks = { nowMs: await sandbox.now(), realMs: Date.now() };
    if (isFar && dueIn(queue, clocks).length >= wanted) return queue;
    const entries = await sandbox.log(waitingSpace, id).after(queue.position, readAtOnce);
    if (entries.length === 0) return queue;
    await sandbox.update(queuesSpace, id, (current = emptyQueue) => ({
      // A replay may have moved the position.
      value: current.position === queue.position ? takeIn(current, entries) : current,
      result: undefined,
    }));
  }
}

async function entryAt(sandbox: Sandbox, id: string, sequence: number) {
  const [entry] = await sandbox.log(waitingSpace, id).after(sequence - 1, 1);
  return entry?.sequence === sequence ? entry : undefined;
}

/** Drops deliveries whose events were evicted. */
async function drop(sandbox: Sandbox, id: string, sequence: number): Promise<void> {
  await sandbox.update(queuesSpace, id, (current = emptyQueue) => ({
    value: { ...current, open: current.open.filter((each) => each.sequence !== sequence) },
    result: undefined,
  }));
}

async function withEntries(
  sandbox: Sandbox,
  subscription: Subscription,
  opens: readonly OpenDelivery[],
): Promise<readonly Delivery[]> {
  const found: Delivery[] = [];
  for (const open of opens) {
    const entry = await entryAt(sandbox, subscription.id, open.sequence);
    if (entry === undefined) await drop(sandbox, subscription.id, open.sequence);
    else found.push({ subscription, entry, open, result: undefined });
  }
  return found;
}

export interface Polling {
  readonly limit: number;
  /** No other program gets the deliveries for so long; with 0, they stay due. */
  readonly leaseSeconds: number;
  readonly isOnlyProcess: boolean;
}

/** Lends deliveries that are due to a client that polls, the oldest first. Each object has at most one. */
export async function lendDue(
  sandbox: Sandbox,
  subscription: Subscription,
  { limit, leaseSeconds, isOnlyProcess }: Polling,
): Promise<readonly Delivery[]> {
  if (isStopped(subscription)) return [];
  const { id } = subscription;
  const known = await fill(sandbox, id, limit);
  const { lastSequence = 0 } = (await sandbox.log(waitingSpace, id).status()) ?? {};
  const realMs = Date.now();
  const lent = (queue: Queue, nowMs: number) => {
    const due = dueIn(queue, { nowMs, realMs }).slice(0, limit);
    const sequences = due.map(({ sequence }) => sequence);
    const loan = { untilMs: realMs + leaseSeconds * 1000, signedAt: unixSeconds(realMs) };
    const current = afterRestart(queue, { process: processId, isOnlyProcess, lastSequence });
    const next = lend(current, sequences, loan);
    return { next, opens: next.open.filter(({ sequence }) => sequences.includes(sequence)) };
  };
  const found = lent(known, await sandbox.now());
  if (leaseSeconds === 0 || found.opens.length === 0) {
    return withEntries(sandbox, subscription, found.opens);
  }
  const opens = await sandbox.transact((view) => {
    const { next, opens } = lent(queueIn(view, id), view.nowMs);
    view.write(queuesSpace, id, next);
    return opens;
  });
  return withEntries(sandbox, subscription, opens);
}

/** Connects a listener, and returns the number of its connection; `undefined` if another has the deliveries. */
export async function connectListener(
  sandbox: Sandbox,
  id: string,
  given: Pick<Connecting, 'id' | 'received' | 'process' | 'isOnlyProcess'>,
): Promise<number | undefined> {
  const { lastSequence = 0 } = (await sandbox.log(waitingSpace, id).status()) ?? {};
  const nowMs = Date.now();
  const connecting = { ...given, lastSequence, nowMs, untilMs: nowMs + leaseMs };
  return sandbox.update(queuesSpace, id, (current = emptyQueue) => {
    const value = connect(current, connecting);
    return { value: value ?? current, result: value?.listener?.connection };
  });
}

export interface Connected {
  readonly listener: string;
  readonly connection: number;
}

/** Frees the deliveries for other listeners. */
export async function disconnectListener(
  sandbox: Sandbox,
  id: string,
  { listener, connection }: Connected,
): Promise<void> {
  await sandbox.update(queuesSpace, id, (current = emptyQueue) => ({
    value: isConnected(current, listener, connection) ? keepListener(current, 0) : current,
    result: undefined,
  }));
}

/** Hands due deliveries to a listener. Returns `undefined` once it is no longer the connected one. */
export async function handOutDue(
  sandbox: Sandbox,
  subscription: Subscription,
  { listener, connection }: Connected,
): Promise<readonly Delivery[] | undefined> {
  const { id } = subscription;
  const known = await fill(sandbox, id, handedAtOnce);
  const nowMs = Date.now();
  const isFresh = (known.listener?.untilMs ?? 0) - nowMs > leaseMs / 2;
  const clocks = { realMs: nowMs, isListener: true } as const;
  const isIdle =
    isStopped(subscription) || dueIn(known, { ...clocks, nowMs: await sandbox.now() }).length === 0;
  if (isConnected(known, listener, connection) && isFresh && isIdle) return [];
  const handed = await sandbox.transact((view) => {
    const queue = queueIn(view, id);
    if (!isConnected(queue, listener, connection)) return undefined;
    const due = isIdle ? [] : dueIn(queue, { ...clocks, nowMs: view.nowMs }).slice(0, handedAtOnce);
    const sequences = due.map(({ sequence }) => sequence);
    const next = handOut(queue, sequences, unixSeconds(nowMs));
    view.write(queuesSpace, id, keepListener(next, nowMs + leaseMs));
    return next.open.filter(({ sequence }) => sequences.includes(sequence));
  });
  return handed && withEntries(sandbox, subscription, handed);
}

/** The events and changes that a reader has seen. */
export interface Position {
  readonly events: number;
  readonly changes: number;
}

export async function positionOf(sandbox: Sandbox, id: string): Promise<Position> {
  const [events, changes] = await Promise.all([
    sandbox.log(waitingSpace, id).status(),
    sandbox.log(changesSpace, id).status(),
  ]);
  return { events: events?.lastSequence ?? 0, changes: changes?.lastSequence ?? 0 };
}

/** A clock that was advanced makes deliveries due, and the end of a lease; readers look this often while some wait for it. */
const lookAgainMs = 500;

/** Resolves once there may be another delivery that is due, or `signal` is aborted. */
export async function waitForNews(
  sandbox: Sandbox,
  id: string,
  { events, changes }: Position,
  signal: AbortSignal,
): Promise<void> {
  const isWaiting = waitsForTime(await readQueue(sandbox, id), await sandbox.now());
  const controller = new AbortController();
  const stop = () => controller.abort();
  const timer = isWaiting ? setTimeout(stop, lookAgainMs) : undefined;
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  await Promise.race([
    sandbox.log(waitingSpace, id).waitPast(events, controller.signal),
    sandbox.log(changesSpace, id).waitPast(changes, controller.signal),
  ]);
  clearTimeout(timer);
  signal.removeEventListener('abort', stop);
  stop();
}

/** Makes the request of a delivery, signed at the time of its handing out or now. */
export function requestOf(
  { subscription, entry: { item, bytes }, open, result }: Delivery,
  nowMs: number,
  signedAt = unixSeconds(Date.now()),
): SignedRequest & { readonly isCut: boolean } {
  const scheme = subscription.scheme as DeliveryScheme;
  const { body, headers } = envelopes[scheme];
  const { test } = item;
  const part = test && caseOf(test.case)?.parts[test.part];
  const attempts = (open?.attempts ?? result?.attempts.length ?? 0) + (part?.isRetry ? 1 : 0);
  const json = String(bytes);
  const enveloped = { event: item, json, subscription: subscription.id, attempts };
  const unsigned = {
    ...{ scheme, id: item.id, headers: headers(enveloped) },
    body: Buffer.from(body(enveloped)),
    secrets: secretsOf(subscription, nowMs),
    signedAt: test?.signedAt ?? open?.signedAt ?? signedAt,
  };
  return { ...signRequest(unsigned, part), isCut: part?.isCut ?? false };
}

/** Finds a delivery by its id. Throws 404. */
export async function findDelivery(
  sandbox: Sandbox,
  subscription: Subscription,
  id: string,
): Promise<Delivery> {
  const sequence = Number(/^dlv_(\d{1,16})_/.exec(id)?.[1] ?? Number.NaN);
  const entry = Number.isNaN(sequence)
    ? undefined
    : await entryAt(sandbox, subscription.id, sequence);
  if (entry === undefined || deliveryId(entry) !== id) throw unknownDelivery();
  return describe(sandbox, subscription, entry, await readQueue(sandbox, subscription.id));
}

async function describe(
  sandbox: Sandbox,
  subscription: Subscription,
  entry: LogEntry<WaitingEvent>,
  { open, position }: Queue,
): Promise<Delivery> {
  const result = await sandbox.read(resultsSpace, resultKey(subscription.id, entry.sequence));
  const waiting = open.find(({ sequence }) => sequence === entry.sequence);
  return { subscription, entry, open: waiting, result, isNew: entry.sequence > position };
}

export type DeliveryState = 'waiting' | 'delivered' | 'failed' | 'disabled';

/** Returns the state of a delivery; of an old one whose result is no longer stored, `delivered`. */
export function stateOf({ subscription, open, result, isNew }: Delivery): DeliveryState {
  if (open === undefined && isNew === false) return result?.state ?? 'delivered';
  return isStopped(subscription) ? 'disabled' : 'waiting';
}

/** Entries that a list examines. */
const maxExamined = 1000;

/** Lists deliveries before a sequence, the newest first. */
export async function listDeliveries(
  sandbox: Sandbox,
  subscription: Subscription,
  { before, limit, state }: ListQuery,
): Promise<{ readonly deliveries: readonly Delivery[]; readonly next: number | undefined }> {
  const log = sandbox.log(waitingSpace, subscription.id);
  const queue = await readQueue(sandbox, subscription.id);
  const deliveries: Delivery[] = [];
  let at = before ?? Number.MAX_SAFE_INTEGER;
  for (let examined = 0; examined < maxExamined; examined += readAtOnce) {
    const entries = await log.before(at, readAtOnce);
    for (const entry of entries) {
      at = entry.sequence;
      const delivery = await describe(sandbox, subscription, entry, queue);
      if (state !== undefined && stateOf(delivery) !== state) continue;
      deliveries.push(delivery);
      if (deliveries.length === limit) return { deliveries, next: at };
    }
    if (entries.length < readAtOnce) return { deliveries, next: undefined };
  }
  return { deliveries, next: at };
}

export interface ListQuery {
  readonly before?: number | undefined;
  readonly limit: number;
  readonly state?: DeliveryState | undefined;
}

/** The report of an attempt. */
export interface Report {
  readonly attemptId?: string | undefined;
  readonly status: number | null;
  readonly ms: number;
  readonly error?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Notes an attempt. A report that was made before changes nothing. Throws 409 if there is no attempt to report. */
export async function reportAttempt(
  sandbox: Sandbox,
  delivery: Delivery,
  report: Report,
): Promise<void> {
  const { entry } = delivery;
  const { id } = delivery.subscription;
  const { status, error, headers: response } = report;
  // A program may have read it from the list.
  if (delivery.isNew) await fill(sandbox, id, 0, entry.sequence);
  const realMs = Date.now();
  const ms = Math.round(report.ms);
  const atMs = realMs - ms;
  const { headers } = requestOf(delivery, await sandbox.now(), unixSeconds(atMs));
  const isNoted = await sandbox.transact((view) => {
    const open = queueIn(view, id).open.find(({ sequence }) => sequence === entry.sequence);
    const result = view.read(resultsSpace, resultKey(id, entry.sequence));
    const { attemptId = open && attemptIdOf(open) } = report;
    if (open === undefined || attemptIdOf(open) !== attemptId) {
      return attemptId !== undefined && result?.attempts.some((each) => each.id === attemptId);
    }
    const attempt = { id: attemptId, status, ms, error, atMs, headers, response };
    settleIn(view, { ...delivery, open, result }, attempt);
    const { test } = entry.item;
    if (test !== undefined) {
      const { signedAt = unixSeconds(atMs) } = open;
      noteResponse(view, test, { status, ms, error, signedAt }, unixSeconds(realMs));
    }
    return true;
  });
  if (isNoted !== true) {
    throw new HttpError(409, 'The delivery has no attempt to report. Redeliver it first.');
  }
}

type Known = Delivery & { readonly open: OpenDelivery };

function settleIn(
  view: Transaction,
  { subscription, entry, open, result }: Known,
  attempt: Attempt,
) {
  const { id } = subscription;
  const { status, response = {} } = attempt;
  const retryAfter = secondsIn(response['retry-after']);
  const report = { status, nowMs: view.nowMs, retryAfter };
  const settled = settle(queueIn(view, id), open, report, subscription);
  view.write(queuesSpace, id, settled.queue);
  const attempts = [...(result?.attempts ?? []), attempt].slice(-keptAttempts);
  view.write(resultsSpace, resultKey(id, entry.sequence), { state: settled.state, attempts });
  const { disabledBecause } = settled;
  if (disabledBecause === undefined) view.append(changesSpace, id, null, '');
  else changeIn(view, id, (before) => ({ ...before, disabledBecause }));
}

/** Reads `Retry-After`: seconds, or a date by the receiver's own clock (RFC 9110 section 10.2.3). */
function secondsIn(value = ''): number | undefined {
  if (/^\d{1,6}$/.test(value)) return Number(value);
  const ms = value.endsWith('GMT') ? Date.parse(value) - Date.now() : 0;
  return ms > 0 ? Math.ceil(ms / 1000) : undefined;
}

const newRound = () => randomBytes(6).toString('base64url');

/** Makes a delivery due at once. */
export async function redeliverOne(sandbox: Sandbox, delivery: Delivery): Promise<void> {
  const { subscription, entry, result } = delivery;
  const { sequence, item } = entry;
  const given = { sequence, object: item.object, round: newRound() };
  await fill(sandbox, subscription.id, 0, sequence);
  await sandbox.transact((view) => {
    const queue = queueIn(view, subscription.id);
    const { attempts = result?.attempts.length ?? 0 } =
      queue.open.find((each) => each.sequence === sequence) ?? {};
    view.write(queuesSpace, subscription.id, redeliver(queue, { ...given, attempts }));
    view.append(changesSpace, subscription.id, null, '');
  });
}

/** Repeats deliveries from an event on. Returns how many are repeated. */
export async function replayFrom(
  sandbox: Sandbox,
  { id }: Subscription,
  isWanted: (entry: LogEntry<WaitingEvent>) => boolean,
): Promise<number> {
  const log = sandbox.log(waitingSpace, id);
  let from: number | undefined;
  let count = 0;
  for (let at = Number.MAX_SAFE_INTEGER; ; ) {
    const entries = await log.before(at, readAtOnce);
    for (const entry of entries) {
      at = entry.sequence;
      if (!isWanted(entry)) continue;
      from = entry.sequence;
      count += 1;
    }
    const isOver = entries.length < readAtOnce || from !== at;
    if (isOver) break;
  }
  if (from === undefined) return 0;
  const sequence = from;
  const round = newRound();
  await sandbox.transact((view) => {
    view.write(queuesSpace, id, replay(queueIn(view, id), sequence, round));
    view.append(changesSpace, id, null, '');
  });
  return count;
}

/** Makes a delivery of any event to one subscription. */
export async function testDelivery(
  sandbox: Sandbox,
  subscription: Subscription,
  { type, data }: { readonly type: string; readonly data: JsonObject },
): Promise<Delivery> {
  const named = typeof data.id === 'string' || typeof data.id === 'number';
  const object = `test/${named ? data.id : newRound()}`;
  const event = { id: newEventId(), source: 'test', type, object, json: JSON.stringify(data) };
  await sandbox.transact((view) => publishTo(view, subscription.id, event));
  const newest = await sandbox.log(waitingSpace, subscription.id).newest(readAtOnce);
  const entry = newest.find(({ item }) => item.id === event.id);
  if (entry === undefined) throw unknownDelivery();
  return describe(sandbox, subscription, entry, await readQueue(sandbox, subscription.id));
}

/**
 * Events of a sandbox, which are published in the transaction that makes the change. Each subscription that selects
 * an event gets a delivery, which waits in the log of the subscription.
 */

import { randomBytes } from 'node:crypto';
import type { JsonObject } from '#base/json-object.js';
import type { LogSpace, Sandbox, Space, Transaction } from '../state.js';

export interface SandboxEvent {
  /** Its publisher, such as `records` or `payments`. */
  readonly source: string;
  /** Such as `todos.created`. */
  readonly type: string;
  /** The object that changed. Deliveries of one object are in order, and wait for one another. */
  readonly object: string;
  /** The object after the change as JSON; of a deleted one, before it. Of payments, the whole event. */
  readonly json: string;
  /** Default: a new random id. Letters, digits, `_` and `-`; unique in the sandbox. */
  readonly id?: string;
  /** The part of a test of the receiver that the event belongs to. */
  readonly test?: TestPart;
}

export interface TestPart {
  readonly run: string;
  readonly case: string;
  /** Its number among the deliveries of the case, from 0. */
  readonly part: number;
  /** In Unix seconds of real time, if it repeats an earlier signature. */
  readonly signedAt?: number;
}

/** The part of a subscription that selects events. */
export interface Subscriber {
  readonly id: string;
  /** Types, prefixes such as `todos.*`, or `*`. */
  readonly events: readonly string[];
  /** Only events of this source. */
  readonly source?: string;
  /** Whether it gets no events at present. */
  readonly isPaused?: true;
}

/** A subscription, with the properties that only its deliveries need. */
export interface Subscription extends Subscriber {
  readonly scheme: string;
  readonly name: string | null;
  /** The first signs; deliveries are signed with all of them while a secret is rotated. */
  readonly secrets: readonly Secret[];
  readonly createdAtMs: number;
  /** Seconds before each further attempt. */
  readonly retrySchedule: readonly number[];
  /** Deliveries in a row without success, after which the subscription is disabled. */
  readonly disableAfterFailures: number;
  /** Absent while it is enabled. */
  readonly disabledBecause?: string;
  /** Further properties of the area that created it, such as the metadata of a webhook endpoint. */
  readonly details?: JsonObject;
}

export interface Secret {
  readonly value: string;
  /** By the clock of the sandbox; absent for the newest. */
  readonly validUntilMs?: number;
}

/** An event, as it waits in the log of a subscription. The bytes of the entry are its JSON. */
export interface WaitingEvent extends Omit<SandboxEvent, 'json'> {
  readonly id: string;
  readonly atMs: number;
}

export const maxSubscriptions = 20;

/** An id that collects the records of a sandbox while a receiver is tested; no subscription of a caller. */
export const watcherId = 'watcher';

/** The subscriptions of a sandbox, in one value, because each change of the sandbox reads them. */
export const subscriptionsSpace: Space<readonly Subscription[]> = {
  name: 'webhook-subscriptions',
  maxKeys: 1,
};

export const subscriptionsKey = 'all';

export const maxWaitingEvents = 10_000;

/** A larger object is published as its id. */
export const maxEventBytes = 256 * 1024;

/** By the id of the subscription. */
export const waitingSpace: LogSpace<true, WaitingEvent> = {
  name: 'webhook-events',
  maxKeys: maxSubscriptions + 1,
  maxEntries: maxWaitingEvents,
  isAlwaysThere: true,
};

/** Publishes an event to all subscriptions that select it. */
export function publishEvent(view: Transaction, event: SandboxEvent): void {
  const subscriptions = view.read(subscriptionsSpace, subscriptionsKey);
  if (subscriptions === undefined) return;
  let waiting: WaitingEvent | undefined;
  for (const subscription of subscriptions) {
    if (!selects(subscription, event)) continue;
    waiting ??= waitingEvent(event, view.nowMs);
    view.append(waitingSpace, subscription.id, waiting, jsonOf(event));
  }
}

function jsonOf({ json, object }: SandboxEvent): string {
  if (Buffer.byteLength(json) <= maxEventBytes) return json;
  return JSON.stringify({ id: object.slice(object.indexOf('/') + 1), isTooLarge: true });
}

/** Makes a delivery of an event to one subscription, whatever it selects. */
export function publishTo(view: Transaction, subscription: string, event: SandboxEvent): void {
  view.append(waitingSpace, subscription, waitingEvent(event, view.nowMs), event.json);
}

/** Publishes an event outside of a transaction. Without subscriptions, it writes nothing. */
export async function announceEvent(sandbox: Sandbox, event: SandboxEvent): Promise<void> {
  const subscriptions = await sandbox.read(subscriptionsSpace, subscriptionsKey);
  if (subscriptions !== undefined) await sandbox.transact((view) => publishEvent(view, event));
}

function waitingEvent(
  { json: _json, id = newEventId(), ...event }: SandboxEvent,
  atMs: number,
): WaitingEvent {
  return { ...event, id, atMs };
}

export function newEventId(): string {
  return `evt_${randomBytes(18).toString('base64url').replace(/[-_]/g, 'x')}`;
}

function selects(
  { events, source, isPaused }: Subscriber,
  { source: from, type }: SandboxEvent,
): boolean {
  if (isPaused || (source !== undefined && source !== from)) return false;
  return events.some((pattern) => matchesType(pattern, type));
}

export function matchesType(pattern: string, type: string): boolean {
  if (!pattern.endsWith('*')) return pattern === type;
  return type.startsWith(pattern.slice(0, -1));
}

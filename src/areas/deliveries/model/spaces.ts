/** The state of deliveries, except the subscriptions and their events. */

import { randomUUID } from 'node:crypto';
import { maxSubscriptions } from '#state/events/publish-event.js';
import type { LogSpace, Space } from '#state/state.js';
import type { Queue } from './queue.js';

/** A restored state is from another process. */
export const processId = randomUUID();

/** By the id of the subscription. */
export const queuesSpace: Space<Queue> = { name: 'webhook-queues', maxKeys: maxSubscriptions };

/** An attempt, as the program that made it reports it. */
export interface Attempt {
  readonly id: string;
  /** Null without a response. */
  readonly status: number | null;
  readonly ms: number;
  /** Why there was no response. */
  readonly error?: string | undefined;
  /** When it began, by real time. */
  readonly atMs: number;
  /** Headers of the request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Headers of the response. */
  readonly response?: Readonly<Record<string, string>> | undefined;
}

/** The outcome of a delivery, and its attempts. */
export interface Result {
  readonly state: 'waiting' | 'delivered' | 'failed';
  /** The newest. */
  readonly attempts: readonly Attempt[];
}

export const maxResults = 10_000;

/** By {@link resultKey}. */
export const resultsSpace: Space<Result> = { name: 'webhook-results', maxKeys: maxResults };

export const resultKey = (subscription: string, sequence: number): string =>
  `${subscription}|${sequence}`;

/** Wakes readers of deliveries after a change that is no new event. */
export const changesSpace: LogSpace<true, null> = {
  name: 'webhook-changes',
  maxKeys: maxSubscriptions,
  maxEntries: 1,
  isAlwaysThere: true,
};

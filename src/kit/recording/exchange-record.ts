/** Recorded requests of a sandbox: what is watched, and what is kept. */

import type { IncomingHttpHeaders } from 'node:http';
import type { Awaitable } from '#base/awaitable.js';
import type { Shown } from '#base/text/redact.js';
import { turns } from '#base/work-in-turns.js';
import type { ParsedMessage } from '#http/exchange.js';
import type { LogSpace, Sandbox, Space } from '#state/state.js';
import { OfferToken } from '../offers/offers.js';

/** A request with its response, before it is shortened for the log. */
export interface Exchange {
  readonly requestId: string;
  readonly method: string;
  /** The route, such as `/api/Books/:id`; empty for an unknown path or an unsupported method. */
  readonly route: string;
  /** Without the query and the prefix of a sandbox. For comparisons: others see `shownPath`. */
  readonly path: string;
  readonly shownPath: Shown;
  readonly query: URLSearchParams;
  /** Without secrets, and without values of unknown parameters. */
  readonly shownQuery: readonly Pair[];
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly httpVersion: string;
  /** Whether its connection had carried requests before. */
  readonly isReused: boolean;
  /** The body as the endpoint parsed it; empty if it read none, or rejected its syntax. */
  readonly parsed: ParsedMessage;
  readonly bodyBytes: number;
  /** Equal for equal bodies, as sent; see `hashOf`. Empty without a body. */
  readonly bodyHash: string;
  /** 0 if the connection ended without a response. */
  readonly status: number;
  readonly responseHeaders: Readonly<Record<string, unknown>>;
  /** Empty for streams. */
  readonly responseBody: string;
  readonly responseBytes: number;
  /** The simulated fault: its rule, or the parameter that requested it. */
  readonly fault: string | null;
  /** Times by the real clock, whatever the clock of the sandbox. */
  readonly atMs: number;
  readonly endMs: number;
}

export type Pair = readonly [name: Shown, value: Shown];

/** An entry of the log. It has no bodies and no credentials. */
export interface RequestEntry {
  readonly method: string;
  readonly path: Shown;
  readonly query: readonly Pair[];
  readonly status: number;
  readonly atMs: number;
  readonly durationMs: number;
  readonly requestId: string;
  readonly fault: string | null;
  readonly httpVersion: string;
  readonly headers: readonly Pair[];
  readonly responseHeaders: readonly Pair[];
  readonly bodyBytes: number;
  readonly responseBytes: number;
}

/**
 * Sees each exchange of a sandbox that is observed, see {@link setWatch}, after the observers of earlier areas.
 */
export type Observer = (sandbox: Sandbox, exchange: Exchange) => Awaitable<void>;

export const observerToken = new OfferToken<Observer>('observer of exchanges');

/** Why requests of a sandbox are watched. Without a value, nothing is. */
export interface Watch {
  readonly isRecording: boolean;
  /** Whether observers, such as a challenge, see each exchange. */
  readonly isObserved: boolean;
}

export const watchSpace: Space<Watch> = { name: 'request-watch', maxKeys: 1 };
export const watchKey = 'watch';

export const maxRequests = 1000;

export const requestsSpace: LogSpace<true, RequestEntry> = {
  name: 'requests',
  maxKeys: 1,
  maxEntries: maxRequests,
  isAlwaysThere: true,
};

const requestsKey = 'requests';

/** Appends an entry; the first one creates the log. */
export function keepRequest(sandbox: Sandbox, entry: RequestEntry): Awaitable<void> {
  return sandbox.transact((view) => view.append(requestsSpace, requestsKey, entry, ''));
}

/** Changes why requests are watched, and returns the new state. */
export async function setWatch(sandbox: Sandbox, change: Partial<Watch>): Promise<Watch> {
  return sandbox.update(watchSpace, watchKey, (before) => {
    const result = { isRecording: false, isObserved: false, ...before, ...change };
    const isNeeded = result.isRecording || result.isObserved;
    return { value: isNeeded ? result : undefined, result };
  });
}

export async function isRecording(sandbox: Sandbox): Promise<boolean> {
  return (await sandbox.read(watchSpace, watchKey))?.isRecording ?? false;
}

export interface NumberedRequest extends RequestEntry {
  readonly id: number;
}

const pageSize = 4;

/**
 * Yields the recorded requests after the id `since`, the oldest first. Reads a few at a time, so that slow readers
 * hold little.
 */
export async function* recordedRequests(
  sandbox: Sandbox,
  since = 0,
): AsyncGenerator<NumberedRequest> {
  const log = sandbox.log(requestsSpace, requestsKey);
  let index = since;
  // More requests may arrive meanwhile.
  for (let left = maxRequests; left > 0; left -= pageSize) {
    // Readers that start at the same time take turns.
    await turns.whenFree();
    const entries = await log.after(index, pageSize);
    for (const { sequence, item } of entries) yield { id: sequence, ...item };
    index = entries.at(-1)?.sequence ?? index;
    if (entries.length < pageSize) return;
  }
}

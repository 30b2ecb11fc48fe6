/** Follows the deliveries of a subscription, forwards each, and reports the response. */

import { randomUUID } from 'node:crypto';
import { readEvents } from '#stdio/read-events.js';
import { type ForwardedRequest, type ForwardResult, forward } from './forward.js';
import { UsageError } from './options.js';
import { pause, type ServiceClient } from './service-client.js';

export interface Delivery {
  readonly id: string;
  readonly attempt: number;
  readonly attemptId: string;
  readonly event: { readonly id: string; readonly type: string };
  readonly repeated?: string;
  readonly case?: string;
  readonly request: ForwardedRequest;
}

export interface Following {
  readonly client: ServiceClient;
  readonly forward: URL;
  readonly timeoutMs: number;
  /** Ends the streams. */
  readonly stopping: AbortSignal;
  /** Ends reports that the service does not accept. */
  readonly leaving: AbortSignal;
  readonly onResult: (delivery: Delivery, result: ForwardResult) => void;
  /** Called once the service has a report. */
  readonly onReport?: () => void;
  readonly say: (line: string) => void;
  /** Attempts in a row to reach the service. Default: no limit. */
  readonly mostFailures?: number;
}

export const subscriptionsPath = '/api/webhooks/subscriptions';

/** The service knows a program by this name after a new connection. */
const listener = randomUUID();
const maxAtOnce = 16;
/** Results that are kept, because a service that was restarted may not know the newest reports. */
const keptResults = 10_000;

export class Follower {
  readonly #following: Following;
  readonly #path: string;
  readonly #results = new Map<string, Promise<ForwardResult>>();
  readonly #running = new Set<Promise<void>>();
  #lastId: string | undefined;
  #failures = 0;

  constructor(following: Following, subscription: string) {
    this.#following = following;
    this.#path = `${subscriptionsPath}/${subscription}/deliveries`;
  }

  /**
   * Runs until the subscription is deleted or `stopping` is aborted; then waits for its requests. Throws a UsageError
   * after too many failures.
   */
  async run(): Promise<void> {
    const { stopping, say, mostFailures = Number.POSITIVE_INFINITY } = this.#following;
    let said = '';
    while (!stopping.aborted) {
      const outcome = await this.#followOnce().catch(
        () => 'The service does not respond; waiting.',
      );
      if (outcome === 'over' || stopping.aborted) break;
      if (outcome !== said) say(outcome);
      said = outcome;
      if (this.#failures >= mostFailures) throw new UsageError('The connection was lost.');
      await pause(this.#failures++, stopping);
    }
    await Promise.all(this.#running);
  }

  /** Returns `over`, or why there is no stream at present. */
  async #followOnce(): Promise<string> {
    const { client, stopping } = this.#following;
    const headers = this.#lastId === undefined ? {} : { 'Last-Event-ID': this.#lastId };
    const path = `${this.#path}/stream?listener=${listener}`;
    const response = await client.open(path, { headers, signal: stopping });
    if (response.status === 404) return 'over';
    if (response.status === 409) return 'Another listener has these deliveries; waiting for it.';
    if (response.status !== 200) return `The service responds with ${response.status}; waiting.`;
    this.#failures = 0;
    const reader = readEvents(response, stopping);
    for await (const data of reader.events) {
      if (reader.lastName !== 'delivery') return 'over';
      this.#take(JSON.parse(data) as Delivery);
      this.#lastId = reader.lastId;
      while (this.#running.size >= maxAtOnce) await Promise.race(this.#running);
    }
    return 'The service has closed the stream; connecting again.';
  }

  #take(delivery: Delivery): void {
    const key = `${delivery.id} ${delivery.attemptId}`;
    const result = this.#results.get(key) ?? this.#send(delivery);
    this.#results.set(key, result);
    const [oldest = ''] = this.#results.keys();
    if (this.#results.size > keptResults) this.#results.delete(oldest);
    const run = this.#report(delivery, result).finally(() => this.#running.delete(run));
    this.#running.add(run);
  }

  async #send(delivery: Delivery): Promise<ForwardResult> {
    const { forward: url, timeoutMs, onResult } = this.#following;
    const result = await forward(url, delivery.request, timeoutMs);
    onResult(delivery, result);
    return result;
  }

  async #report({ id, attemptId }: Delivery, sent: Promise<ForwardResult>): Promise<void> {
    const { client, leaving, onReport } = this.#following;
    const report = { attemptId, ...(await sent) };
    await client.insist('POST', `${this.#path}/${id}/attempts`, report, leaving);
    onReport?.();
  }
}

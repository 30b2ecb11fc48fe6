/** An attempt at a fault plan, which comes into the log once it is known how it ends. */

import type { OutgoingHttpHeader } from 'node:http';
import type { Clock } from '../../base/awaitable.js';
import type { Request } from '../../http/exchange.js';
import { type Sandbox, StateUnavailableError } from '../../state/state.js';
import { type Attempt, maxLoggedLength } from '../plan/attempts.js';
import { type Meeting, noteAttempt } from '../plan/plans-in-state.js';
import type { DrawnFault } from '../plan/take-step.js';
import { watchBody } from './body-digest.js';
import { parseRetryAfter } from './parse-retry-after.js';

interface Arrival {
  /** Without a query. */
  readonly path: string;
  readonly connectionReused: boolean;
  /** By the real clock. */
  readonly timeMs: number;
}

export class NotedAttempt {
  readonly #sandbox: Sandbox;
  readonly #clock: Clock;
  readonly #known: Omit<Attempt, 'answeredAtMs' | 'isSuccess' | 'body'>;
  readonly #digest: () => Promise<string | null>;
  #isNoted = false;

  /** Watches the body of the request from now on. */
  constructor(
    sandbox: Sandbox,
    clock: Clock,
    request: Request,
    { plan, rule, fault }: Meeting,
    { path, connectionReused, timeMs }: Arrival,
  ) {
    this.#sandbox = sandbox;
    this.#clock = clock;
    const key = request.headers['idempotency-key'];
    this.#known = {
      plan,
      method: request.raw.method ?? '',
      path: path.slice(0, maxLoggedLength),
      idempotencyKey: typeof key === 'string' ? key.slice(0, maxLoggedLength) : null,
      rule,
      fault: fault === undefined ? null : shown(fault),
      connectionReused,
      timeMs,
    };
    this.#digest = watchBody(request);
  }

  /**
   * Takes Retry-After as the answer has it. Only the first call counts. A log that cannot be written to keeps
   * no answer back.
   */
  async note(isSuccess: boolean, retryAfter?: OutgoingHttpHeader): Promise<void> {
    if (this.#isNoted) return;
    this.#isNoted = true;
    const body = await this.#digest();
    const respondedAtMs = this.#clock();
    // A date is read when the answer goes out: a body may have come slowly since the date was made.
    const retryAfterMs = parseRetryAfter(String(retryAfter ?? ''), respondedAtMs);
    const attempt: Attempt = {
      ...this.#known,
      answeredAtMs: respondedAtMs,
      isSuccess,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      body,
    };
    try {
      await noteAttempt(this.#sandbox, attempt);
    } catch (error) {
      if (!(error instanceof StateUnavailableError)) throw error;
    }
  }
}

function shown({ headers, body, ...rest }: DrawnFault): Attempt['fault'] {
  return rest;
}

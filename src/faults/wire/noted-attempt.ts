/** An attempt at a fault plan, logged when its outcome is known. */

import { createHash, type Hash } from 'node:crypto';
import type { OutgoingHttpHeader } from 'node:http';
import type { Clock } from '../../base/awaitable.js';
import { redact, type Shown } from '../../base/text/redact.js';
import { hasBody, readBody } from '../../http/body/request-body.js';
import type { Request } from '../../http/exchange.js';
import { type Sandbox, StateUnavailableError } from '../../state/state.js';
import type { WireRequest } from '../../wire/request.js';
import { type Attempt, maxLoggedLength, type ShownFault } from '../plan/attempts.js';
import { isUnprocessed } from '../plan/fault-plan.js';
import { noteAttempt, type RuleMatch } from '../plan/plans-in-state.js';
import type { DrawnFault } from '../plan/take-step.js';
import { parseRetryAfter } from './parse-retry-after.js';

export interface Arrival extends Pick<Attempt, 'connectionReused' | 'timeMs'> {
  /** The path as sent, without the query. */
  readonly path: string;
}

export class NotedAttempt {
  readonly #sandbox: Sandbox;
  readonly #clock: Clock;
  readonly #known: Omit<Attempt, 'respondedAtMs' | 'isSuccess' | 'body'>;
  readonly #digest: () => Promise<string | null>;
  #isNoted = false;

  constructor(
    sandbox: Sandbox,
    clock: Clock,
    request: Request,
    { plan, rule, fault }: RuleMatch,
    { path, connectionReused, timeMs }: Arrival,
  ) {
    this.#sandbox = sandbox;
    this.#clock = clock;
    const sentKey = request.headers['idempotency-key'];
    const key = typeof sentKey === 'string' ? sentKey.slice(0, maxLoggedLength) : null;
    const shown = request.exchanges.showPath(path).slice(0, maxLoggedLength) as Shown;
    const shownKey = key === null ? null : redact(key);
    const isWhole = shown === path && shownKey === key;
    const isKnownUnprocessed =
      fault !== undefined && isUnprocessed(fault) && request.raw.httpVersionMajor === 2;
    this.#known = {
      plan,
      requestId: request.id,
      method: request.raw.method ?? '',
      path: shown,
      idempotencyKey: shownKey,
      ...(!isWhole && {
        sentAs: digestOf(createHash('sha256').update(JSON.stringify([path, key]))),
      }),
      rule,
      fault: fault === undefined ? null : shownFault(fault),
      connectionReused,
      timeMs,
      ...(isKnownUnprocessed && { isUnprocessed: true }),
    };
    this.#digest = watchBody(request);
  }

  /**
   * Logs the attempt, with Retry-After of the response. Only the first call has an effect. Does not
   * wait for an unavailable state.
   */
  async note(isSuccess: boolean, retryAfter?: OutgoingHttpHeader): Promise<void> {
    if (this.#isNoted) return;
    this.#isNoted = true;
    const body = await this.#digest();
    const respondedAtMs = this.#clock();
    // The date may be older than the body, which can be slow.
    const retryAfterMs = parseRetryAfter(String(retryAfter ?? ''), respondedAtMs);
    const end = { respondedAtMs, isSuccess, body };
    const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
    try {
      await noteAttempt(this.#sandbox, { ...this.#known, ...end, ...wait });
    } catch (error) {
      if (!(error instanceof StateUnavailableError)) throw error;
    }
  }
}

function shownFault({ headers, body, ...rest }: DrawnFault): ShownFault {
  return rest;
}

const digestLength = 22;

function digestOf(hash: Hash): string {
  return hash.digest('base64url').slice(0, digestLength);
}

/**
 * Watches the body from now on. Call the returned function before the response: it reads the rest
 * of the body, and returns the digest; empty without a body, `null` if it did not fully arrive.
 */
function watchBody(request: Request): () => Promise<string | null> {
  const message = request.raw as WireRequest;
  if (!hasBody(message)) return () => Promise.resolve('');
  const hash = createHash('sha256');
  let size = 0;
  message.watch((chunk) => {
    hash.update(chunk);
    size += chunk.length;
  });
  return async () => {
    // A response that needs no body must not make the client send it.
    if (message.awaitsContinue && !message.complete) return null;
    message.withholdContinue();
    if (!message.readableEnded && !message.isBeingRead) {
      // Faults of the body do not matter to the response.
      await readBody(request, 0).catch(() => undefined);
    }
    if (!message.readableEnded) return null;
    return size === 0 ? '' : digestOf(hash);
  };
}

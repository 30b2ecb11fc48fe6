/** An attempt at a fault plan, logged when its outcome is known. */

import { createHash } from 'node:crypto';
import type { Clock } from '#base/awaitable.js';
import { redact, type Shown } from '#base/text/redact.js';
import { hasBody, readBody } from '#http/body/request-body.js';
import { shortHash } from '#http/caching/content.js';
import type { Request } from '#http/exchange.js';
import type { Arrival } from '#kit/verdict/exchange.js';
import { type Sandbox, StateUnavailableError } from '#state/state.js';
import type { WireRequest } from '#wire/request.js';
import { type Attempt, maxLoggedLength, type ShownFault } from '../plan/attempts.js';
import { isUnprocessed } from '../plan/fault-plan.js';
import { noteAttempt, type RuleMatch } from '../plan/plans-in-state.js';
import type { DrawnFault } from '../plan/take-step.js';
import { describeRequest, isRepeatable } from './describe-request.js';
import type { ResponseHead } from './divert-response.js';
import { parseRetryAfter } from './parse-retry-after.js';

type Known = Omit<Attempt, 'respondedAtMs' | 'isSuccess' | 'body' | 'isRepeatable'>;

export class NotedAttempt {
  readonly #sandbox: Sandbox;
  readonly #clock: Clock;
  readonly #request: Request;
  readonly #known: Known;
  readonly #watched: () => Promise<WatchedBody>;
  #isNoted = false;

  /** `path` is the path as sent, without the query. */
  constructor(
    { sandbox, clock }: { readonly sandbox: Sandbox; readonly clock: Clock },
    request: Request,
    { plan, rule, fault }: RuleMatch,
    path: string,
    arrival: Arrival,
  ) {
    this.#sandbox = sandbox;
    this.#clock = clock;
    this.#request = request;
    const sentKey = request.headers['idempotency-key'];
    const isKnownUnprocessed =
      fault !== undefined && isUnprocessed(fault) && request.raw.httpVersionMajor === 2;
    this.#known = {
      plan,
      requestId: request.id,
      method: request.raw.method ?? '',
      path: request.exchanges.showPath(path).slice(0, maxLoggedLength) as Shown,
      idempotencyKey:
        typeof sentKey === 'string' ? redact(sentKey.slice(0, maxLoggedLength)) : null,
      ...describeRequest(request),
      rule,
      fault: fault === undefined ? null : shownFault(fault),
      ...arrival,
      ...(isKnownUnprocessed && { isUnprocessed: true }),
    };
    this.#watched = watchBody(request);
  }

  /**
   * Logs the attempt with the head of its response, if it has one. Only the first call has an
   * effect. Does not wait for an unavailable state.
   */
  async note(isSuccess: boolean, head?: ResponseHead): Promise<void> {
    if (this.#isNoted) return;
    this.#isNoted = true;
    const { digest: body, beginning } = await this.#watched();
    const respondedAtMs = this.#clock();
    // The date may be older than the body, which can be slow.
    const retryAfterMs = parseRetryAfter(String(head?.headers['retry-after'] ?? ''), respondedAtMs);
    try {
      await noteAttempt(this.#sandbox, {
        ...this.#known,
        isRepeatable: isRepeatable(this.#request, beginning),
        respondedAtMs,
        isSuccess,
        body,
        ...(head !== undefined && { status: head.status }),
        ...(retryAfterMs !== undefined && { retryAfterMs }),
      });
    } catch (error) {
      if (!(error instanceof StateUnavailableError)) throw error;
    }
  }
}

function shownFault({ headers, body, ...rest }: DrawnFault): ShownFault {
  return rest;
}

interface WatchedBody {
  /** Empty without a body, `null` if it did not fully arrive. */
  readonly digest: string | null;
  readonly beginning: Buffer;
}

const noBytes = Buffer.alloc(0);

/** A longer body is not searched for what it does. */
const maxKeptBytes = 64 * 1024;

/**
 * Watches the body from now on. Call the returned function before the response: it reads the rest
 * of the body.
 */
function watchBody(request: Request): () => Promise<WatchedBody> {
  const message = request.raw as WireRequest;
  if (!hasBody(message)) return () => Promise.resolve({ digest: '', beginning: noBytes });
  const hash = createHash('sha256');
  const isKept = typeof request.route?.spec.onlyReads === 'function';
  const kept: Buffer[] = [];
  let size = 0;
  message.watch((chunk) => {
    hash.update(chunk);
    if (isKept && size + chunk.length <= maxKeptBytes) kept.push(Buffer.from(chunk));
    size += chunk.length;
  });
  async function digest(): Promise<string | null> {
    // A response that needs no body must not make the client send it.
    if (message.awaitsContinue && !message.complete) return null;
    message.withholdContinue();
    if (!message.readableEnded && !message.isBeingRead) {
      // Faults of the body do not matter to the response.
      await readBody(request, 0).catch(() => undefined);
    }
    if (!message.readableEnded) return null;
    return size === 0 ? '' : shortHash(hash);
  }
  return async () => ({ digest: await digest(), beginning: Buffer.concat(kept) });
}

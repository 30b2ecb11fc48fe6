/**
 * Connects to the server of the state: gives up a server that does not respond, and logs each loss
 * once.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { ErrorReply } from '@redis/client';
import type { Logger } from 'pino';
import { nameOf, type RedisAddress } from '#config/redis-address.js';
import { StateUnavailableError } from '../state.js';
import { type Argument, createRedisClient, pauseMs, type RedisClient } from './redis-client.js';

export interface RedisConnectionOptions {
  readonly address: RedisAddress;
  readonly prefix: string;
  readonly log: Logger;
  readonly channel: string;
  readonly onMessage: (message: string) => void;
  /** Called after a reconnection, because messages were lost meanwhile. */
  readonly onReturn: () => void;
}

/** A command and its connection count as lost after this time. */
const replyTimeoutMs = 2000;
/**
 * Extra time in a second timer, so that a reply that arrived while this process was busy is read
 * first.
 */
const replyGraceMs = 500;

/** Time between two log lines about the same kind of rejection. */
const rejectionLogEveryMs = 60_000;

/** Temporary errors of a server, also within an error of a script. */
const passingRejection =
  /(?:^|[ -])(LOADING|BUSY|OOM|READONLY|MISCONF|NOREPLICAS|MASTERDOWN|NOAUTH|NOPERM|CLUSTERDOWN|TRYAGAIN|UNKILLABLE)\b/;

/** Time between log lines of a start that waits: they must be at most 5 s apart. */
const waitLogEveryMs = 4000;

const probeMs = '60000';

export class RedisConnection {
  readonly #options: RedisConnectionOptions;
  readonly #closing = new AbortController();
  readonly #name: string;
  readonly #rejectionsLoggedAtMs = new Map<string, number>();
  #client: RedisClient | undefined;
  #giveUp: (cause: unknown) => void = () => {};
  #wasThere = false;
  #isAway = false;
  #isProbing = false;
  #lastReason = 'no response yet';
  #onFirst: () => void = () => {};
  #ended: Promise<void> = Promise.resolve();

  constructor(options: RedisConnectionOptions) {
    this.#options = options;
    this.#name = nameOf(options.address);
  }

  /** Resolves after the first connection; rejects if `signal` is aborted or it is closed. */
  async open(signal: AbortSignal): Promise<void> {
    const aborted = AbortSignal.any([signal, this.#closing.signal]);
    const opened = new Promise<void>((resolve, reject) => {
      this.#onFirst = resolve;
      const give = () => reject(aborted.reason);
      aborted.addEventListener('abort', give, { once: true });
      if (aborted.aborted) give();
    });
    const startedMs = performance.now();
    const logging = setInterval(() => this.#logWait(startedMs), waitLogEveryMs);
    this.#ended = this.#keepClient();
    try {
      await opened;
    } catch (error) {
      await this.close();
      throw error;
    } finally {
      clearInterval(logging);
    }
  }

  #logWait(startedMs: number): void {
    const seconds = Math.round((performance.now() - startedMs) / 1000);
    this.#options.log.warn(
      { reason: this.#lastReason, seconds },
      `waiting for the state at ${this.#name} for ${seconds} s`,
    );
  }

  /** Rejects with {@link StateUnavailableError} if the server cannot respond now. */
  async send(key: string, args: readonly Argument[], isBinary = false): Promise<unknown> {
    const client = this.#client;
    if (client === undefined) throw new StateUnavailableError();
    let timer: NodeJS.Timeout | undefined;
    const isLate = new Promise<never>((_resolve, reject) => {
      const lose = () => {
        const error = new Error(`There was no response within ${replyTimeoutMs} ms.`);
        reject(error);
        if (client === this.#client) this.#giveUp(error);
      };
      timer = setTimeout(() => {
        timer = setTimeout(lose, replyGraceMs);
      }, replyTimeoutMs - replyGraceMs);
    });
    try {
      return await Promise.race([client.send(key, args, isBinary), isLate]);
    } catch (error) {
      this.#lastReason = messageOf(error);
      throw this.#translate(error as Error);
    } finally {
      clearTimeout(timer);
    }
  }

  isReady(): Promise<boolean> {
    const key = `${this.#options.prefix}ready`;
    const probe = this.send(key, ['SET', key, '1', 'PX', probeMs]);
    return probe.then(
      () => true,
      () => false,
    );
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#giveUp(new Error('The state was closed.'));
    await this.#ended;
  }

  /** Keeps one client after another; most processes need only one. */
  async #keepClient(): Promise<void> {
    for (let attempts = 0; !this.#closing.signal.aborted; attempts++) {
      const givenUp = new Promise<never>((_resolve, reject) => {
        this.#giveUp = reject;
      });
      const client = this.#newClient();
      try {
        await Promise.race([client.connect(), givenUp]);
        this.#client = client;
        attempts = 0;
        void this.#comeBack();
        await givenUp;
      } catch (error) {
        this.#noteLoss(error);
      }
      this.#client = undefined;
      client.destroy();
      const { signal } = this.#closing;
      await delay(pauseMs(attempts), undefined, { signal }).catch(() => {});
    }
  }

  #newClient(): RedisClient {
    const { address, channel, onMessage, onReturn } = this.#options;
    let lastError: unknown = new Error('The server closed the connection.');
    return createRedisClient({
      address,
      channel,
      onMessage,
      onError: (error) => {
        lastError = error;
        this.#noteLoss(error);
      },
      onReady: () => {
        onReturn();
        if (this.#isAway) void this.#comeBack();
      },
      onEnd: () => this.#giveUp(lastError),
    });
  }

  #noteLoss(cause: unknown): void {
    this.#lastReason = messageOf(cause);
    if (this.#closing.signal.aborted || this.#isAway) return;
    this.#isAway = true;
    const what = this.#wasThere ? 'lost' : 'cannot reach';
    this.#options.log.warn(
      { reason: messageOf(cause) },
      `${what} the state at ${this.#name}; trying again`,
    );
    void this.#comeBack();
  }

  /** Probes until the server accepts writes, because it may still load its data. */
  async #comeBack(): Promise<void> {
    if (this.#isProbing) return;
    this.#isProbing = true;
    const { signal } = this.#closing;
    for (let attempts = 0; !(await this.isReady()) && !signal.aborted; attempts++) {
      await delay(pauseMs(attempts), undefined, { signal }).catch(() => {});
    }
    this.#isProbing = false;
    if (signal.aborted) return;
    if (this.#isAway) this.#options.log.warn(`connected to the state at ${this.#name}`);
    this.#isAway = false;
    this.#wasThere = true;
    this.#onFirst();
    this.#options.onReturn();
  }

  #translate(error: Error): Error {
    if (!(error instanceof ErrorReply)) return new StateUnavailableError({ cause: error });
    const rejection = passingRejection.exec(error.message)?.[1];
    if (rejection === undefined) return error;
    this.#logRejection(rejection, error);
    // The name may now resolve to another server.
    if (rejection === 'READONLY') this.#giveUp(error);
    return new StateUnavailableError({ cause: error });
  }

  #logRejection(rejection: string, error: Error): void {
    const nowMs = performance.now();
    const lastMs = this.#rejectionsLoggedAtMs.get(rejection) ?? Number.NEGATIVE_INFINITY;
    if (nowMs - lastMs < rejectionLogEveryMs) return;
    this.#rejectionsLoggedAtMs.set(rejection, nowMs);
    this.#options.log.warn({ reason: error.message }, `the state at ${this.#name} rejects`);
  }
}

/** Connecting to a name with several addresses fails with one error per address. */
function messageOf(cause: unknown): string {
  if (cause instanceof StateUnavailableError) return messageOf(cause.cause);
  if (cause instanceof AggregateError) return cause.errors.map(messageOf).join('; ');
  return cause instanceof Error ? cause.message : String(cause);
}

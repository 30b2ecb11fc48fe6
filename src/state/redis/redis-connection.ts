/**
 * The connection of this process to the server of the state. The library connects again by itself; here is
 * what it leaves open: a server that does not answer is given up, and the log says once what is away.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { ErrorReply } from '@redis/client';
import type { Logger } from 'pino';
import { nameOf, type RedisAddress } from '../../config/redis-address.js';
import { StateUnavailableError } from '../state.js';
import { type Argument, createRedisClient, pauseMs, type RedisClient } from './redis-client.js';

export interface RedisConnectionOptions {
  readonly address: RedisAddress;
  readonly prefix: string;
  readonly log: Logger;
  /** Hears what is published on the channel. */
  readonly channel: string;
  readonly onMessage: (message: string) => void;
  /** Whenever there is a connection again: what was published meanwhile is lost. */
  readonly onReturn: () => void;
}

/** What the server takes longer for counts as lost, and so does the connection. */
const replyTimeoutMs = 2000;
/** The last part of it is counted apart: a reply that came while this process was held up is read first. */
const replyGraceMs = 500;

/** A server that refuses is named in the log this often at most. */
const rejectionLogEveryMs = 60_000;

/** What a server answers that could do it at another time, perhaps within an error of a script. */
const passingRejection =
  /(?:^|[ -])(LOADING|BUSY|OOM|READONLY|MISCONF|NOREPLICAS|MASTERDOWN|NOAUTH|NOPERM|CLUSTERDOWN|TRYAGAIN|UNKILLABLE)\b/;

/** Long enough for whoever probes, and gone when nobody does. */
const probeMs = '60000';

export class RedisConnection {
  readonly #options: RedisConnectionOptions;
  readonly #closing = new AbortController();
  readonly #name: string;
  readonly #refusalsLoggedAtMs = new Map<string, number>();
  #client: RedisClient | undefined;
  #giveUp: (cause: unknown) => void = () => {};
  #wasThere = false;
  #isAway = false;
  #isLookedFor = false;
  #onFirst: () => void = () => {};
  #ended: Promise<void> = Promise.resolve();

  constructor(options: RedisConnectionOptions) {
    this.#options = options;
    this.#name = nameOf(options.address);
  }

  /** Resolves when connected for the first time; rejects when `signal` is aborted or it is closed. */
  async open(signal: AbortSignal): Promise<void> {
    const aborted = AbortSignal.any([signal, this.#closing.signal]);
    const opened = new Promise<void>((resolve, reject) => {
      this.#onFirst = resolve;
      const refuse = () => reject(aborted.reason);
      aborted.addEventListener('abort', refuse, { once: true });
      if (aborted.aborted) refuse();
    });
    this.#ended = this.#keepClient();
    try {
      await opened;
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /** Rejects with {@link StateUnavailableError} when the server cannot do it now. */
  async send(key: string, args: readonly Argument[], isBinary = false): Promise<unknown> {
    const client = this.#client;
    if (client === undefined) throw new StateUnavailableError();
    let timer: NodeJS.Timeout | undefined;
    const isLate = new Promise<never>((_resolve, reject) => {
      const lose = () => {
        const error = new Error(`There was no answer within ${replyTimeoutMs} ms.`);
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
      throw this.#translate(error as Error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Whether the server answers and takes writes. */
  async isReady(): Promise<boolean> {
    try {
      await this.#probe();
      return true;
    } catch {
      return false;
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#giveUp(new Error('The state was closed.'));
    await this.#ended;
  }

  /** One client after the other: most live as long as this. */
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
    if (this.#closing.signal.aborted || this.#isAway) return;
    this.#isAway = true;
    const what = this.#wasThere ? 'lost' : 'cannot reach';
    this.#options.log.warn(
      { reason: messageOf(cause) },
      `${what} the state at ${this.#name}; trying again`,
    );
    void this.#comeBack();
  }

  /** Looks until the server takes writes: one that has just begun may still load what it had. */
  async #comeBack(): Promise<void> {
    if (this.#isLookedFor) return;
    this.#isLookedFor = true;
    const { signal } = this.#closing;
    for (let attempts = 0; !(await this.isReady()) && !signal.aborted; attempts++) {
      await delay(pauseMs(attempts), undefined, { signal }).catch(() => {});
    }
    this.#isLookedFor = false;
    if (signal.aborted) return;
    if (this.#isAway) this.#options.log.warn(`connected to the state at ${this.#name}`);
    this.#isAway = false;
    this.#wasThere = true;
    this.#onFirst();
    this.#options.onReturn();
  }

  async #probe(): Promise<void> {
    const key = `${this.#options.prefix}ready`;
    await this.send(key, ['SET', key, '1', 'PX', probeMs]);
  }

  #translate(error: Error): Error {
    if (!(error instanceof ErrorReply)) return new StateUnavailableError({ cause: error });
    const rejection = passingRejection.exec(error.message)?.[1];
    if (rejection === undefined) return error;
    this.#noteRefusal(rejection, error);
    // Behind the same name there may be a server by now that takes writes.
    if (rejection === 'READONLY') this.#giveUp(error);
    return new StateUnavailableError({ cause: error });
  }

  #noteRefusal(rejection: string, error: Error): void {
    const nowMs = performance.now();
    const lastMs = this.#refusalsLoggedAtMs.get(rejection) ?? Number.NEGATIVE_INFINITY;
    if (nowMs - lastMs < rejectionLogEveryMs) return;
    this.#refusalsLoggedAtMs.set(rejection, nowMs);
    this.#options.log.warn({ reason: error.message }, `the state at ${this.#name} refuses`);
  }
}

/** Connecting to a name with several addresses fails with an error per address. */
function messageOf(cause: unknown): string {
  if (cause instanceof StateUnavailableError) return messageOf(cause.cause);
  if (cause instanceof AggregateError) return cause.errors.map(messageOf).join('; ');
  return cause instanceof Error ? cause.message : String(cause);
}

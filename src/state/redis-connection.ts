/**
 * The connection of this process to a Redis or Valkey server: it is made, watched and made again here.
 * Commands fail at once while it is away: nothing queues up for a server that is not there.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { createClient, ErrorReply, RESP_TYPES } from '@redis/client';
import type { Logger } from 'pino';
import { StateUnavailableError } from './state.js';

export interface RedisAddress {
  readonly host: string;
  readonly port: number;
  readonly isEncrypted: boolean;
  readonly username?: string;
  readonly password?: string;
  readonly database: number;
}

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

type Argument = string | Buffer;

/** One live connection. What is read over one must be written over the same. */
export interface Link {
  /** Rejects with {@link StateUnavailableError} when the server cannot do it now. */
  send(args: readonly Argument[], isBinary?: boolean): Promise<unknown>;
}

/** What the server takes longer for counts as lost, and so does the connection. */
const replyTimeoutMs = 2000;
/** The last part of it is counted apart: a reply that came while this process was held up is read first. */
const replyGraceMs = 500;
const connectTimeoutMs = 3000;

/** A connection that nobody uses is tried this often, before a server or a proxy cuts it as idle. */
const heartbeatMs = 20_000;

/** The pauses between attempts to connect grow to this. */
const maxPauseMs = 1000;
const minPauseMs = 50;

/** A server that refuses is named in the log this often at most. */
const refusalLogEveryMs = 60_000;

/** What a server answers that could do it at another time, perhaps within an error of a script. */
const passingRefusal =
  /(?:^|[ -])(LOADING|BUSY|OOM|READONLY|MISCONF|NOREPLICAS|MASTERDOWN|NOAUTH|NOPERM|CLUSTERDOWN|TRYAGAIN|UNKILLABLE)\b/;

/** Long enough for whoever probes, and gone when nobody does. */
const probeMs = 60_000;

export class RedisConnection {
  readonly #options: RedisConnectionOptions;
  readonly #closing = new AbortController();
  readonly #name: string;
  #link: OpenLink | undefined;
  #ended: Promise<void> = Promise.resolve();
  #refusalLoggedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: RedisConnectionOptions) {
    this.#options = options;
    const { host, port } = options.address;
    this.#name = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
  }

  /** Resolves when connected for the first time; rejects when `signal` is aborted or it is closed. */
  async open(signal: AbortSignal): Promise<void> {
    const aborted = AbortSignal.any([signal, this.#closing.signal]);
    let isConnected: () => void = () => {};
    const connected = new Promise<void>((resolve) => {
      isConnected = resolve;
    });
    const gaveUp = new Promise<never>((_resolve, reject) => {
      const giveUp = () => reject(aborted.reason);
      aborted.addEventListener('abort', giveUp, { once: true });
      if (aborted.aborted) giveUp();
    });
    this.#ended = this.#stayConnected(isConnected);
    try {
      await Promise.race([connected, gaveUp]);
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /** Throws {@link StateUnavailableError} while there is none. */
  link(): Link {
    if (this.#link === undefined) throw new StateUnavailableError();
    return this.#link;
  }

  /** Whether the server answers and takes writes. */
  async isReady(): Promise<boolean> {
    try {
      await this.#link?.probe();
      return this.#link !== undefined;
    } catch {
      return false;
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#link?.end(new Error('The state was closed.'));
    await this.#ended;
  }

  async #stayConnected(onFirst: () => void): Promise<void> {
    const { log, onReturn } = this.#options;
    let isFirst = true;
    let isAway = false;
    let pauseMs = minPauseMs;
    while (!this.#closing.signal.aborted) {
      let cause: unknown;
      try {
        const link = await OpenLink.open(this.#options, this.#closing.signal, this.#noteRefusal);
        this.#link = link;
        if (isAway) log.warn(`connected to the state at ${this.#name}`);
        isAway = false;
        pauseMs = minPauseMs;
        if (isFirst) onFirst();
        else onReturn();
        isFirst = false;
        cause = await link.ended;
      } catch (error) {
        cause = error;
      }
      this.#link = undefined;
      if (this.#closing.signal.aborted) return;
      if (!isAway) {
        const what = isFirst ? 'cannot reach' : 'lost';
        log.warn({ reason: messageOf(cause) }, `${what} the state at ${this.#name}; trying again`);
      }
      isAway = true;
      // Replicas that lost the server together shall not come back in step.
      const jitter = 0.75 + Math.random() / 2;
      await delay(pauseMs * jitter, undefined, { signal: this.#closing.signal }).catch(() => {});
      pauseMs = Math.min(pauseMs * 2, maxPauseMs);
    }
  }

  readonly #noteRefusal = (error: Error): void => {
    const nowMs = performance.now();
    if (nowMs - this.#refusalLoggedAtMs < refusalLogEveryMs) return;
    this.#refusalLoggedAtMs = nowMs;
    this.#options.log.warn({ reason: error.message }, `the state at ${this.#name} refuses`);
  };
}

type Client = ReturnType<typeof newClient>;

/** From a connection that works to its end; it does not reconnect. */
class OpenLink implements Link {
  /** Resolves with the reason. */
  readonly ended: Promise<unknown>;
  readonly #options: RedisConnectionOptions;
  readonly #commands: Client;
  /** A connection that hears a channel may be cut for large replies, so it gets none. */
  readonly #channel: Client;
  readonly #onRefusal: (error: Error) => void;
  #heartbeat: NodeJS.Timeout | undefined;
  #end: (cause: unknown) => void = () => {};
  #isOpen = true;

  static async open(
    options: RedisConnectionOptions,
    closing: AbortSignal,
    onRefusal: (error: Error) => void,
  ): Promise<OpenLink> {
    const link = new OpenLink(options, onRefusal);
    const giveUp = () => link.end(new Error('The state was closed.'));
    closing.addEventListener('abort', giveUp);
    const timer = setTimeout(() => {
      link.end(new Error(`There was no answer within ${connectTimeoutMs} ms.`));
    }, connectTimeoutMs);
    try {
      const failed = link.ended.then((cause) => {
        throw cause;
      });
      await Promise.race([failed, link.#begin()]);
      return link;
    } catch (error) {
      link.end(error);
      throw error;
    } finally {
      clearTimeout(timer);
      closing.removeEventListener('abort', giveUp);
    }
  }

  private constructor(options: RedisConnectionOptions, onRefusal: (error: Error) => void) {
    this.#options = options;
    this.#commands = newClient(options.address);
    this.#channel = newClient(options.address);
    this.#onRefusal = onRefusal;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    for (const client of [this.#commands, this.#channel]) {
      client.on('error', (error) => this.end(error));
      client.on('end', () => this.end(new Error('The server closed the connection.')));
    }
  }

  async #begin(): Promise<void> {
    const { channel, onMessage } = this.#options;
    await Promise.all([this.#commands.connect(), this.#channel.connect()]);
    await this.#channel.subscribe(channel, (message) => onMessage(String(message)));
    await this.probe();
    this.#heartbeat = setInterval(() => {
      for (const client of [this.#commands, this.#channel]) {
        // A failure ends the link, which is all that is to be known of it.
        this.#ask(client, ['PING']).catch(() => {});
      }
    }, heartbeatMs);
  }

  async probe(): Promise<void> {
    await this.send(['SET', `${this.#options.prefix}ready`, '1', 'PX', String(probeMs)]);
  }

  send(args: readonly Argument[], isBinary = false): Promise<unknown> {
    return this.#ask(this.#commands, args, isBinary);
  }

  async #ask(client: Client, args: readonly Argument[], isBinary = false): Promise<unknown> {
    if (!this.#isOpen) throw new StateUnavailableError();
    const reply = client.sendCommand(args as Argument[], isBinary ? binaryReplies : {});
    let timer = setTimeout(() => {
      timer = setTimeout(() => {
        this.end(new Error(`There was no answer within ${replyTimeoutMs} ms.`));
      }, replyGraceMs);
    }, replyTimeoutMs - replyGraceMs);
    try {
      return await reply;
    } catch (error) {
      throw this.#translate(error as Error);
    } finally {
      clearTimeout(timer);
    }
  }

  end(cause: unknown): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    clearInterval(this.#heartbeat);
    this.#end(cause);
    for (const client of [this.#commands, this.#channel]) {
      try {
        // Rejects what waits for a reply.
        client.destroy();
      } catch {
        // It was closed already.
      }
    }
  }

  #translate(error: Error): Error {
    if (!(error instanceof ErrorReply)) return new StateUnavailableError({ cause: error });
    const refusal = passingRefusal.exec(error.message)?.[1];
    if (refusal === undefined) return error;
    this.#onRefusal(error);
    // Behind the same name there may be a server by now that takes writes.
    if (refusal === 'READONLY') this.end(error);
    return new StateUnavailableError({ cause: error });
  }
}

const binaryReplies = { typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer } };

function newClient(address: RedisAddress) {
  const { host, port, isEncrypted, username, password, database } = address;
  const socket = {
    host,
    port,
    connectTimeout: connectTimeoutMs,
    reconnectStrategy: false as const,
  };
  return createClient({
    socket: isEncrypted ? { ...socket, tls: true as const } : socket,
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    database,
    name: 'practice-api',
    disableOfflineQueue: true,
    maintNotifications: 'disabled',
  });
}

/** Connecting to a name with several addresses fails with an error per address. */
function messageOf(cause: unknown): string {
  if (cause instanceof StateUnavailableError) return messageOf(cause.cause);
  if (cause instanceof AggregateError) return cause.errors.map(messageOf).join('; ');
  return cause instanceof Error ? cause.message : String(cause);
}

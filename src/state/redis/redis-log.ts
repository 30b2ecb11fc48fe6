/** The log of a key in a Redis or Valkey server: a stream next to the row of the key. */

import type { Log, LogEntry, LogSpace, LogStatus } from '../state.js';
import { emptyLog, isPast } from '../wakes.js';
import type { RedisStore } from './redis-store.js';

/** A wait checks again after this time while the server does not respond. */
const retryMs = 1000;
/** A wait checks again after this time in any case, because a connection can end unnoticed. */
const lookAgainMs = 20_000;

/** Changes of a log are published for this long after a wait for it. */
const heardMs = String(3 * lookAgainMs);

/** An entry begins with the length of its item. */
const lengthBytes = 4;

export class RedisLog<Item> implements Log<Item> {
  readonly #store: RedisStore;
  readonly #sandbox: string;
  readonly #space: LogSpace<unknown, Item>;
  readonly #key: string;
  readonly #isThere: () => Promise<boolean>;
  readonly #name: string;
  readonly #id: string;

  constructor(
    store: RedisStore,
    sandbox: string,
    space: LogSpace<unknown, Item>,
    key: string,
    isThere: () => Promise<boolean>,
  ) {
    this.#store = store;
    this.#sandbox = sandbox;
    this.#space = space;
    this.#key = key;
    this.#isThere = isThere;
    this.#name = `${space.name}|${key}`;
    this.#id = `${sandbox}|${this.#name}`;
  }

  async append(item: Item, bytes: Uint8Array): Promise<number | undefined> {
    const entry = Buffer.concat([packItem(item), bytes]);
    const words = [this.#space.name, this.#key, String(this.#space.maxEntries), entry];
    const response = await this.#store.askWithRoom(this.#sandbox, 'append', words);
    return response[0] === 'written' ? Number(response[2]) : undefined;
  }

  status(): Promise<LogStatus | undefined> {
    return this.#store.askOnce(`status ${this.#id}`, () => this.#status());
  }

  async #status(): Promise<LogStatus | undefined> {
    if (!(await this.#isThere())) return this.#space.isAlwaysThere ? emptyLog : undefined;
    const head = this.#store.headOf(this.#sandbox);
    const fields = [`last ${this.#name}`, `cleared ${this.#name}`];
    const [numbers, size] = (await Promise.all([
      this.#store.send(this.#sandbox, ['HMGET', `${head}logs`, ...fields]),
      this.#store.send(this.#sandbox, ['XLEN', this.#streamKey()]),
    ])) as [string[], number];
    const [last, cleared] = numbers.map(Number);
    return { size, lastSequence: last ?? 0, clearedSequence: cleared ?? 0 };
  }

  newest(limit: number): Promise<readonly LogEntry<Item>[]> {
    return this.#read(['XREVRANGE', this.#streamKey(), '+', '-', 'COUNT', String(limit)]);
  }

  after(sequence: number, limit: number): Promise<readonly LogEntry<Item>[]> {
    const first = String(sequence + 1);
    return this.#read(['XRANGE', this.#streamKey(), first, '+', 'COUNT', String(limit)]);
  }

  before(sequence: number, limit: number): Promise<readonly LogEntry<Item>[]> {
    const last = String(sequence - 1);
    return this.#read(['XREVRANGE', this.#streamKey(), last, '-', 'COUNT', String(limit)]);
  }

  #read(command: readonly string[]): Promise<readonly LogEntry<Item>[]> {
    return this.#store.askOnce(command.join(' '), () => this.#readNow(command));
  }

  async #readNow(command: readonly string[]): Promise<readonly LogEntry<Item>[]> {
    if (!(await this.#isThere())) return [];
    const found = (await this.#store.send(this.#sandbox, command, true)) as StreamEntry[];
    return found.map(([id, [, entry]]) => unpack(Number.parseInt(String(id), 10), entry));
  }

  async clear(): Promise<boolean> {
    const words = ['clear', this.#space.name, this.#key];
    return (await this.#store.ask(this.#sandbox, words))[0] === 'written';
  }

  async remove(sequence: number): Promise<boolean> {
    const words = ['remove', this.#space.name, this.#key, String(sequence)];
    return (await this.#store.ask(this.#sandbox, words))[0] === 'written';
  }

  waitPast(sequence: number, signal: AbortSignal): Promise<void> {
    return this.#store.wakes.waitUntil(this.#id, () => this.#lookPast(sequence), signal);
  }

  async #lookPast(sequence: number): Promise<true | number> {
    try {
      await this.#hear();
      return isPast(this.#space, await this.status(), sequence) || lookAgainMs;
    } catch {
      return retryMs;
    }
  }

  /** Requests that changes of the log are published from now on. */
  #hear(): Promise<unknown> {
    const key = `${this.#store.headOf(this.#sandbox)}heard:${this.#name}`;
    const command = ['SET', key, '1', 'PX', heardMs];
    return this.#store.askOnce(`hear ${this.#id}`, () => this.#store.send(this.#sandbox, command));
  }

  #streamKey(): string {
    return `${this.#store.headOf(this.#sandbox)}log:${this.#name}`;
  }
}

type StreamEntry = readonly [id: Buffer, fields: readonly [name: Buffer, entry: Buffer]];

export function packItem(item: unknown): Buffer {
  const json = JSON.stringify(item);
  const packed = Buffer.allocUnsafe(lengthBytes + Buffer.byteLength(json));
  packed.writeUInt32BE(packed.length - lengthBytes);
  packed.write(json, lengthBytes);
  return packed;
}

function unpack<Item>(sequence: number, packed: Buffer): LogEntry<Item> {
  const end = lengthBytes + packed.readUInt32BE();
  const item = JSON.parse(packed.toString('utf8', lengthBytes, end));
  return { sequence, item, bytes: packed.subarray(end) };
}

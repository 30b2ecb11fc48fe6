/** The log of one key in a Redis or Valkey server: a stream, beside the row of the key. */

import type { Log, LogEntry, LogSpace, LogStatus } from '../state.js';
import type { RedisStore } from './redis-store.js';

/** Who waits looks again after this while the server does not answer. */
const retryMs = 1000;
/** And after this in any case: a connection can die without a word. */
const lookAgainMs = 20_000;

/** An entry begins with the length of its item. */
const lengthBytes = 4;

export class RedisLog<Item> implements Log<Item> {
  readonly #store: RedisStore;
  readonly #sandbox: string;
  readonly #space: LogSpace<unknown, Item>;
  readonly #key: string;
  readonly #isThere: () => Promise<boolean>;
  readonly #name: string;

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
  }

  async append(item: Item, bytes: Uint8Array): Promise<number | undefined> {
    const { registry } = this.#store;
    const entry = pack(item, bytes);
    const place = [this.#space.name, this.#key, String(this.#space.maxEntries)];
    let given: string | undefined;
    for (;;) {
      const words = ['append', given ?? '0', given === undefined ? '0' : '1', ...place, entry];
      const [outcome, answer = '0'] = await this.#store.ask(this.#sandbox, words);
      if (outcome === 'written') return Number(answer);
      if (outcome === 'gone') {
        if (given !== undefined) await registry.release(this.#sandbox, '0', given);
        return undefined;
      }
      given = await registry.growLogs(this.#sandbox, answer);
    }
  }

  async status(): Promise<LogStatus | undefined> {
    if (!(await this.#isThere())) return undefined;
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

  async #read(command: readonly string[]): Promise<readonly LogEntry<Item>[]> {
    if (!(await this.#isThere())) return [];
    const found = (await this.#store.send(this.#sandbox, command, true)) as StreamEntry[];
    return found.map(([id, [, entry]]) => unpack(Number.parseInt(String(id), 10), entry));
  }

  async clear(): Promise<boolean> {
    const words = ['clear', this.#space.name, this.#key];
    return (await this.#store.ask(this.#sandbox, words))[0] === 'written';
  }

  async waitPast(sequence: number, signal: AbortSignal): Promise<void> {
    const { wakes } = this.#store;
    let wake: () => void = () => {};
    const stopListening = wakes.add(`${this.#sandbox}|${this.#name}`, () => wake());
    const abort = () => wake();
    signal.addEventListener('abort', abort);
    try {
      while (!signal.aborted && !wakes.isClosed) {
        // Heard from before it is looked, so that nothing can happen unnoticed in between.
        const woken = new Promise<void>((resolve) => {
          wake = resolve;
        });
        const seen = await this.#lookPast(sequence);
        if (seen === 'past') return;
        const timer = setTimeout(() => wake(), seen === 'away' ? retryMs : lookAgainMs);
        await woken;
        clearTimeout(timer);
      }
    } finally {
      stopListening();
      signal.removeEventListener('abort', abort);
    }
  }

  async #lookPast(sequence: number): Promise<'past' | 'not yet' | 'away'> {
    try {
      const status = await this.status();
      return status === undefined || status.lastSequence > sequence ? 'past' : 'not yet';
    } catch {
      return 'away';
    }
  }

  #streamKey(): string {
    return `${this.#store.headOf(this.#sandbox)}log:${this.#name}`;
  }
}

type StreamEntry = readonly [id: Buffer, fields: readonly [name: Buffer, entry: Buffer]];

function pack(item: unknown, bytes: Uint8Array): Buffer {
  const json = JSON.stringify(item);
  const itemLength = Buffer.byteLength(json);
  const packed = Buffer.allocUnsafe(lengthBytes + itemLength + bytes.length);
  packed.writeUInt32BE(itemLength);
  packed.write(json, lengthBytes);
  packed.set(bytes, lengthBytes + itemLength);
  return packed;
}

function unpack<Item>(sequence: number, packed: Buffer): LogEntry<Item> {
  const end = lengthBytes + packed.readUInt32BE();
  const item = JSON.parse(packed.toString('utf8', lengthBytes, end));
  return { sequence, item, bytes: packed.subarray(end) };
}

/** The log of one key in a Redis or Valkey server; see redis-scripts.ts for what is stored how. */

import type { ScriptName } from './redis-scripts.js';
import type { Log, LogEntry, LogSpace, LogStatus } from './state.js';
import type { Wakes } from './wakes.js';

export interface RedisLogOptions<Item> {
  readonly space: LogSpace<unknown, Item>;
  readonly key: string;
  /** What wakes are called by. */
  readonly logKey: string;
  readonly wakes: Wakes;
  readonly run: (
    script: ScriptName,
    args: readonly (string | Buffer)[],
    isBinary?: boolean,
  ) => Promise<unknown>;
}

/** Who waits looks again after this while the server does not answer. */
const retryMs = 1000;

/** An entry begins with the length of its item. */
const lengthBytes = 4;

export class RedisLog<Item> implements Log<Item> {
  readonly #options: RedisLogOptions<Item>;
  readonly #place: readonly string[];

  constructor(options: RedisLogOptions<Item>) {
    this.#options = options;
    this.#place = [options.space.name, options.key];
  }

  async append(item: Item, bytes: Uint8Array): Promise<number | undefined> {
    const { run, space } = this.#options;
    const args = [...this.#place, String(space.maxEntries), pack(item, bytes)];
    const sequence = (await run('append', args)) as string | null;
    return sequence === null ? undefined : Number(sequence);
  }

  async status(): Promise<LogStatus | undefined> {
    const reply = (await this.#options.run('logStatus', this.#place)) as string[];
    if (reply.length === 0) return undefined;
    const [first = 1, last = 0, cleared = 0] = reply.map(Number);
    return { size: last - first + 1, lastSequence: last, clearedSequence: cleared };
  }

  newest(limit: number): Promise<readonly LogEntry<Item>[]> {
    return this.#read('newest', limit);
  }

  after(sequence: number, limit: number): Promise<readonly LogEntry<Item>[]> {
    return this.#read(String(sequence), limit);
  }

  async #read(from: string, limit: number): Promise<readonly LogEntry<Item>[]> {
    const args = [...this.#place, from, String(limit)];
    const flat = (await this.#options.run('readLog', args, true)) as Buffer[];
    const entries: LogEntry<Item>[] = [];
    for (let place = 0; place + 1 < flat.length; place += 2) {
      entries.push(unpack(Number(flat[place]), flat[place + 1] as Buffer));
    }
    return entries;
  }

  async clear(): Promise<boolean> {
    return (await this.#options.run('clearLog', this.#place)) === 1;
  }

  async waitPast(sequence: number, signal: AbortSignal): Promise<void> {
    const { wakes, logKey } = this.#options;
    let wake: () => void = () => {};
    const stopListening = wakes.add(logKey, () => wake());
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
        const timer = seen === 'away' ? setTimeout(() => wake(), retryMs) : undefined;
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
}

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

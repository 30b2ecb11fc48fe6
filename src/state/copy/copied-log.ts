/** The log of a copied sandbox: the original entries, and its own. */

import { type Awaitable, newPromise } from '#base/awaitable.js';
import type { Log, LogEntry, LogStatus } from '../state.js';

interface Added<Item> {
  readonly item: Item;
  readonly bytes: Buffer;
}

export class CopiedLog<Item> implements Log<Item> {
  readonly #original: Log<Item> | undefined;
  readonly #isThere: () => Awaitable<boolean>;
  readonly #added: Added<Item>[] = [];
  readonly #removed = new Set<number>();
  #isCleared = false;

  constructor(original: Log<Item> | undefined, isThere: () => Awaitable<boolean>) {
    this.#original = original;
    this.#isThere = isThere;
  }

  get isChanged(): boolean {
    return this.#added.length > 0 || this.#removed.size > 0 || this.#isCleared;
  }

  get changes(): object {
    const added = this.#added.map(({ item, bytes }) => ({ item, bytes: String(bytes) }));
    return { added, removed: [...this.#removed], isCleared: this.#isCleared };
  }

  async append(item: Item, bytes: Uint8Array): Promise<number | undefined> {
    this.#added.push({ item, bytes: Buffer.from(bytes) });
    return (await this.status())?.lastSequence;
  }

  async status(): Promise<LogStatus | undefined> {
    if (!(await this.#isThere())) return undefined;
    const before = (await this.#original?.status()) ?? none;
    const added = this.#added.length;
    const kept = this.#isCleared ? 0 : before.size - this.#removed.size;
    return {
      size: kept + added,
      lastSequence: before.lastSequence + added,
      clearedSequence: this.#isCleared ? before.lastSequence : before.clearedSequence,
    };
  }

  async newest(limit: number): Promise<readonly LogEntry<Item>[]> {
    const own = (await this.#own()).slice(-limit);
    return [...this.#kept((await this.#original?.newest(limit)) ?? []), ...own].slice(-limit);
  }

  async after(sequence: number, limit: number): Promise<readonly LogEntry<Item>[]> {
    const own = (await this.#own()).filter((entry) => entry.sequence > sequence);
    return [...this.#kept((await this.#original?.after(sequence, limit)) ?? []), ...own].slice(
      0,
      limit,
    );
  }

  async before(sequence: number, limit: number): Promise<readonly LogEntry<Item>[]> {
    const own = (await this.#own()).filter((entry) => entry.sequence < sequence).reverse();
    return [...own, ...this.#kept((await this.#original?.before(sequence, limit)) ?? [])].slice(
      0,
      limit,
    );
  }

  async clear(): Promise<boolean> {
    this.#isCleared = true;
    this.#added.length = 0;
    return this.#isThere();
  }

  async remove(sequence: number): Promise<boolean> {
    const found = (await this.after(sequence - 1, 1))[0]?.sequence === sequence;
    if (found) this.#removed.add(sequence);
    return found;
  }

  /** Nothing else writes to a copy. */
  async waitPast(_sequence: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { promise, resolve } = newPromise();
    signal.addEventListener('abort', resolve, { once: true });
    await promise;
  }

  async #own(): Promise<LogEntry<Item>[]> {
    const last = (await this.#original?.status())?.lastSequence ?? 0;
    return this.#added.map((entry, index) => ({ ...entry, sequence: last + index + 1 }));
  }

  #kept(entries: readonly LogEntry<Item>[]): readonly LogEntry<Item>[] {
    if (this.#isCleared) return [];
    return entries.filter(({ sequence }) => !this.#removed.has(sequence));
  }
}

const none: LogStatus = { size: 0, lastSequence: 0, clearedSequence: 0 };

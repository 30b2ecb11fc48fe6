/**
 * Sends commands to the server in batches: one for all requests of a turn, and the next after its
 * response.
 */

import type { Argument } from './redis-client.js';

interface Batch<Item, Result> {
  readonly items: Item[];
  readonly results: Promise<readonly Result[]>;
  bytes: number;
  isSent: boolean;
}

/** A fraction of a request's duration under load. */
const gatherMs = 1;

/** The server is busy during a batch. */
const maxItems = 100;
const maxBytes = 1024 * 1024;

/** Items by name, each with its own response. */
export class Batches<Item, Result> {
  readonly #send: (name: string, items: readonly Item[]) => Promise<readonly Result[]>;
  readonly #weigh: (item: Item) => number;
  readonly #batches = new Map<string, Batch<Item, Result>>();

  constructor(
    send: (name: string, items: readonly Item[]) => Promise<readonly Result[]>,
    weigh: (item: Item) => number = () => 0,
  ) {
    this.#send = send;
    this.#weigh = weigh;
  }

  add(name: string, item: Item): Promise<Result> {
    const latest = this.#batches.get(name);
    const batch = latest && takesMore(latest) ? latest : this.#begin(name, latest);
    const place = batch.items.push(item) - 1;
    batch.bytes += this.#weigh(item);
    return batch.results.then((results) => results[place] as Result);
  }

  #begin(name: string, before: Batch<Item, Result> | undefined): Batch<Item, Result> {
    const items: Item[] = [];
    const batch: Batch<Item, Result> = {
      items,
      results: this.#resultsOf(name, items, before, () => {
        batch.isSent = true;
      }),
      bytes: 0,
      isSent: false,
    };
    this.#batches.set(name, batch);
    const end = () => {
      if (this.#batches.get(name) === batch) this.#batches.delete(name);
    };
    batch.results.then(end, end);
    return batch;
  }

  async #resultsOf(
    name: string,
    items: readonly Item[],
    before: Batch<Item, Result> | undefined,
    onSend: () => void,
  ): Promise<readonly Result[]> {
    await before?.results.catch(() => {});
    await gather(before?.items.length ?? 0);
    onSend();
    return this.#send(name, items);
  }
}

/** Waits for other connections of this turn; longer if several arrived together the last time. */
export async function gather(before: number): Promise<void> {
  await new Promise((resolve) => {
    if (before > 1) setTimeout(resolve, gatherMs);
    else setImmediate(resolve);
  });
}

function takesMore({ isSent, items, bytes }: Batch<unknown, unknown>): boolean {
  return !isSent && items.length < maxItems && bytes < maxBytes;
}

export function weighArguments(args: readonly Argument[]): number {
  return args.reduce((sum, each) => sum + each.length, 0);
}

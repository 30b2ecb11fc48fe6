/** What is asked of a sandbox within one turn goes together: one command for all requests that came with it. */

import type { Argument } from './redis-client.js';

interface Waiting<Item, Answer> {
  readonly items: Item[];
  readonly answers: Promise<readonly Answer[]>;
}

/** So many at most go together, and so many bytes about: the server does nothing else meanwhile. */
const maxItems = 100;
const maxBytes = 1024 * 1024;

/** Of items that were put in one turn under one name, each with the answer to its own. */
export class Batches<Item, Answer> {
  readonly #send: (name: string, items: readonly Item[]) => Promise<readonly Answer[]>;
  readonly #weigh: (item: Item) => number;
  readonly #waiting = new Map<string, Waiting<Item, Answer> & { bytes: number }>();

  constructor(
    send: (name: string, items: readonly Item[]) => Promise<readonly Answer[]>,
    weigh: (item: Item) => number = () => 0,
  ) {
    this.#send = send;
    this.#weigh = weigh;
  }

  async add(name: string, item: Item): Promise<Answer> {
    const waiting = this.#waiting.get(name) ?? this.#begin(name);
    const place = waiting.items.push(item) - 1;
    waiting.bytes += this.#weigh(item);
    if (waiting.items.length >= maxItems || waiting.bytes >= maxBytes) this.#waiting.delete(name);
    return (await waiting.answers)[place] as Answer;
  }

  #begin(name: string) {
    const items: Item[] = [];
    const answers = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      if (this.#waiting.get(name) === waiting) this.#waiting.delete(name);
      return this.#send(name, items);
    });
    const waiting = { items, answers, bytes: 0 };
    this.#waiting.set(name, waiting);
    return waiting;
  }
}

export function weighArguments(args: readonly Argument[]): number {
  return args.reduce((sum, each) => sum + each.length, 0);
}

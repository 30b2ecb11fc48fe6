/** A queue of work, one piece at a time: for each owner in turn, and for each part of an owner in turn. */

import type { Owner } from './owner.js';
import { Shares } from './shares.js';

interface Piece {
  readonly owner: Owner;
  /** Does the work; never rejects. */
  readonly start: () => Promise<void>;
  readonly reject: (error: Error) => void;
}

export class FairQueue {
  readonly #waiting: Shares<Piece>;
  readonly #tooMany: () => Error;
  #isBusy = false;

  /**
   * Beyond `limit` waiting pieces, rejects the new piece or the latest piece of the busiest part of the busiest owner
   * with `tooMany`.
   */
  constructor(limit: number, tooMany: () => Error) {
    this.#waiting = new Shares(limit);
    this.#tooMany = tooMany;
  }

  /** Waits for its turn, then settles as the work does. */
  run<Result>(owner: Owner, work: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.isFull && !this.#displaceFor(owner)) {
        reject(this.#tooMany());
        return;
      }
      const start = () => work().then(resolve, reject);
      this.#waiting.add(owner, { owner, start, reject });
      void this.#startNext();
    });
  }

  #displaceFor(owner: Owner): boolean {
    const latest = [...(this.#waiting.rivalsOf(owner) ?? [])].at(-1);
    if (latest === undefined) return false;
    this.#waiting.remove(latest.owner, latest);
    latest.reject(this.#tooMany());
    return true;
  }

  async #startNext(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    for (let next = this.#waiting.takeNext(); next; next = this.#waiting.takeNext()) {
      await next.start();
    }
    this.#isBusy = false;
  }
}

/** Counts the responses that are held open, so that nobody can hold open without end. */

import { HttpError } from '../../http/http-error.js';

/** Streams and waiting requests per bin; browsers alone allow six connections to a host. */
export const maxOpenPerBin = 20;

const retryAfterSeconds = 5;

export class OpenResponses {
  readonly #openByBin = new Map<string, number>();

  /** Counts one more and returns what ends it; throws 429 when the bin has all it may. */
  open(binId: string): () => void {
    const open = this.#openByBin.get(binId) ?? 0;
    if (open >= maxOpenPerBin) {
      const message = `${maxOpenPerBin} readers are already waiting on this bin, the limit. Close one first.`;
      throw new HttpError(429, message, {
        headers: { 'retry-after': String(retryAfterSeconds) },
        body: { retryAfter: retryAfterSeconds },
      });
    }
    this.#openByBin.set(binId, open + 1);
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      const left = (this.#openByBin.get(binId) ?? 1) - 1;
      if (left === 0) this.#openByBin.delete(binId);
      else this.#openByBin.set(binId, left);
    };
  }
}

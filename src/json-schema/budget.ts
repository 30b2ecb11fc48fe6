/** Limits the work of checking values by schemas. */

/**
 * Checks of one value: each keyword at each value, and each piece of text that a keyword reads.
 * About 25 ns each.
 */
export const maxChecks = 4_000_000;
export const maxFaults = 100;

export class ChecksExceeded extends Error {
  override readonly name = 'ChecksExceeded';
}

export class CheckBudget {
  #left: number;
  #forLater: number;
  #faults: number;

  /** `total` applies to all values of the request, each of which may use `maxChecks`. */
  constructor(total = maxChecks, faults = maxFaults) {
    this.#faults = faults;
    this.#left = Math.min(total, maxChecks);
    this.#forLater = total - this.#left;
  }

  /** Call it before each value that is checked in a separate turn. */
  beginValue(): void {
    const all = this.#left + this.#forLater;
    this.#left = Math.min(all, maxChecks);
    this.#forLater = all - this.#left;
  }

  spend(checks: number): void {
    this.#left -= checks;
    if (this.#left < 0) throw new ChecksExceeded();
  }

  get faultsLeft(): number {
    return this.#faults;
  }

  countFaults(count: number): void {
    this.#faults -= count;
  }
}

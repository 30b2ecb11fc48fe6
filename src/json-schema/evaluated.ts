/** The members and items of a value that a schema has evaluated, for `unevaluatedProperties` and `unevaluatedItems`. */

import type { CheckBudget } from './budget.js';

/** Cost of adding to a set, in checks. */
const checksToAdd = 4;

export class Evaluated {
  readonly #budget: CheckBudget;
  #names: Set<string> | undefined;
  #hasAllNames = false;
  /** All items before this one. */
  #itemsBefore = 0;
  #items: Set<number> | undefined;

  constructor(budget: CheckBudget) {
    this.#budget = budget;
  }

  addName(name: string): void {
    this.#budget.spend(checksToAdd);
    this.#names ??= new Set();
    this.#names.add(name);
  }

  addAllNames(): void {
    this.#hasAllNames = true;
  }

  addItem(index: number): void {
    this.#budget.spend(checksToAdd);
    this.#items ??= new Set();
    this.#items.add(index);
  }

  addItemsBefore(index: number): void {
    this.#itemsBefore = Math.max(this.#itemsBefore, index);
  }

  hasName(name: string): boolean {
    return this.#hasAllNames || this.#names?.has(name) === true;
  }

  hasItem(index: number): boolean {
    return index < this.#itemsBefore || this.#items?.has(index) === true;
  }

  /** Adds the evaluations of a subschema for the same value. */
  addAll(other: Evaluated): void {
    this.#hasAllNames ||= other.#hasAllNames;
    this.addItemsBefore(other.#itemsBefore);
    for (const name of other.#names ?? []) this.addName(name);
    for (const index of other.#items ?? []) this.addItem(index);
  }
}

/** Methods of a sandbox that are the same for every store. */

import type { Awaitable } from '#base/awaitable.js';
import { type Change, holderOf, type Sandbox, type Space, type Transaction } from './state.js';

export abstract class BaseSandbox implements Pick<Sandbox, 'name' | 'caller' | 'update'> {
  readonly name: string;
  readonly #caller: (() => string) | undefined;

  constructor(name: string, caller: (() => string) | undefined) {
    this.name = name;
    this.#caller = caller;
  }

  caller(): string {
    return holderOf(this.name, this.#caller);
  }

  abstract transact<Result>(change: (view: Transaction) => Result): Awaitable<Result>;

  update<Value, Result>(
    space: Space<Value>,
    key: string,
    change: (current: Value | undefined, nowMs: number) => Change<Value, Result>,
  ): Awaitable<Result> {
    return this.transact((view) => {
      const changed = change(view.read(space, key), view.nowMs);
      view.write(space, key, changed.value, changed);
      return changed.result;
    });
  }
}

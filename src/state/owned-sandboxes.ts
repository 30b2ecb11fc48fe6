/** Sandboxes with an owner that is not an account, and the sandbox of the service. */

import type { Awaitable } from '#base/awaitable.js';
import {
  type Moment,
  ownedSandboxName,
  type Sandbox,
  type State,
  serviceSandboxName,
} from './state.js';

export class OwnedSandboxes {
  readonly service: Sandbox;
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
    this.service = state.sandbox(serviceSandboxName);
  }

  /** `caller` is the name of the owner of a class, for whose share its sandboxes count. */
  sandbox(owner: string, name: string, caller?: string, moment?: Moment): Sandbox {
    const ownerOf = caller === undefined ? undefined : () => caller;
    return this.#state.sandbox(ownedSandboxName(owner, name), ownerOf, moment);
  }

  /** Drops all sandboxes of the owner. */
  reset(owner: string): Awaitable<void> {
    return this.#state.resetOwned(owner);
  }
}

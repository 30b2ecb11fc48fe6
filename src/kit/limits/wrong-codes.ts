/** Limits wrong codes per caller, and per issuer or user, by the real clock. */

import { hash } from 'node:crypto';
import type { Awaitable } from '../../base/awaitable.js';
import { ownerOf } from '../../http/address/owner.js';
import type { Request } from '../../http/exchange.js';
import { countRequest, isOpen, type RateWindow, secondsLeft } from '../../state/count-request.js';
import { type Sandbox, type Space, type State, serviceSandboxName } from '../../state/state.js';
import { tooManyRequests } from './too-many-requests.js';

const windowSeconds = 60;
export const maxWrongOfCaller = 10;
export const maxWrongOfSubject = 100;

const windows: Space<RateWindow> = { name: 'wrong-codes', maxKeys: 50_000 };

interface Count {
  readonly key: string;
  readonly limit: number;
  readonly of: string;
}

export class WrongCodes {
  readonly #sandbox: Sandbox;

  constructor(state: State) {
    this.#sandbox = state.sandbox(serviceSandboxName);
  }

  /**
   * Tries a code: returns the outcome of `attempt`, and counts it if it `isWrong`. Throws 429 after
   * too many wrong codes of the caller, or for the subject; then even right codes are rejected.
   */
  async try<Outcome>(
    request: Request,
    subject: readonly string[],
    attempt: () => Awaitable<Outcome>,
    isWrong: (outcome: Outcome) => boolean,
  ): Promise<Outcome> {
    const counts = [
      { key: keyOf('caller', ownerOf(request)), limit: maxWrongOfCaller, of: 'from this address' },
      { key: keyOf('subject', ...subject), limit: maxWrongOfSubject, of: 'for this login' },
    ];
    await this.#settle(counts, false);
    const outcome = await attempt();
    // Simultaneous attempts beyond the limit must not learn the outcome.
    await this.#settle(counts, isWrong(outcome));
    return outcome;
  }

  /**
   * Counts a wrong code of a caller whose right codes are always accepted, since many may share the address. Throws 429
   * after `limit` a minute.
   */
  async countWrong(request: Request, what: string, limit: number): Promise<void> {
    const key = keyOf(what, ownerOf(request));
    await this.#settle([{ key, limit, of: 'from this address' }], true);
  }

  async #settle(counts: readonly Count[], isWrong: boolean): Promise<void> {
    const full = await this.#sandbox.transact((view) => {
      for (const { key, ...count } of counts) {
        const window = view.read(windows, key);
        if (isOpen(window, view.nowMs) && window.used >= window.limit) {
          return { ...count, seconds: secondsLeft(window, view.nowMs) };
        }
      }
      for (const { key, limit } of isWrong ? counts : []) {
        const figures = { limit, windowSeconds };
        const { value, ...options } = countRequest(view.read(windows, key), view.nowMs, figures);
        view.write(windows, key, value, options);
      }
      return undefined;
    });
    if (full === undefined) return;
    const { limit, of, seconds } = full;
    throw tooManyRequests(`Only ${limit} wrong codes a minute are accepted ${of}.`, seconds);
  }
}

function keyOf(...names: readonly string[]): string {
  return hash('sha256', JSON.stringify(names), 'base64url');
}

/** Limits wrong codes by pupil, owner, address, and by issuer or user, by the real clock. */

import { hash } from 'node:crypto';
import type { Awaitable } from '#base/awaitable.js';
import { addressOwner, isAddressOwner } from '#base/shares/owner.js';
import { ownerOf } from '#http/address/owner.js';
import type { Request } from '#http/exchange.js';
import { countRequest, isOpen, type RateWindow, secondsLeft } from '#state/count-request.js';
import { type Sandbox, type Space, type State, serviceSandboxName } from '#state/state.js';
import { tooManyRequests } from './too-many-requests.js';

const windowSeconds = 60;
export const maxWrongOfCaller = 10;
export const maxWrongOfSubject = 100;
/** Shared by all pupils of an owner, and by all accounts at an address: each has the limit of a caller as well. */
export const maxWrongOfMany = 100;

const windows: Space<RateWindow> = { name: 'wrong-codes', maxKeys: 50_000 };

interface Count {
  readonly key: string;
  readonly limit: number;
  readonly of: string;
  /** Beyond it, right codes are still accepted, because many callers share it. */
  readonly isShared?: boolean;
}

export class WrongCodes {
  readonly #sandbox: Sandbox;

  constructor(state: State) {
    this.#sandbox = state.sandbox(serviceSandboxName);
  }

  /**
   * Tries a code: returns the outcome of `attempt`, and counts it if it `isWrong`. Throws 429 after too many wrong codes
   * of the caller, or for the subject; then even right codes are rejected, since short ones could be guessed. Beyond
   * what several callers share, only wrong codes are.
   */
  async try<Outcome>(
    request: Request,
    subject: readonly string[],
    attempt: () => Awaitable<Outcome>,
    isWrong: (outcome: Outcome) => boolean,
  ): Promise<Outcome> {
    const counts: Count[] = callersOf(request).map(({ name, of, isShared }) => ({
      key: keyOf('caller', name),
      limit: isShared ? maxWrongOfMany : maxWrongOfCaller,
      ...{ of, isShared },
    }));
    counts.push({
      key: keyOf('subject', ...subject),
      limit: maxWrongOfSubject,
      of: 'for this login',
    });
    await this.#settle(counts, false);
    const outcome = await attempt();
    // Simultaneous attempts beyond the limit must not learn the outcome.
    await this.#settle(counts, isWrong(outcome));
    return outcome;
  }

  /**
   * Counts a wrong code that is too long to be guessed, so that right codes are always accepted. Throws 429 after `limit`
   * a minute of the pupil, the owner or the address.
   */
  async countWrong(request: Request, what: string, limit: number): Promise<void> {
    const callers = callersOf(request);
    await this.#settle(
      callers.map(({ name, of }) => ({ key: keyOf(what, name), limit, of })),
      true,
    );
  }

  /**
   * Counts a wrong code of many callers at one address: right codes are always accepted, which the caller has looked up.
   * Throws 429 after too many wrong ones of the caller, or for the subject, such as a class.
   */
  async countWrongOf(request: Request, subject: readonly string[], of: string): Promise<void> {
    const [what = ''] = subject;
    const counts = callersOf(request).map(({ name, of: ofCaller, isShared }) => ({
      key: keyOf(what, 'caller', name),
      limit: isShared ? maxWrongOfMany : maxWrongOfCaller,
      of: ofCaller,
    }));
    const ofSubject = { key: keyOf(...subject, 'subject'), limit: maxWrongOfSubject, of };
    await this.#settle([...counts, ofSubject], true);
  }

  async #settle(counts: readonly Count[], isWrong: boolean): Promise<void> {
    const full = await this.#sandbox.transact((view) => {
      for (const { key, isShared = false, ...count } of counts) {
        if (isShared && !isWrong) continue;
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

/** Returns the pupil, the owner and the address of a request; the first is the caller, and others share the rest. */
function callersOf(request: Request) {
  const { name, part } = ownerOf(request);
  const address = addressOwner(request.ip);
  const ofOwner = isAddressOwner(name) ? 'from this address' : 'of this account';
  const callers = [
    ...(part === '' ? [] : [{ name: part, of: 'of this pupil' }]),
    { name, of: part === '' ? ofOwner : 'of the classes of this owner' },
    ...(name === address ? [] : [{ name: address, of: 'from this address' }]),
  ];
  return callers.map((each, index) => ({ ...each, isShared: index > 0 }));
}

function keyOf(...names: readonly string[]): string {
  return hash('sha256', JSON.stringify(names), 'base64url');
}

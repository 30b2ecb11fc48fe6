/** Requests of the panel: the sandbox, its clock and its faults. */

import { addressOf, isInSandbox } from '../shared/address-of.js';
import { ApiError, call, callJson } from '../shared/call.js';
import {
  notifyOfChange,
  randomName,
  sandboxOfVisitor,
  storeSandbox,
} from '../shared/visitor/sandbox-name.js';
import { keyToSend } from '../shared/visitor/service-key.js';

export interface SandboxState {
  readonly name: string;
  readonly isShared: boolean;
  readonly clock: Clock;
}

export interface Clock {
  readonly now: string;
  readonly offsetSeconds: number;
}

export interface Plan {
  readonly rules: readonly {
    readonly name: string;
    readonly sequence: readonly object[];
    readonly then: string;
    readonly acted: number;
  }[];
}

const at = (rest = '') => addressOf(`/api/sandbox${rest}`);

export const readSandbox = () => callJson<SandboxState>(at());

/** Switches to a sandbox of this name: by the header, or by the path if the page is below `/s/`. */
export function useSandbox(name: string): void {
  if (isInSandbox()) goTo(addressOf('').replace(/[^/]+$/, name));
  else storeSandbox(name);
}

/** Switches to the sandbox of visitors who name none. */
export function leaveSandbox(): void {
  if (isInSandbox()) goTo(addressOf('').replace(/\/s\/[^/]+$/, ''));
  else storeSandbox('');
}

/** Opens the same page below another root. */
function goTo(root: string): void {
  location.assign(root + location.href.slice(addressOf('').length));
}

export function makeSandbox(): string {
  const name = randomName('mine');
  useSandbox(name);
  return name;
}

/**
 * Creates a sandbox if the visitor has none, because strangers share the default; returns its name.
 */
export async function ownSandbox(): Promise<string | undefined> {
  const { isShared } = await readSandbox();
  return isShared ? makeSandbox() : undefined;
}

export async function resetSandbox(): Promise<void> {
  await call(at(), { method: 'DELETE' });
  notifyOfChange();
}

/** Moves the clock by the difference between its time and the requested one. */
export async function moveClock(to: (clock: Clock) => number): Promise<Clock> {
  const clock = await callJson<Clock>(at('/clock'));
  const moved = await callJson<Clock>(at('/clock'), 'PUT', { offsetSeconds: to(clock) });
  notifyOfChange();
  return moved;
}

export async function readPlan(): Promise<Plan> {
  try {
    return await callJson<Plan>(at('/faults'));
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return { rules: [] };
    throw error;
  }
}

export const startPlan = (plan: unknown) => callJson<Plan>(at('/faults'), 'PUT', plan);

export const endPlan = () => call(at('/faults'), { method: 'DELETE' });

/**
 * Returns a URL of this sandbox. With an account, it is a URL that needs no key; an existing one is
 * reused.
 */
export async function sandboxAddress(): Promise<string> {
  if (isInSandbox()) return addressOf('');
  const sandbox = sandboxOfVisitor() || 'default';
  if (keyToSend() === undefined) return addressOf(`/s/${sandbox}`);
  interface Address {
    readonly address: string;
    readonly sandbox: string;
  }
  try {
    const known = await callJson<readonly Address[]>(at('/address'));
    const own = known.find((each) => each.sandbox === sandbox);
    const { address } = own ?? (await callJson<Address>(at('/address'), 'POST'));
    return addressOf(address.slice(address.indexOf('/s/~')));
  } catch (error) {
    // A service without accounts has no such URLs.
    if (error instanceof ApiError && error.status === 403) return addressOf(`/s/${sandbox}`);
    throw error;
  }
}

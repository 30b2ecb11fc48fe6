/** How often a failure of the short form was given already, `?error=503&times=2`. */

import { hash } from 'node:crypto';
import { addressOwner } from '../../base/address-block.js';
import type { Awaitable } from '../../base/awaitable.js';
import { type Change, type Sandbox, type Space, sharedSandboxName } from '../../state/state.js';

const failuresSpace: Space<number> = { name: 'simulated-failures', maxKeys: 10_000 };

/** Unused for this long, a count in the shared sandbox is forgotten. */
const idleMs = 60 * 60 * 1000;

export const maxTimes = 1000;
export const maxKeyLength = 100;

/**
 * Says whether one more of `times` is to fail, and counts it. In the shared sandbox the counts are those of
 * an address, IPv6 networks being one, since others there may use the same key.
 */
export function isToFail(
  sandbox: Sandbox,
  address: string,
  key: string,
  times: number,
): Awaitable<boolean> {
  const isShared = sandbox.name === sharedSandboxName;
  const holder = isShared ? addressOwner(address) : '';
  const name = hash('sha256', JSON.stringify([holder, key]), 'base64url');
  return sandbox.update(failuresSpace, name, (count = 0, nowMs) =>
    countFailure(count, times, isShared ? nowMs + idleMs : undefined),
  );
}

export function countFailure(
  count: number,
  times: number,
  expiresAtMs?: number,
): Change<number, boolean> {
  const result = count < times;
  return { value: result ? count + 1 : count, result, ...(expiresAtMs && { expiresAtMs }) };
}

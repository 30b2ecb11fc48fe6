/** Counts failures that queries request, such as `?error=503&times=2`. */

import { hash } from 'node:crypto';
import type { Awaitable } from '#base/awaitable.js';
import { addressOwner } from '#base/shares/owner.js';
import { type Sandbox, type Space, sharedSandboxName } from '#state/state.js';

const failuresSpace: Space<number> = { name: 'simulated-failures', maxKeys: 10_000 };

/** Time after which an unused count of the shared sandbox is forgotten. */
const idleMs = 60 * 60 * 1000;

export const maxTimes = 1000;
export const maxKeyLength = 100;

/**
 * Counts a request, and returns whether it is among the first `times`, which fail. In the shared
 * sandbox, each address has its own counts.
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
  return sandbox.update(failuresSpace, name, (count = 0, nowMs) => {
    const result = count < times;
    const end = isShared ? { expiresAtMs: nowMs + idleMs } : {};
    return { value: result ? count + 1 : count, result, ...end };
  });
}

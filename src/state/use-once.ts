import type { Awaitable } from '#base/awaitable.js';
import type { Sandbox, Space } from './state.js';

/** Marks a key as used. Returns whether this was its first use. */
export function useOnce(
  sandbox: Sandbox,
  space: Space<true>,
  key: string,
  expiresAtMs = Number.POSITIVE_INFINITY,
): Awaitable<boolean> {
  return sandbox.update(space, key, (used: true | undefined) => ({
    value: true as const,
    expiresAtMs,
    result: used === undefined,
  }));
}

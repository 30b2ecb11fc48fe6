import type { Sandbox, Space } from '../../state/state.js';

/** Marks a key as used, until it does not count any more. Returns whether this was its first use. */
export async function useOnce(
  sandbox: Sandbox,
  space: Space<true>,
  key: string,
  expiresAtMs?: number,
): Promise<boolean> {
  return sandbox.update(space, key, (used: true | undefined) => ({
    value: true as const,
    ...(expiresAtMs !== undefined && { expiresAtMs }),
    result: !used,
  }));
}

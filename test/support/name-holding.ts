import type { Space, State } from '../../src/state/state.js';

/**
 * Returns the name of the sandbox that has a key of a findable space, as a reader of the key sees
 * it.
 */
export async function nameHolding(
  state: State,
  space: Space<unknown>,
  key: string,
): Promise<string | undefined> {
  const sandbox = await state.sandboxHolding(space, key);
  return (await sandbox?.read(space, key)) === undefined ? undefined : sandbox?.name;
}

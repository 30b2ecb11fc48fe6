/** Hints that a sandbox took. They remain when the sandbox is reset, because they are not given back. */

import type { Sandbox, Space } from '../../state/state.js';

/** Number of hints by challenge. */
export type HintsTaken = Readonly<Record<string, number>>;

export const hintsSpace: Space<HintsTaken> = { name: 'challenge-hints', maxKeys: 1 };
export const hintsKey = 'hints';

/** Resets a sandbox, except the hints that it took. */
export async function resetKeepingHints(sandbox: Sandbox): Promise<void> {
  const taken = await sandbox.read(hintsSpace, hintsKey);
  await sandbox.reset();
  if (taken === undefined) return;
  await sandbox.update(hintsSpace, hintsKey, () => ({ value: taken, result: undefined }));
}

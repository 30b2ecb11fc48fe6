/** Hints that a sandbox took. They remain when the sandbox is reset, because they are not given back. */

import type { Space } from '#state/state.js';

/** Number of hints by challenge. */
export type HintsTaken = Readonly<Record<string, number>>;

export const hintsSpace: Space<HintsTaken> = { name: 'challenge-hints', maxKeys: 1 };
export const hintsKey = 'hints';

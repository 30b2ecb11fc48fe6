/** Sections of the panel, and what the panel does for them. */

import type { SandboxState } from './sandbox-api.js';

export interface Section {
  readonly content: HTMLElement;
  /** Called when the panel opens, and after each change. */
  readonly show: (state: SandboxState) => Promise<void> | void;
}

/** Functions that a section uses. */
export interface Panel {
  /** Runs an action, and shows its result or failure. */
  readonly act: (work: () => Promise<string> | string) => void;
  /** Like {@link act}, but in the visitor's own sandbox, which is created if necessary. */
  readonly actInOwn: (work: () => Promise<string>) => void;
}

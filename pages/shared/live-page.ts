/** Pages that show the state of the sandbox, which they read every two seconds. */

import { attempt } from './attempt.js';
import { byId } from './element.js';
import { addThemeSwitch, applyTheme } from './theme.js';
import { onSandboxChange } from './visitor/sandbox-name.js';

const refreshMs = 2000;

/** `show` runs at first, and when the visitor chooses another sandbox; `refresh` from then on. */
export function showLive(show: () => Promise<void>, refresh: () => Promise<void>): void {
  applyTheme();
  addThemeSwitch();
  onSandboxChange(() => void attempt(show));
  let isReading = false;
  setInterval(async () => {
    if (document.visibilityState !== 'visible' || isReading) return;
    isReading = true;
    // The next turn tries again.
    await refresh().catch(() => undefined);
    isReading = false;
  }, refreshMs);
  void attempt(show);
}

export function onClick(id: string, act: () => Promise<void>): void {
  byId(id, HTMLButtonElement).addEventListener('click', () => void attempt(act));
}

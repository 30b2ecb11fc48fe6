/**
 * Adds sending, copying, filtering and folded parts to the front page, which is readable without
 * scripts.
 */

import { copyFrom } from '../shared/copy-button.js';
import { addThemeSwitch, applyTheme } from '../shared/theme.js';
import { startConsole } from './console.js';
import { sendLive } from './send-live.js';
import { showBaseUrl } from './show-base-url.js';
import { showSandbox } from './show-sandbox.js';
import { watchFolds } from './watch-folds.js';

applyTheme();
document.documentElement.classList.add('has-script');
addThemeSwitch();
startConsole();
showSandbox();
showBaseUrl();
watchFolds();
document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest('button') : null;
  const card = button?.closest<HTMLElement>('.live');
  if (card) void sendLive(card);
  const { copy, copyText } = button?.dataset ?? {};
  if (button === null || (copy ?? copyText) === undefined) return;
  void copyFrom(button, copyText ?? document.getElementById(copy ?? '')?.textContent ?? '');
});

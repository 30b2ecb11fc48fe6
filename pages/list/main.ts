/** Adds copying and the theme to a list, which is readable without scripts. */

import { copyButton } from '../shared/copy-button.js';
import { addThemeSwitch, applyTheme } from '../shared/theme.js';

applyTheme();
addThemeSwitch();
for (const value of document.querySelectorAll<HTMLElement>('[data-value]')) {
  const text = value.textContent ?? '';
  const made = copyButton('Copy', () => text);
  made.className = 'copy';
  made.setAttribute('aria-label', `Copy: ${value.dataset.value}`);
  value.append(made);
}

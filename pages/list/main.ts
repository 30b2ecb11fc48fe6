/** A list of what is below an address: it reads well without this, which adds copying and the theme. */

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

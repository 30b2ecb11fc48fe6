/** Light or dark theme: the system's, until the visitor chooses. */

import { element } from './element.js';
import { readStored, store } from './stored-text.js';

const key = 'practice-api:theme';

type Theme = 'light' | 'dark';

/** Applies the stored choice. */
export function applyTheme(): void {
  const chosen = readStored(key);
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
}

/** Adds the switch at the end of the header. */
export function addThemeSwitch(onChange?: (theme: Theme) => void): void {
  const symbol = element('span', { 'aria-hidden': 'true' }, '◐');
  const made = element('button', { type: 'button', 'aria-label': 'Dark theme' }, symbol);
  const show = () => made.setAttribute('aria-pressed', String(currentTheme() === 'dark'));
  made.addEventListener('click', () => {
    const theme: Theme = currentTheme() === 'dark' ? 'light' : 'dark';
    document.documentElement.dataset.theme = theme;
    store(key, theme);
    onChange?.(theme);
    show();
  });
  // The system's theme may change while the page is open.
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    onChange?.(currentTheme());
    show();
  });
  show();
  document.querySelector('.site-header')?.append(made);
}

export function currentTheme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

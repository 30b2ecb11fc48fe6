/** The language that code is shown in, where a guide has several: chosen once, chosen everywhere. */

import { readStored, store } from '../shared/stored-text.js';

const key = 'practice-api-guides-language';

export function rememberLanguage(): void {
  const choose = (language: string) => {
    for (const input of document.querySelectorAll<HTMLInputElement>('.tabs input')) {
      if (input.value === language) input.checked = true;
    }
  };
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.closest('.tabs') === null) return;
    // Code above may become longer: what was clicked stays where it is.
    const before = target.getBoundingClientRect().top;
    choose(target.value);
    scrollBy({ top: target.getBoundingClientRect().top - before, behavior: 'instant' });
    store(key, target.value);
  });
  const stored = readStored(key);
  if (stored !== null) choose(stored);
}

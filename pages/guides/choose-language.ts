/** The language of code in guides with several languages: chosen once for all. */

import { readStored, store } from '../shared/stored-text.js';
import { showClient } from './offer-clients.js';

const key = 'practice-api-guides-language';

export function rememberLanguage(): void {
  document.addEventListener('change', async ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.closest('.tabs') === null) return;
    // Code above may become longer, so the clicked element keeps its position.
    const before = target.getBoundingClientRect().top;
    store(key, target.value);
    await choose(target.value);
    scrollBy({ top: target.getBoundingClientRect().top - before, behavior: 'instant' });
  });
  const stored = readStored(key);
  if (stored !== null && stored !== 'curl') void choose(stored);
}

async function choose(language: string): Promise<void> {
  const inputs = [...document.querySelectorAll<HTMLInputElement>('.tabs input')];
  const chosen = inputs.filter(({ value }) => value === language);
  for (const input of chosen) input.checked = true;
  if (chosen.some((input) => input.closest('.clients') !== null)) await showClient(language);
}

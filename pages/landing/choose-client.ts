/** The client that examples are shown in: chosen at one of them, chosen at all, and remembered. */

import { readStored, store } from '../shared/stored-text.js';

const key = 'practice-api:client';

export function rememberClient(): void {
  const inputs = [...document.querySelectorAll<HTMLInputElement>('.tabs input')];
  const choose = (client: string) => {
    for (const input of inputs) input.checked = input.value === client;
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
  if (inputs.some(({ value }) => value === stored) && stored !== null) choose(stored);
}

/** Searches all guides in the browser. The index is loaded on first use. */

import { addressOf } from '../shared/address-of.js';
import { byId, element } from '../shared/element.js';
import type { Found, Search } from './search-in.js';

const maxShown = 30;

export function openSearch(): void {
  const dialog = byId('guide-search', HTMLDialogElement);
  const input = byId('search-text', HTMLInputElement);
  const outcome = byId('search-outcome', HTMLParagraphElement);
  const list = byId('search-found', HTMLOListElement);
  let search: Promise<Search> | undefined;

  const open = () => {
    if (dialog.open) return;
    search ??= import('./search-index.js').then(({ loadSearch }) => loadSearch());
    dialog.showModal();
    input.select();
  };
  byId('search-open', HTMLButtonElement).addEventListener('click', open);
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.closest('input, select');
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
    event.preventDefault();
    open();
  });
  input.addEventListener('input', () => void show());
  // Enter opens the first result instead of closing the dialog.
  dialog.querySelector('form')?.addEventListener('submit', (event) => {
    const [first] = list.querySelectorAll('a');
    if (event.submitter === document.activeElement || first === undefined) return;
    event.preventDefault();
    first.click();
  });
  dialog.addEventListener('keydown', (event) =>
    moveByArrows(event, [input, ...list.querySelectorAll('a')]),
  );
  // The result may be on the current page.
  list.addEventListener('click', () => dialog.close());

  async function show(): Promise<void> {
    const text = input.value.trim();
    try {
      const found = text === '' ? [] : ((await search)?.(text) ?? []);
      // Ignores results for a text that has changed.
      if (text !== input.value.trim()) return;
      list.replaceChildren(...found.slice(0, maxShown).map(item));
      outcome.textContent = text === '' ? '' : said(found.length);
    } catch {
      search = undefined;
      outcome.textContent = 'The index cannot be loaded. Is the service running?';
    }
  }
}

function said(count: number): string {
  if (count === 0) return 'No results.';
  return count === 1 ? '1 result' : `${count} results`;
}

function item({ title, page, at }: Found): HTMLElement {
  const link = element('a', { href: addressOf(`/guides/${at}`) }, title);
  return element('li', {}, link, ...(title === page ? [] : [element('span', {}, page)]));
}

function moveByArrows(event: KeyboardEvent, stops: readonly HTMLElement[]): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  const place = stops.indexOf(document.activeElement as HTMLElement);
  if (step === 0 || place < 0) return;
  event.preventDefault();
  stops[place + step]?.focus();
}

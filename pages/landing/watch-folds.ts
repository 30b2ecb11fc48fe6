/**
 * Loads folded parts on first use: an area's content, and the search. Links and printing unfold.
 */

import { byId } from '../shared/element.js';

/** Areas that links, or printing, have opened. */
const areas = () => document.querySelectorAll<HTMLDetailsElement>('.area');

export function watchFolds(): void {
  // The event does not bubble, so it is captured.
  document.addEventListener('toggle', ({ target }) => void fill(target), true);
  for (const area of areas()) if (area.open) void fill(area);

  addEventListener('hashchange', openTarget);
  openTarget();
  addEventListener('beforeprint', () => {
    for (const area of areas()) area.open = true;
  });

  const filter = byId('filter', HTMLInputElement);
  const start = async () => (await import('./find-as-typed.js')).findAsTyped(filter);
  filter.addEventListener('focus', () => void start(), { once: true });
  // A reload keeps the entered text.
  if (filter.value !== '') void start();
}

async function fill(target: EventTarget | null): Promise<void> {
  if (!(target instanceof HTMLDetailsElement) || !target.open) return;
  if (!target.classList.contains('area') || target.dataset.isFilled !== undefined) return;
  target.dataset.isFilled = '';
  (await import('./fill-area.js')).fillArea(target);
}

/** Browsers unfold the target of a link, except if it was folded again. */
function openTarget(): void {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const area = target?.closest<HTMLDetailsElement>('.area');
  if (!area || area.open) return;
  area.open = true;
  target?.scrollIntoView();
}

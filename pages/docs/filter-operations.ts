/** Shows the operations that contain what is typed, best first, in place of the areas. */

import { byId } from '../shared/element.js';

export function filterAsTyped(): void {
  const input = byId('filter', HTMLInputElement);
  const outline = byId('outline', HTMLDivElement);
  const results = byId('results', HTMLUListElement);
  const none = byId('none', HTMLParagraphElement);
  const rows = [...outline.querySelectorAll<HTMLLIElement>('.area li')];
  const homes = new Map(rows.map((row) => [row, row.parentElement]));
  const texts = new Map(rows.map((row) => [row, textOf(row)]));
  const apply = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of rows) homes.get(row)?.append(row);
    const found = rows.filter((row) => words.every((word) => texts.get(row)?.includes(word)));
    const isFiltered = words.length > 0;
    if (isFiltered) {
      results.append(...found.sort((one, other) => rankOf(one, words) - rankOf(other, words)));
    }
    outline.hidden = isFiltered;
    none.hidden = !isFiltered || found.length > 0;
    none.textContent = `No operation contains “${input.value.trim()}”. Search the guides with Ctrl+K.`;
  };
  input.addEventListener('input', apply);
  input.closest('p')?.removeAttribute('hidden');
  // A reload keeps the entered text.
  if (input.value !== '') apply();
}

function textOf(row: HTMLElement): string {
  const title = row.closest('.area')?.querySelector('h3')?.textContent ?? '';
  return `${row.textContent} ${title}`.toLowerCase().replaceAll(/\s+/g, ' ');
}

/** Paths that end in a word come before paths that contain it, and short ones before long ones. */
function rankOf(row: HTMLElement, words: readonly string[]): number {
  const path = row.querySelector<HTMLElement>('a.row')?.dataset.path?.toLowerCase() ?? '';
  const best = words.some((word) => path === word || path.endsWith(`/${word}`));
  const inPath = words.some((word) => path.includes(word));
  return (best ? 0 : inPath ? 1000 : 2000) + path.length;
}

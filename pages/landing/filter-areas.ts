/** Leaves the areas and endpoints in sight that have what someone types. */

import { byId } from '../shared/element.js';

const input = byId('filter', HTMLInputElement);
const outcome = byId('filter-outcome', HTMLParagraphElement);
const noMatch = byId('no-match', HTMLParagraphElement);

interface Entry {
  readonly element: HTMLElement;
  readonly text: string;
}

interface AreaEntry extends Entry {
  readonly link: HTMLElement | null;
  readonly endpoints: readonly Entry[];
}

const areas: readonly AreaEntry[] = all(document, '.area').map((area) => ({
  element: area,
  text: textOf(area.querySelector('header')),
  link: document.querySelector<HTMLElement>(`.rail li:has(a[href="#${area.id}"])`),
  endpoints: all(area, '.endpoints li').map((each) => ({ element: each, text: textOf(each) })),
}));

export function filterAsTyped(): void {
  input.addEventListener('input', apply);
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.closest('input, select');
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
    event.preventDefault();
    input.focus();
  });
  // A reload keeps what was typed.
  if (input.value !== '') apply();
}

function apply(): void {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (text: string) => words.every((word) => text.includes(word));
  let count = 0;
  for (const { element, text, link, endpoints } of areas) {
    const isWhole = has(text);
    let shown = 0;
    for (const endpoint of endpoints) {
      const isShown = isWhole || has(`${text} ${endpoint.text}`);
      endpoint.element.hidden = !isShown;
      if (isShown) shown += 1;
    }
    const isShown = isWhole || shown > 0;
    element.hidden = !isShown;
    if (link !== null) link.hidden = !isShown;
    count += shown;
  }
  noMatch.hidden = areas.some(({ element }) => !element.hidden);
  outcome.textContent = words.length === 0 ? '' : `${count} endpoints`;
}

function textOf(element: Element | null): string {
  return (element?.textContent ?? '').replace(/\s+/g, ' ').toLowerCase();
}

function all(within: ParentNode, selector: string): HTMLElement[] {
  return [...within.querySelectorAll<HTMLElement>(selector)];
}

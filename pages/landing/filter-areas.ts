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
  /** What stands beside the endpoints: examples and credentials. */
  readonly others: readonly Entry[];
}

const areas: readonly AreaEntry[] = all(document, '.area').map((area) => ({
  element: area,
  text: textOf(area.querySelector('header')),
  link: document.querySelector<HTMLElement>(`.rail li:has(a[href="#${area.id}"])`),
  endpoints: entries(area, '.endpoints li'),
  others: entries(area, '.example, .credentials'),
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
  for (const { element, text, link, endpoints, others } of areas) {
    const found = endpoints.filter((endpoint) => has(endpoint.text));
    // An area is shown whole when it is what was meant, rather than some of its endpoints.
    const isWhole = words.length === 0 || (found.length === 0 && has(text));
    for (const entry of endpoints) entry.element.hidden = !isWhole && !found.includes(entry);
    for (const entry of others) entry.element.hidden = !isWhole && !has(entry.text);
    element.hidden = !isWhole && found.length === 0;
    if (link !== null) link.hidden = element.hidden;
    count += isWhole ? endpoints.length : found.length;
  }
  noMatch.hidden = areas.some(({ element }) => !element.hidden);
  outcome.textContent = words.length === 0 ? '' : `${count} endpoints`;
}

function entries(within: ParentNode, selector: string): Entry[] {
  return all(within, selector).map((element) => ({ element, text: textOf(element) }));
}

function textOf(element: Element | null): string {
  return (element?.textContent ?? '').replace(/\s+/g, ' ').toLowerCase();
}

function all(within: ParentNode, selector: string): HTMLElement[] {
  return [...within.querySelectorAll<HTMLElement>(selector)];
}

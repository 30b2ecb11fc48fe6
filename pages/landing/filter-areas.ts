/** Filters areas and endpoints by the entered text, and unfolds matching areas. */

import { byId } from '../shared/element.js';
import { fillEndpoints } from './fill-area.js';

const outcome = byId('filter-outcome', HTMLParagraphElement);
const noMatch = byId('no-match', HTMLParagraphElement);

interface Entry {
  readonly element: HTMLElement;
  readonly text: string;
}

interface AreaEntry {
  readonly element: HTMLDetailsElement;
  readonly text: string;
  readonly endpoints: readonly Entry[];
  /** Examples next to the endpoints. */
  readonly others: readonly Entry[];
}

/** Areas that were open before the filter. */
let opened: ReadonlySet<Element> | undefined;

export async function filterAsTyped(input: HTMLInputElement): Promise<void> {
  const areas = all<HTMLDetailsElement>(document, '.area');
  await Promise.all(areas.map(fillEndpoints));
  const entries = areas.map((area) => ({
    element: area,
    text: textOf(area.querySelector('summary')),
    endpoints: entriesOf(area, '.endpoints li, .credentials li'),
    others: entriesOf(area, '.example'),
  }));
  const run = () => apply(input.value.toLowerCase().split(/\s+/).filter(Boolean), entries);
  input.addEventListener('input', run);
  if (input.value !== '') run();
}

function apply(words: readonly string[], areas: readonly AreaEntry[]): void {
  const has = (text: string) => words.every((word) => text.includes(word));
  opened ??= new Set(areas.filter(({ element }) => element.open).map(({ element }) => element));
  let count = 0;
  for (const { element, text, endpoints, others } of areas) {
    const found = endpoints.filter((endpoint) => has(endpoint.text));
    // A matching area is shown with all its endpoints.
    const isWhole = words.length === 0 || (found.length === 0 && has(text));
    for (const entry of endpoints) entry.element.hidden = !isWhole && !found.includes(entry);
    for (const entry of others) entry.element.hidden = !isWhole && !has(entry.text);
    element.hidden = !isWhole && found.length === 0;
    element.open = words.length === 0 ? opened.has(element) : !isWhole && found.length > 0;
    count += isWhole ? endpoints.length : found.length;
  }
  if (words.length === 0) opened = undefined;
  noMatch.hidden = areas.some(({ element }) => !element.hidden);
  outcome.textContent = words.length === 0 ? '' : `${count} endpoints`;
}

function entriesOf(within: ParentNode, selector: string): Entry[] {
  return all(within, selector).map((element) => ({ element, text: textOf(element) }));
}

function textOf(element: Element | null): string {
  return (element?.textContent ?? '').replace(/\s+/g, ' ').toLowerCase();
}

function all<Kind extends HTMLElement>(within: ParentNode, selector: string): Kind[] {
  return [...within.querySelectorAll<Kind>(selector)];
}

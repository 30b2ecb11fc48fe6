/** Shows what a search has found: a list of links, each with its line, and never a dead end. */

import { addressOf } from '../shared/address-of.js';
import { button, element } from '../shared/element.js';
import './results.css';
import type { Found, Outcome, Search } from './find.js';
import { loadSearch } from './load.js';

const maxShown = 30;

/** Links for a text without results. */
const starts = [
  ['Getting started', '/guides/getting-started'],
  ['All guides', '/guides'],
  ['API reference', '/docs'],
] as const;

interface Parts {
  readonly input: HTMLInputElement;
  /** Says how many results there are. */
  readonly outcome: HTMLElement;
  readonly list: HTMLElement;
}

/** Makes the function that shows the results for the entered text. */
export function resultsIn({ input, outcome, list }: Parts): () => Promise<void> {
  const show = async () => {
    const text = input.value.trim();
    try {
      const search: Search = await loadSearch();
      // Ignores results for a text that has changed.
      if (text !== input.value.trim()) return;
      const result = search(text);
      const { found } = result;
      const shown = found.slice(0, maxShown).map(item);
      const start = ([title, path]: (typeof starts)[number]) =>
        element('li', {}, element('a', { href: addressOf(path) }, element('b', {}, title)));
      list.replaceChildren(...(text !== '' && found.length === 0 ? starts.map(start) : shown));
      outcome.replaceChildren(...(text === '' ? [] : said(text, result, tryWord)));
    } catch {
      outcome.textContent = 'The search could not be loaded. Is the service running?';
    }
  };
  const tryWord = (word: string) => {
    input.value = word;
    input.focus();
    input.dispatchEvent(new Event('input', { bubbles: true }));
  };
  return show;
}

function said(
  text: string,
  { found, isWhole, similar }: Outcome,
  tryWord: (word: string) => void,
): (Node | string)[] {
  const count = found.length === 1 ? '1 result' : `${found.length} results`;
  if (found.length > 0 && isWhole) return [count];
  const start =
    found.length > 0 ? `${count} with some of these words.` : `No results for “${text}”.`;
  if (similar.length === 0) return [found.length > 0 ? start : `${start} Try a shorter word, or:`];
  const words = similar.flatMap((word) => [' ', button(word, () => tryWord(word))]);
  return [`${start} Try`, ...words];
}

function item({ title, where, path, line }: Found): HTMLElement {
  const pieces = line.map((piece, index) => (index % 2 === 1 ? element('mark', {}, piece) : piece));
  return element(
    'li',
    {},
    element(
      'a',
      { href: addressOf(path) },
      element('b', {}, title),
      element('i', {}, where),
      ...(line.join('') === '' ? [] : [element('span', {}, ...pieces)]),
    ),
  );
}

/** Moves between the input and the results; on the results, typing continues in the input. */
export function moveByArrows(event: KeyboardEvent, input: HTMLElement, list: HTMLElement): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  const stops = [input, ...list.querySelectorAll('a')];
  const place = stops.indexOf(document.activeElement as HTMLElement);
  if (step === 0 || place < 0) return;
  event.preventDefault();
  stops[place + step]?.focus();
}

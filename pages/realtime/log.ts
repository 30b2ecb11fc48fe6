/** The log of a connection, the newest entry first, limited to a few hundred. */

import { element } from '../shared/element.js';

const maxEntries = 300;
const maxShownLength = 2000;

export type Kind = 'received' | 'sent' | 'failed' | 'status';

/** Makes the function that adds an entry: its kind, in one word, and its text. */
export function logIn(list: HTMLOListElement) {
  return (kind: Kind, what: string, text: string): void => {
    const isLong = text.length > maxShownLength;
    const shown = isLong ? `${text.slice(0, maxShownLength)}… (${text.length} characters)` : text;
    const entry = element(
      'li',
      { class: kind },
      element('span', { class: 'what' }, what),
      element('span', { class: 'text code' }, shown),
    );
    list.prepend(entry);
    while (list.children.length > maxEntries) list.lastElementChild?.remove();
  };
}

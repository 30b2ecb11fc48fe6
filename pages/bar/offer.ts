/**
 * Offers a sandbox after a write to the shared one, without blocking the page, until the visitor
 * chooses.
 */

import './panel.css';
import { button, element } from '../shared/element.js';
import { randomName, storeSandbox } from '../shared/sandbox-name.js';

let offer: HTMLElement | undefined;

export function offerSandbox(opener: HTMLElement): void {
  if (offer !== undefined) return;
  const text = element('p', { role: 'status' });
  const response = (name: string) => {
    storeSandbox(name);
    offer?.remove();
    offer = undefined;
    opener.focus();
  };
  const made = button('New sandbox', () => response(randomName('mine')), { class: 'bar-main' });
  const stay = button('Stay in the shared one', () => response(''));
  offer = element(
    'aside',
    { class: 'bar-offer', 'aria-label': 'Your own sandbox' },
    text,
    element('div', { class: 'bar-row' }, made, stay),
  );
  document.body.append(offer);
  // Screen readers announce only changes in an existing region.
  text.textContent =
    'That request went to the shared sandbox. In your own sandbox, only you see and change the data.';
}

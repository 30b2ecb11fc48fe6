/** An offer of a sandbox to who wrote to the shared one: it is in nobody's way, and comes until it is answered. */

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
    { class: 'bar-offer', 'aria-label': 'A sandbox of your own' },
    text,
    element('div', { class: 'bar-row' }, made, stay),
  );
  document.body.append(offer);
  // Only what changes in a region that is there already is read aloud.
  text.textContent =
    'That request went to the sandbox that everyone shares. In your own sandbox, nobody else sees or changes your data.';
}

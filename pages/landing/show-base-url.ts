/** Shows the base URL to write in place of the one in a tutorial. */

import { addressOf } from '../shared/address-of.js';
import { byId } from '../shared/element.js';
import { onSandboxChange, sandboxToSend } from '../shared/visitor/sandbox-name.js';
import { onKeyChange } from '../shared/visitor/service-key.js';

export function showBaseUrl(): void {
  const choice = byId('asks-api', HTMLSelectElement);
  const show = () => {
    const name = sandboxToSend();
    const isChosen = choice.value !== '';
    const base = addressOf((name === undefined ? '' : `/s/${name}`) + choice.value);
    byId('asks-base', HTMLElement).textContent = isChosen ? base : '';
    byId('asks-copy', HTMLButtonElement).hidden = !isChosen;
  };
  choice.addEventListener('change', show);
  onSandboxChange(show);
  onKeyChange(show);
  show();
}

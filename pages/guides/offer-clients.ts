/** Tabs above the commands that send a request: the same request for other clients. Without scripts, curl is shown. */

import { addressOf } from '../shared/address-of.js';
import { element } from '../shared/element.js';
import type { Example } from './example.js';

/** As `clients` has them; what writes the code of others is loaded when one is chosen. */
const names = ['curl', 'PowerShell', 'fetch', 'Python', 'HTTPie'];

/** What a guide came with, by the element that shows it. */
const commands = new Map<HTMLElement, readonly Node[]>();

export function offerClients(): void {
  const blocks = document.querySelectorAll<HTMLElement>('.console:has(.call[data-request])');
  for (const [index, block] of [...blocks].entries()) block.prepend(tabsOf(`client-${index + 1}`));
}

/** Shows every request for the client, where it has a way to send just that; where it has none, for curl. */
export async function showClient(name: string): Promise<void> {
  const isCurl = name === 'curl';
  const written = isCurl ? undefined : await import('./write-for-client.js');
  for (const call of document.querySelectorAll<HTMLElement>('.call[data-request]')) {
    const code = call.querySelector<HTMLElement>('.command code');
    if (code === null) continue;
    if (!commands.has(code)) commands.set(code, [...code.childNodes]);
    const example = JSON.parse(call.dataset.request ?? '{}') as Example;
    const printed = call.querySelector('.printed')?.textContent ?? '';
    const parts = written?.writeForClient(name, example, printed, addressOf(''));
    code.replaceChildren(...(parts ?? commands.get(code) ?? []));
    call.classList.toggle('is-program', parts !== undefined && name !== 'HTTPie');
  }
}

function tabsOf(id: string): HTMLElement {
  const choices = names.flatMap((name, index) => [
    element('input', {
      type: 'radio',
      name: id,
      id: `${id}-${index}`,
      value: name,
      checked: index === 0,
    }),
    element('label', { for: `${id}-${index}` }, name),
  ]);
  const legend = element('legend', { class: 'unseen' }, 'Client');
  return element('fieldset', { class: 'tabs clients' }, legend, ...choices);
}

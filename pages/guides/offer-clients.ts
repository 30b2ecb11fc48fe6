/**
 * Adds tabs with other clients above commands that send a request. Without scripts, only curl is
 * shown.
 */

import { addressOf } from '../shared/address-of.js';
import { element } from '../shared/element.js';
import type { Example } from './example.js';

/** The same names as in `clients`; their code is loaded when one of them is chosen. */
const names = ['curl', 'PowerShell', 'fetch', 'Python', 'HTTPie'];

/** Original content of each element. */
const commands = new Map<HTMLElement, readonly Node[]>();

export function offerClients(): void {
  const blocks = document.querySelectorAll<HTMLElement>('.console:has(.call[data-request])');
  for (const [index, block] of [...blocks].entries()) block.prepend(tabsOf(`client-${index + 1}`));
}

/** Shows every request for a client, if it can send exactly that request, or else for curl. */
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

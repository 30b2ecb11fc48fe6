/** The sandbox for another program: as a header, as a URL, as a curl command. */

import { addressOf, isInSandbox } from '../shared/address-of.js';
import { copyFrom } from '../shared/copy-button.js';
import { button, element } from '../shared/element.js';
import { sandboxToSend } from '../shared/visitor/sandbox-name.js';
import { keyToSend } from '../shared/visitor/service-key.js';
import { readSandbox, sandboxAddress } from './sandbox-api.js';
import type { Panel, Section } from './section.js';

export function copySection({ actInOwn }: Panel): Section {
  const copied = element('pre', { class: 'bar-copied', tabindex: 0, hidden: true });
  const copy = (label: string, text: () => Promise<string> | string) => {
    const made = button(label, () =>
      actInOwn(async () => {
        const given = await text();
        copied.textContent = given;
        shownName = (await readSandbox()).name;
        copied.hidden = false;
        await copyFrom(made, given);
        return '';
      }),
    );
    return made;
  };
  let shownName: string | undefined;
  copied.setAttribute('role', 'group');
  copied.setAttribute('aria-label', 'To use this sandbox');
  const asHeader = copy('Copy as header', () => headers().join('\n'));
  return {
    content: element(
      'section',
      { class: 'bar-section', 'aria-labelledby': 'bar-copy-title' },
      element('h3', { id: 'bar-copy-title' }, 'Use it in a terminal or a program'),
      element(
        'div',
        { class: 'bar-row' },
        asHeader,
        copy('as URL', sandboxAddress),
        copy('as curl', curl),
      ),
      copied,
    ),
    show({ name, isShared }) {
      // The shown text belongs to another sandbox.
      if (name !== shownName) copied.textContent = curl();
      copied.hidden = isShared;
      shownName = name;
      // The URL already contains the sandbox.
      asHeader.hidden = isInSandbox();
    },
  };
}

/** The key stays a variable, because a copied command may be pasted where others can see it. */
function headers(): string[] {
  const name = sandboxToSend();
  return [
    ...(keyToSend() === undefined ? [] : ['X-Service-Key: $SERVICE_KEY']),
    ...(name === undefined ? [] : [`X-Sandbox: ${name}`]),
  ];
}

function curl(): string {
  const fields = headers().map((each) => ` -H "${each}"`);
  return `curl${fields.join('')} ${addressOf('/api/Books/1')}`;
}

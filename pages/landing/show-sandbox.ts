/** Says below the console which sandbox its requests go to, and how a terminal uses it. */

import { addressOf } from '../shared/address-of.js';
import { copyButton } from '../shared/copy-button.js';
import { byId, element } from '../shared/element.js';
import { onSandboxChange, sandboxToSend } from '../shared/visitor/sandbox-name.js';
import { onKeyChange } from '../shared/visitor/service-key.js';

export function showSandbox(): void {
  const place = byId('console-sandbox', HTMLParagraphElement);
  const show = () => {
    const name = sandboxToSend();
    place.hidden = name === undefined;
    if (name === undefined) return;
    const command = `curl -H "X-Sandbox: ${name}" ${addressOf('/api/Books/1')}`;
    const copy = copyButton('Copy', () => command);
    copy.className = 'copy small';
    place.replaceChildren(
      'Requests of this page go to your sandbox, a copy of all data that only you change. In a terminal: ',
      element('code', {}, command),
      ' ',
      copy,
    );
  };
  onSandboxChange(show);
  onKeyChange(show);
  show();
}

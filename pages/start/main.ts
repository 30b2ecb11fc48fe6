/** Puts the sandbox of the visitor into the lines of a door, and copies them. */

import { addressOf } from '../shared/address-of.js';
import { copyFrom } from '../shared/copy-button.js';
import { addThemeSwitch, applyTheme } from '../shared/theme.js';
import { onSandboxChange, sandboxToSend } from '../shared/visitor/sandbox-name.js';
import { onKeyChange } from '../shared/visitor/service-key.js';

const baseMark = '{base}';

applyTheme();
document.documentElement.classList.add('has-script');
addThemeSwitch();

function fillIn(): void {
  const name = sandboxToSend();
  const root = addressOf('/').replace(/\/$/, '');
  const base = name === undefined ? root : `${root}/s/${name}`;
  for (const code of document.querySelectorAll<HTMLElement>('[data-line]')) {
    const text = (code.dataset.line ?? '').replaceAll(baseMark, base);
    // A base URL breaks after a slash; a line does not break.
    const parts = code.closest('.base') ? text.split(/(?<=[^/]\/)(?!\/)/) : [text];
    code.replaceChildren(
      ...parts.flatMap((part) => [document.createElement('wbr'), part]).slice(1),
    );
  }
}

onSandboxChange(fillIn);
onKeyChange(fillIn);
fillIn();
document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest('button') : null;
  const code = button?.parentElement?.querySelector('[data-line]');
  if (button !== null && code) void copyFrom(button, code.textContent ?? '');
});

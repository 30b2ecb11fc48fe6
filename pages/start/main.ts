/** Puts the sandbox of the visitor into the lines of a door, and copies them. */

import { addressOf } from '../shared/address-of.js';
import { copyFrom } from '../shared/copy-button.js';
import { element } from '../shared/element.js';
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
    code.replaceChildren(...(code.closest('.base') ? breakable(text) : shortened(text, base)));
    code.title = text;
  }
}

/** A base URL breaks after a slash. */
const breakable = (url: string) =>
  url.split(/(?<=[^/]\/)(?!\/)/).flatMap((part, at) => (at > 0 ? [element('wbr'), part] : [part]));

/** A line does not break: the base URL in it, which all lines have, is cut, so that the path is seen. */
const shortened = (line: string, base: string) =>
  line.split(base).flatMap((part, at) => (at > 0 ? [element('span', {}, base), part] : [part]));

onSandboxChange(fillIn);
onKeyChange(fillIn);
fillIn();
document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest('button') : null;
  const code = button?.parentElement?.querySelector('[data-line]');
  if (button !== null && code) void copyFrom(button, code.textContent ?? '');
});

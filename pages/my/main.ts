import { addThemeSwitch, applyTheme } from '../shared/theme.js';
import { sandboxToSend } from '../shared/visitor/sandbox-name.js';

applyTheme();
addThemeSwitch();
nameOwnSandbox(document.body, sandboxToSend());

/** Replaces the example of a sandbox by the sandbox of this browser. */
function nameOwnSandbox(within: HTMLElement, name: string | undefined): void {
  if (name === undefined) return;
  const example = 's/my-suite';
  for (const link of within.querySelectorAll<HTMLAnchorElement>(`main a[href^="${example}"]`)) {
    link.setAttribute('href', link.getAttribute('href')?.replace(example, `s/${name}`) ?? '');
  }
  const texts = document.createTreeWalker(within, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    text.nodeValue = text.nodeValue?.replaceAll(`/${example}`, `/s/${name}`) ?? '';
  }
}

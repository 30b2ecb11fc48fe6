/** The API reference: an outline in the page itself, then the viewer of the description. */

import { addressOf } from '../shared/address-of.js';
import { call } from '../shared/call.js';
import { byId } from '../shared/element.js';
import { addThemeSwitch, applyTheme, currentTheme } from '../shared/theme.js';
import type { Description } from './description.js';

applyTheme();
applyToViewer(currentTheme());
addThemeSwitch(applyToViewer);

try {
  const [description, { showViewer }] = await Promise.all([read(), import('./viewer.js')]);
  await showViewer(description, byId('viewer', HTMLDivElement));
} catch (error) {
  const notice = byId('notice', HTMLParagraphElement);
  notice.textContent = `The viewer could not be loaded, so you cannot send requests from here. ${String(error)}`;
  notice.hidden = false;
}

async function read(): Promise<Description> {
  const response = await call(addressOf('/openapi.json'));
  return (await response.json()) as Description;
}

/** The viewer reads its theme from this class. */
function applyToViewer(theme: 'light' | 'dark'): void {
  document.documentElement.classList.toggle('dark-mode', theme === 'dark');
}

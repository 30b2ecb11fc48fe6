/** Opens the search from every page: by its button, Ctrl+K and the slash. */

import { byId } from '../shared/element.js';

const opener = byId('search-open', HTMLButtonElement);

async function open(): Promise<void> {
  const { openDialog } = await import('./dialog.js');
  openDialog();
}

opener.addEventListener('click', () => void open());
document.addEventListener('keydown', (event) => {
  const { key, target, ctrlKey, metaKey, altKey } = event;
  const isTyping =
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest('input, select, textarea') !== null);
  const isSlash = key === '/' && !ctrlKey && !metaKey && !altKey && !isTyping;
  const isShortcut = key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey;
  if (!isSlash && !isShortcut) return;
  event.preventDefault();
  void open();
});
opener.hidden = false;

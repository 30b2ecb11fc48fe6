/** Opens the search from every page: by its button, Ctrl+K and the slash. */

import { byId } from '../shared/element.js';

const opener = byId('search-open', HTMLButtonElement);

async function open(): Promise<void> {
  const typed: string[] = [];
  // People type at once, while the dialog is still loaded.
  const keep = (event: KeyboardEvent) => {
    if (event.key.length > 1 || event.ctrlKey || event.metaKey || event.altKey) return;
    typed.push(event.key);
    event.preventDefault();
  };
  document.addEventListener('keydown', keep);
  const { openDialog } = await import('./dialog.js').finally(() =>
    document.removeEventListener('keydown', keep),
  );
  openDialog(typed.join(''));
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

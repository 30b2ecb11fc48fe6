/** The dialog of a page for what cannot be undone. */

import { byId } from './element.js';

/** Asks before something that cannot be undone. */
export function confirm(question: string, yes: string): Promise<boolean> {
  const dialog = byId('confirm', HTMLDialogElement);
  byId('confirm-question', HTMLParagraphElement).textContent = question;
  byId('confirm-yes', HTMLButtonElement).textContent = yes;
  dialog.returnValue = 'no';
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes'), { once: true });
  });
}

/** The page's dialog before irreversible actions. */

import { byId } from './element.js';

/** Asks the visitor before an irreversible action. */
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

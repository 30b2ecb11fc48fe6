/** The dialog before irreversible actions. */

import { element } from './element.js';

/** Asks the visitor before an irreversible action. */
export function confirm(question: string, yes: string, no = 'Keep it'): Promise<boolean> {
  const dialog = element(
    'dialog',
    { 'aria-labelledby': 'confirm-question' },
    element(
      'form',
      { method: 'dialog' },
      element('p', { id: 'confirm-question' }, question),
      element(
        'div',
        { class: 'row choices' },
        element('button', { value: 'yes', class: 'danger', id: 'confirm-yes' }, yes),
        element('button', { value: 'no' }, no),
      ),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    const close = () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes');
    };
    dialog.addEventListener('close', close, { once: true });
  });
}

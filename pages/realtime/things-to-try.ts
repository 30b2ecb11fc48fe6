/** Buttons that fill in a form of a panel, and submit it. */

import { byId } from '../shared/element.js';

for (const list of document.querySelectorAll<HTMLElement>('.tries')) {
  const { for: form = '', field = '' } = list.dataset;
  list.addEventListener('click', ({ target }) => {
    if (!(target instanceof HTMLButtonElement)) return;
    const { value = '' } = target.dataset;
    const filled = document.getElementById(field);
    if (filled instanceof HTMLInputElement || filled instanceof HTMLTextAreaElement) {
      filled.value = value;
    }
    byId(form, HTMLFormElement).requestSubmit();
  });
}

/** Buttons that fill in a form of a panel and submit it, and press a button once it is connected. */

import { byId } from '../shared/element.js';

/** No message says when a subscription has begun. */
const settleMs = 300;

let waiting: MutationObserver | undefined;

for (const list of document.querySelectorAll<HTMLElement>('.tries')) {
  const { for: form = '', field = '', state = '' } = list.dataset;
  list.addEventListener('click', ({ target }) => {
    if (!(target instanceof HTMLButtonElement)) return;
    const { value = '', press } = target.dataset;
    const filled = document.getElementById(field);
    if (filled instanceof HTMLInputElement || filled instanceof HTMLTextAreaElement) {
      filled.value = value;
    }
    waiting?.disconnect();
    if (press !== undefined) pressOnceOpen(byId(state, HTMLElement), press);
    byId(form, HTMLFormElement).requestSubmit();
  });
}

function pressOnceOpen(state: HTMLElement, id: string): void {
  waiting = new MutationObserver(() => {
    if (state.dataset.state !== 'open') return;
    waiting?.disconnect();
    setTimeout(() => byId(id, HTMLButtonElement).click(), settleMs);
  });
  waiting.observe(state, { attributes: true, attributeFilter: ['data-state'] });
}

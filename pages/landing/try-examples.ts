/** The buttons of the examples: one copies the code in sight, one sends the request from this page. */

import { addressOf } from '../shared/address-of.js';
import { answerLine, answerText } from '../shared/answer-view.js';
import { copyFrom } from '../shared/copy-button.js';
import { element } from '../shared/element.js';
import { type RequestToSend, sendRequest } from '../shared/send-request.js';

export function listenToButtons(): void {
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('button') : null;
    if (button === null) return;
    const example = button.closest<HTMLElement>('.example');
    const { copy, copyText, copyCode } = button.dataset;
    if (copyText !== undefined) void copyFrom(button, copyText);
    if (copy !== undefined) void copyFrom(button, document.getElementById(copy)?.textContent ?? '');
    if (example !== null && copyCode !== undefined) void copyFrom(button, shownCode(example));
    if (example !== null && button.classList.contains('try')) void tryExample(example, button);
  });
}

function shownCode(example: HTMLElement): string {
  const client = example.querySelector<HTMLInputElement>('.tabs :checked')?.value;
  return example.querySelector(`[data-client="${client}"]`)?.textContent ?? '';
}

async function tryExample(example: HTMLElement, button: HTMLButtonElement): Promise<void> {
  const request = JSON.parse(example.dataset.request ?? '{}') as RequestToSend;
  const output = example.querySelector<HTMLElement>('.answer');
  if (output === null || button.getAttribute('aria-busy') === 'true') return;
  button.setAttribute('aria-busy', 'true');
  try {
    const answer = await sendRequest(request);
    const label = `Answer: ${example.querySelector('h3')?.textContent ?? ''}`;
    const isPicture = answer.contentType.startsWith('image/');
    output.replaceChildren(
      answerLine(answer),
      ...(isPicture ? [element('img', { src: addressOf(request.path), alt: 'As drawn' })] : []),
      element(
        'pre',
        { tabindex: 0, role: 'group', 'aria-label': label },
        element('code', {}, ...answerText(answer)),
      ),
    );
  } catch {
    const failed = element('span', { class: 'failed' }, 'Nothing came back. Is the service up?');
    output.replaceChildren(element('p', { class: 'answer-line', role: 'alert' }, failed));
  }
  button.removeAttribute('aria-busy');
  output.hidden = false;
}

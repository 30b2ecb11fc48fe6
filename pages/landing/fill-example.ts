/** Renders an example for each client, with buttons to copy the code and to send the request. */

import { callOf } from '../../src/describe/snippets/call.js';
import { clients } from '../../src/describe/snippets/clients.js';
import { encodeBasic } from '../../src/describe/snippets/encode-basic.js';
import { formatJson } from '../../src/describe/snippets/format-json.js';
import type { Example } from '../../src/kit/example.js';
import { addressOf } from '../shared/address-of.js';
import { copyFrom } from '../shared/copy-button.js';
import { button, element } from '../shared/element.js';
import { highlighted } from '../shared/highlighted.js';
import { responseLine, responseText } from '../shared/response-view.js';
import { type RequestToSend, sendRequest } from '../shared/send-request.js';
import { readStored, store } from '../shared/stored-text.js';

/** Storage key of the chosen client. */
const key = 'practice-api:client';

export function fillExample(article: HTMLElement): void {
  const example = JSON.parse(article.dataset.example ?? '{}') as Example;
  const title = article.querySelector('h4')?.textContent ?? '';
  const code = article.querySelector('.code');
  const baseUrl = document.getElementById('base-url')?.textContent ?? '';
  if (code === null || article.querySelector('.tabs') !== null) return;
  const call = callOf(example, baseUrl);
  const others = clients.slice(1).map(({ id, language, write }) => {
    const code = element('code', {}, ...highlighted(write(call), language));
    return element('pre', { tabindex: 0, 'data-client': id }, code);
  });
  const copy = button('Copy', () => void copyFrom(copy, shownCode(article)), {
    class: 'copy',
    'aria-label': `Copy the code: ${title}`,
  });
  const response = element('div', { class: 'answer', hidden: true });
  const send = button('Send', () => void trySending(requestOf(example), title, send, response), {
    class: 'try',
    'aria-label': `Send: ${title}`,
  });
  code.prepend(element('div', { class: 'bar' }, tabsOf(article.id, title), copy, send));
  code.append(...others);
  article.append(response);
}

function tabsOf(id: string, title: string): HTMLElement {
  const stored = readStored(key);
  const chosen = clients.some((client) => client.id === stored) ? stored : clients[0]?.id;
  const tabs = clients.flatMap((client) => {
    const of = `${id}-${client.id}`;
    const checked = client.id === chosen;
    return [
      element('input', { type: 'radio', name: id, value: client.id, id: of, checked }),
      element('label', { for: of }, client.title),
    ];
  });
  const legend = element('legend', { class: 'unseen' }, `Client for: ${title}`);
  const made = element('fieldset', { class: 'tabs' }, legend, ...tabs);
  made.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLInputElement) choose(target);
  });
  return made;
}

/** A client that is chosen for one example applies to all. */
function choose(input: HTMLInputElement): void {
  // Code above may become longer, so the clicked element keeps its position.
  const before = input.getBoundingClientRect().top;
  for (const other of document.querySelectorAll<HTMLInputElement>('.tabs input')) {
    other.checked = other.value === input.value;
  }
  scrollBy({ top: input.getBoundingClientRect().top - before, behavior: 'instant' });
  store(key, input.value);
}

function shownCode(article: HTMLElement): string {
  const client = article.querySelector<HTMLInputElement>('.tabs :checked')?.value;
  return article.querySelector(`[data-client="${client}"]`)?.textContent ?? '';
}

function requestOf({
  method,
  path,
  headers = {},
  user,
  json,
  body,
  times = 1,
}: Example): RequestToSend {
  const text = json === undefined ? body : formatJson(json);
  return {
    method,
    path,
    headers: {
      ...(json !== undefined && { 'Content-Type': 'application/json' }),
      ...(user !== undefined && { Authorization: encodeBasic(user) }),
      ...headers,
    },
    ...(text !== undefined && { body: text }),
    times,
  };
}

async function trySending(
  request: RequestToSend,
  title: string,
  from: HTMLButtonElement,
  output: HTMLElement,
): Promise<void> {
  if (from.getAttribute('aria-busy') === 'true') return;
  from.setAttribute('aria-busy', 'true');
  try {
    const response = await sendRequest(request);
    const isPicture = response.contentType.startsWith('image/');
    output.replaceChildren(
      responseLine(response),
      ...(isPicture ? [element('img', { src: addressOf(request.path), alt: 'Rendered' })] : []),
      element(
        'pre',
        { tabindex: 0, role: 'group', 'aria-label': `Response: ${title}` },
        element('code', {}, ...responseText(response)),
      ),
    );
  } catch {
    const failed = element(
      'span',
      { class: 'failed' },
      'There was no response. Is the service running?',
    );
    output.replaceChildren(element('p', { class: 'answer-line', role: 'alert' }, failed));
  }
  from.removeAttribute('aria-busy');
  output.hidden = false;
}

/** The console at the top: any verb and path of this service, and the exchange as it goes on the wire. */

import { addressOf } from '../shared/address-of.js';
import { answerText, statusView } from '../shared/answer-view.js';
import { byId, element } from '../shared/element.js';
import { type ReceivedAnswer, sendRequest } from '../shared/send-request.js';
import { pathOf } from './path-of.js';

const form = byId('console', HTMLFormElement);
const verb = byId('console-verb', HTMLSelectElement);
const path = byId('console-path', HTMLInputElement);
const output = byId('console-answer', HTMLDivElement);

export function startConsole(): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send();
  });
  byId('presets', HTMLDivElement).addEventListener('click', ({ target }) => {
    if (!(target instanceof HTMLButtonElement)) return;
    verb.value = target.dataset.verb ?? 'GET';
    path.value = target.dataset.path ?? '/';
    void send();
  });
  // Read aloud when it has changed.
  output.setAttribute('aria-live', 'polite');
}

let latest = 0;

async function send(): Promise<void> {
  latest += 1;
  const mine = latest;
  const to = pathOf(path.value, addressOf('/'));
  if (to === undefined) {
    const root = addressOf('/');
    show([`This console sends to this service only. Type a path, or an address below ${root}`]);
    return;
  }
  path.value = to;
  const request = { method: verb.value, path: to, headers: {}, times: 1 };
  const head: (Node | string)[] = [
    element('b', {}, request.method),
    ` ${addressOf(request.path).slice(location.origin.length)} HTTP/1.1\n`,
    element('i', { class: 'h' }, 'Host: '),
    `${location.host}\n\n`,
  ];
  try {
    const answer = await sendRequest(request);
    // An answer to what is no longer there says nothing.
    if (mine === latest) show([...head, ...exchangeOf(answer)]);
  } catch {
    if (mine === latest) show([...head, 'Nothing came back. Is the service running?']);
  }
}

function exchangeOf(answer: ReceivedAnswer): (Node | string)[] {
  const time = element('i', { class: 'h' }, `  ${answer.durationMs.toFixed(1)} ms\n`);
  return ['HTTP/1.1 ', statusView(answer), time, ...answerText(answer)];
}

function show(parts: readonly (Node | string)[]): void {
  const code = element('code', { class: 'is-new' }, ...parts);
  const label = 'Request and answer';
  output.replaceChildren(element('pre', { tabindex: 0, role: 'group', 'aria-label': label }, code));
}

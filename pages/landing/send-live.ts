/** Sends the example of a group, and shows its response in place. */

import { element } from '../shared/element.js';
import { responseText, statusView } from '../shared/response-view.js';
import { sendRequest } from '../shared/send-request.js';

export async function sendLive(card: HTMLElement): Promise<void> {
  const { method = 'GET', path = '/' } = card.dataset;
  const code = card.querySelector('pre code');
  try {
    const response = await sendRequest({ method, path, headers: {}, times: 1 });
    const time = element('i', { class: 'h' }, `  ${response.durationMs.toFixed(1)} ms\n`);
    code?.replaceChildren('HTTP/1.1 ', statusView(response), time, ...responseText(response));
  } catch {
    code?.replaceChildren('There was no response. Is the service running?');
  }
}

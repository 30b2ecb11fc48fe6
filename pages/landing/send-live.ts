/** Sends the example of a group, and shows its response in place. */

import { responseOnWire } from '../shared/response-view.js';
import { sendRequest } from '../shared/send-request.js';

export async function sendLive(card: HTMLElement): Promise<void> {
  const { method = 'GET', path = '/' } = card.dataset;
  const code = card.querySelector('pre code');
  try {
    const response = await sendRequest({ method, path, headers: {}, times: 1 });
    code?.replaceChildren(...responseOnWire(response));
  } catch {
    code?.replaceChildren('There was no response. Is the service running?');
  }
}

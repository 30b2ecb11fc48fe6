/** Shows a recorded request, which is the evidence of a verdict. */

import { attempt } from '../shared/attempt.js';
import { byId, element } from '../shared/element.js';
import { type RecordedRequest, readRequest } from './api.js';

const notRecorded =
  'This request was not recorded. Record requests, and let your client send it again. Details as JSON may have more about it.';

export async function openRequest(id: string): Promise<void> {
  const dialog = byId('request', HTMLDialogElement);
  const view = byId('request-view', HTMLDivElement);
  byId('request-id', HTMLElement).textContent = id;
  view.replaceChildren(element('p', {}, 'Reading …'));
  dialog.showModal();
  await attempt(async () => {
    const found = await readRequest(id);
    view.replaceChildren(
      ...(found === undefined ? [element('p', {}, notRecorded)] : requestView(found)),
    );
  });
}

function requestView(entry: RecordedRequest): HTMLElement[] {
  const { request, response, startedDateTime, time, _fault } = entry;
  const { pathname, search } = new URL(request.url);
  const sent = [
    `${request.method} ${pathname}${search} ${request.httpVersion}`,
    ...headerLines(request.headers),
  ];
  const received = [
    response.status === 0
      ? 'No response'
      : `${response.httpVersion} ${response.status} ${response.statusText}`,
    ...headerLines(response.headers),
  ];
  const fault = _fault === null ? '' : ` Simulated fault: ${_fault}.`;
  return [
    element('p', { class: 'quiet' }, `${startedDateTime}, ${time.toFixed(1)} ms.${fault}`),
    element('pre', { class: 'code', tabindex: 0, 'aria-label': 'Request' }, sent.join('\n')),
    element('pre', { class: 'code', tabindex: 0, 'aria-label': 'Response' }, received.join('\n')),
    element('p', { class: 'quiet' }, 'Bodies and credentials are not recorded.'),
  ];
}

const headerLines = (headers: RecordedRequest['request']['headers']) =>
  headers.map(({ name, value }) => `${name}: ${value}`);

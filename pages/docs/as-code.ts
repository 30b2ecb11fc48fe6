/** Shows the entered request as code for a client. */

import { clients } from '../../src/describe/snippets/clients.js';
import { addressOf } from '../shared/address-of.js';
import { copyButton } from '../shared/copy-button.js';
import { element } from '../shared/element.js';
import { highlighted } from '../shared/highlighted.js';
import { sandboxToSend } from '../shared/visitor/sandbox-name.js';
import type { MadeRequest } from './form/request-of.js';

/** Returns the choice of a client; `output` gets the code. */
export function showAsCode(
  output: HTMLElement,
  request: () => MadeRequest | undefined,
): HTMLElement {
  const options = clients.map(({ id, title }) => element('option', { value: id }, title));
  const label = element('option', { value: '' }, 'As code …');
  const select = element('select', { 'aria-label': 'Show as code for' }, label, ...options);
  select.addEventListener('change', () => {
    const client = clients.find(({ id }) => id === select.value);
    const made = request();
    select.value = '';
    if (client === undefined) return;
    const fault = faultOf(made);
    if (made === undefined || fault !== undefined) {
      output.replaceChildren(element('p', { class: 'quiet' }, fault ?? ''));
      return;
    }
    const code = client.write(callOf(made));
    const parts = highlighted(code, client.language);
    output.replaceChildren(
      element(
        'p',
        { class: 'answer-line' },
        client.title,
        ' ',
        copyButton('Copy', () => code),
      ),
      element(
        'pre',
        { tabindex: 0, role: 'group', 'aria-label': client.title },
        element('code', {}, ...parts),
      ),
    );
  });
  return select;
}

function faultOf(request: MadeRequest | undefined): string | undefined {
  if (request === undefined) return 'Enter the required values first.';
  const { body, digest } = request;
  if (digest) return 'Digest needs a challenge first. With curl, use --digest -u name:password.';
  const isText = body === undefined || typeof body === 'string';
  return isText ? undefined : 'Requests with files are not shown as code.';
}

function callOf({ method, path, headers, cookie, body }: MadeRequest) {
  const sandbox = sandboxToSend();
  const all = {
    ...(sandbox && { 'X-Sandbox': sandbox }),
    ...headers,
    ...(cookie && { Cookie: cookie }),
  };
  return {
    method,
    url: addressOf(path),
    headers: Object.entries(all),
    ...(typeof body === 'string' && { body }),
    times: 1,
    shownHeaders: [],
    hasResponseBody: method !== 'HEAD',
  };
}

/** The request that is sent and reported, and the verdicts about it. */

import { addressOf } from '../shared/address-of.js';
import { callJson } from '../shared/call.js';
import { byId, element } from '../shared/element.js';
import { sendRequest } from '../shared/send-request.js';

interface Judged {
  readonly verdict: string;
  readonly reason: string;
}

const input = (id: string) => byId(id, HTMLInputElement);
const area = (id: string) => byId(id, HTMLTextAreaElement);

function readRequest() {
  const body = area('request-body').value;
  const method = input('request-method').value.toUpperCase();
  const headers = readHeaders(area('request-headers').value);
  const isTyped = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  return {
    method,
    path: input('request-path').value.trim(),
    headers: body === '' || isTyped ? headers : { ...headers, 'Content-Type': 'application/json' },
    ...(body !== '' && method !== 'GET' && method !== 'HEAD' && { body }),
  };
}

function readHeaders(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      if (colon < 1) throw new Error(`A header needs a name, a colon and a value; got ${line}`);
      return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    }),
  );
}

/** Sends the request, and shows the response. */
export async function send(): Promise<void> {
  const response = await sendRequest({ ...readRequest(), times: 1, staysHere: false });
  const status = byId('response-status', HTMLHeadingElement);
  status.textContent = `${response.status} ${response.statusText}`;
  const headers = response.headers.map(([name, value]) => `${name}: ${value}`);
  area('response-headers').value = headers.join('\n');
  area('response-body').value = response.text;
  byId('response', HTMLDivElement).hidden = false;
  status.focus();
}

/** Reports the request, and shows the verdict. */
export async function report(): Promise<void> {
  const judged = await callJson<Judged>(addressOf('/api/sandbox/bugs/reports'), 'POST', {
    ...readRequest(),
    expected: area('expected').value,
    actual: area('actual').value,
  });
  const { method, path } = readRequest();
  byId('verdicts', HTMLOListElement).prepend(
    element(
      'li',
      { 'data-verdict': judged.verdict },
      element('strong', {}, capitalized(judged.verdict)),
      `${judged.reason} `,
      element('span', { class: 'code quiet' }, `${method} ${path}`),
    ),
  );
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

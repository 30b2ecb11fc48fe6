/**
 * The console at the top: sends any request to this service, and shows the exchange as on the wire.
 */

import { addressOf } from '../shared/address-of.js';
import { byId, element } from '../shared/element.js';
import { responseOnWire } from '../shared/response-view.js';
import { type RequestToSend, sendRequest } from '../shared/send-request.js';
import { pathOf } from './path-of.js';

const form = byId('console', HTMLFormElement);
const methodSelect = byId('console-verb', HTMLSelectElement);
const path = byId('console-path', HTMLInputElement);
const more = byId('console-more', HTMLDetailsElement);
const headers = byId('console-headers', HTMLTextAreaElement);
const body = byId('console-body', HTMLTextAreaElement);
const output = byId('console-answer', HTMLDivElement);

export function startConsole(): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send();
  });
  byId('presets', HTMLDivElement).addEventListener('click', ({ target }) => {
    if (!(target instanceof HTMLButtonElement)) return;
    fillIn({ method: target.dataset.verb, address: target.dataset.path ?? '/' });
    void send();
  });
  // An input has one line, so a pasted text is parsed before its line breaks are lost.
  path.addEventListener('paste', (event) => {
    const text = event.clipboardData?.getData('text') ?? '';
    if (!isCommand(text)) return;
    event.preventDefault();
    void readCommand(text);
  });
  // Screen readers announce changes.
  output.setAttribute('aria-live', 'polite');
}

/** A path or a URL may contain spaces after its first word. */
const isCommand = (text: string) => {
  if (/\b(fetch|requests\.\w+|axios(\.\w+)?)\(/.test(text)) return true;
  const [first = '', ...others] = text.trim().split(/\s+/);
  const isPath = /^\/|^[a-z][a-z\d+.-]*:\/\/|^[^./][^(]*[/?]/i.test(first);
  return others.length > 0 && !isPath;
};

interface Filled {
  readonly method?: string | undefined;
  readonly address: string;
  readonly headers?: readonly string[];
  readonly body?: string;
}

function fillIn({ method = 'GET', address, headers: lines = [], body: text = '' }: Filled): void {
  if (![...methodSelect.options].some(({ value }) => value === method))
    methodSelect.add(new Option(method));
  methodSelect.value = method;
  path.value = pathOf(address, addressOf('/')) ?? address;
  headers.value = lines.join('\n');
  body.value = text;
  more.open = lines.length > 0 || text !== '';
}

/** Returns whether the text is a request, which is filled in; shows the reason if it is none. */
async function readCommand(text: string): Promise<boolean> {
  const { readPasted } = await import('./paste/read-pasted.js');
  const pasted = readPasted(text);
  if ('fault' in pasted) {
    show([pasted.fault]);
    return false;
  }
  fillIn(pasted.request);
  if (pasted.note !== undefined) show([pasted.note]);
  return true;
}

let latest = 0;

async function send(): Promise<void> {
  latest += 1;
  const mine = latest;
  if (isCommand(path.value) && !(await readCommand(path.value))) return;
  const request = await readRequest();
  if (typeof request === 'string') {
    show([request]);
    return;
  }
  const head: (Node | string)[] = [
    element('b', {}, request.method),
    ` ${addressOf(request.path).slice(location.origin.length)} HTTP/1.1\n`,
    ...Object.entries({ Host: location.host, ...request.headers }).flatMap(([name, value]) => [
      element('i', { class: 'h' }, `${name}: `),
      `${value}\n`,
    ]),
    `\n${request.body === undefined ? '' : `${request.body}\n\n`}`,
  ];
  try {
    const response = await sendRequest(request);
    // Ignores a response to an earlier request.
    if (mine === latest) show([...head, ...responseOnWire(response)]);
  } catch {
    if (mine === latest) show([...head, 'There was no response. Is the service running?']);
  }
}

/** Returns the request of the form, or the fault in it. */
async function readRequest(): Promise<RequestToSend | string> {
  const method = methodSelect.value;
  const typed = path.value;
  const to = pathOf(typed, addressOf('/'));
  if (to === undefined || to === `/${typed.trim()}`) {
    const { faultOfUrl } = await import('./paste/other-service.js');
    const fault = faultOfUrl(typed, to);
    if (to === undefined || fault !== '') return fault;
  }
  path.value = to;
  const sent: Record<string, string> = {};
  let cookie: string | undefined;
  for (const line of headers.value.split('\n').filter((each) => each.trim() !== '')) {
    const [, name = '', value = ''] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
    if (name === '') return `A header must be "Name: value"; got "${line}".`;
    if (name.toLowerCase() === 'cookie') cookie = value;
    else sent[name] = value;
  }
  const text = body.value;
  if (text !== '' && /^(?:GET|HEAD)$/.test(method)) {
    return `Browsers send no body with ${method}. Choose another method, or remove the body.`;
  }
  return {
    method,
    path: to,
    headers: sent,
    times: 1,
    ...(text !== '' && { body: text }),
    ...(cookie !== undefined && { cookie }),
  };
}

function show(parts: readonly (Node | string)[]): void {
  const code = element('code', { class: 'is-new' }, ...parts);
  const label = 'Request and response';
  output.replaceChildren(element('pre', { tabindex: 0, role: 'group', 'aria-label': label }, code));
}

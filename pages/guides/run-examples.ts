/**
 * Buttons of examples: one copies a command, the other sends its request and shows the response.
 */

import { addressOf, isInSandbox } from '../shared/address-of.js';
import { copyFrom } from '../shared/copy-button.js';
import { byId, element } from '../shared/element.js';
import { responseOnWire } from '../shared/response-view.js';
import { type ReceivedResponse, type RequestToSend, sendRequest } from '../shared/send-request.js';
import { onSandboxChange, randomName, sandboxToSend } from '../shared/visitor/sandbox-name.js';
import { keyToSend } from '../shared/visitor/service-key.js';
import type { Example } from './example.js';

/** Sandboxes of an account already belong to the reader, whatever their names. */
const hasAccount = () => keyToSend() !== undefined;

/** Prefix of sandbox names for a reader who has chosen the shared sandbox. */
const stranger = randomName('guide');

export function listenToExamples(): void {
  showSandbox();
  onSandboxChange(showSandbox);
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('button') : null;
    const example = button?.closest<HTMLElement>('.call, .code');
    if (!button || !example) return;
    const code = example.querySelector('code')?.textContent ?? '';
    if (button.classList.contains('copy')) void copyFrom(button, code);
    if (button.classList.contains('send')) void send(example, button);
  });
}

function showSandbox(): void {
  const name = sandboxToSend();
  const own = isInSandbox() || hasAccount() ? 'your own sandbox' : 'the shared sandbox';
  const parts = name === undefined ? [own] : ['your sandbox ', element('code', {}, name)];
  byId('guide-sandbox', HTMLSpanElement).replaceChildren(...parts);
}

async function send(example: HTMLElement, button: HTMLButtonElement): Promise<void> {
  if (button.getAttribute('aria-busy') === 'true') return;
  button.setAttribute('aria-busy', 'true');
  const request = requestOf(JSON.parse(example.dataset.request ?? '{}') as Example);
  const output = element('div', { class: 'answer' });
  try {
    output.append(wireOf([...requestLines(request), ...responseLines(await sendRequest(request))]));
  } catch {
    output.append(wireOf(['There was no response: the connection was closed. curl says more.']));
  }
  example.querySelector('.answer')?.remove();
  example.append(output);
  button.removeAttribute('aria-busy');
}

function requestOf({ user, follows, headers = {}, ...example }: Example): RequestToSend {
  const basic = user === undefined ? undefined : btoa(String.fromCharCode(...utf8(user)));
  return {
    ...example,
    times: 1,
    staysHere: follows !== true,
    headers: {
      ...(basic !== undefined && { Authorization: `Basic ${basic}` }),
      ...(isInSandbox() ? withoutSandbox(headers) : headers),
      ...(!isInSandbox() && namesNoSandbox(example.path) && sandboxHeader(headers)),
    },
  };
}

/** The URL already contains the sandbox. */
function withoutSandbox(headers: Readonly<Record<string, string>>): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'x-sandbox');
  return Object.fromEntries(kept);
}

/** Returns whether the path does not name a sandbox. */
function namesNoSandbox(path: string): boolean {
  return !/^\/s\//i.test(path);
}

/**
 * Other readers use the sandboxes of a guide too, so each is replaced by a sandbox of this reader.
 */
function sandboxHeader(headers: Readonly<Record<string, string>>): Record<string, string> {
  const sandbox = sandboxToSend();
  const [field, named] =
    Object.entries(headers).find(([name]) => name.toLowerCase() === 'x-sandbox') ?? [];
  if (field === undefined) return sandbox === undefined ? {} : { 'X-Sandbox': sandbox };
  if (hasAccount()) return {};
  return { [field]: `${sandbox ?? stranger}-${named}`.slice(0, 64) };
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function requestLines({ method, path, headers, body }: RequestToSend): (Node | string)[] {
  const fields = Object.entries(headers).flatMap(([name, value]) => [
    element('i', { class: 'h' }, `${name}: `),
    `${value}\n`,
  ]);
  const target = addressOf(path).slice(location.origin.length);
  return [
    element('b', {}, method),
    ` ${target} HTTP/1.1\n`,
    element('i', { class: 'h' }, 'Host: '),
    `${location.host}\n`,
    ...fields,
    ...(body === undefined ? [] : ['\n', body, '\n']),
    '\n',
  ];
}

function responseLines(response: ReceivedResponse): (Node | string)[] {
  if (response.status === 0) {
    return ['The response is a redirect, which browsers hide from scripts: copy the command.'];
  }
  const rest = response.isCut ? ['\n… there is more; this is the beginning.'] : [];
  return [...responseOnWire(response), ...rest];
}

function wireOf(parts: readonly (Node | string)[]): HTMLElement {
  const code = element('code', {}, ...parts);
  const attributes = { tabindex: 0, role: 'status', 'aria-label': 'Request and response' };
  return element('pre', attributes, code);
}

/** The buttons of the examples: one copies a command, one sends what it would send and shows what comes back. */

import { addressOf, isInSandbox } from '../shared/address-of.js';
import { answerText, statusView } from '../shared/answer-view.js';
import { copyFrom } from '../shared/copy-button.js';
import { byId, element } from '../shared/element.js';
import { randomName, storedSandbox, storeSandbox } from '../shared/sandbox-name.js';
import { type ReceivedAnswer, type RequestToSend, sendRequest } from '../shared/send-request.js';
import { keyToSend } from '../shared/service-key.js';

/** What the build has read out of a command. */
interface Example {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Name and password with a colon between, for Basic. */
  readonly user?: string;
  readonly cookie?: string;
  /** Whether redirects are followed. */
  readonly follows?: true;
}

/** Where the page is inside a sandbox, or an account is used, what is sent is the reader's own already. */
const isOwnAlready = () => isInSandbox() || keyToSend() !== undefined;

let sandbox = storedSandbox() ?? '';

export function listenToExamples(): void {
  if (sandbox === '') changeSandbox();
  showSandbox();
  byId('guide-sandbox-new', HTMLButtonElement).hidden = isOwnAlready();
  byId('guide-sandbox-new', HTMLButtonElement).addEventListener('click', changeSandbox);
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('button') : null;
    const example = button?.closest<HTMLElement>('.call, .code');
    if (!button || !example) return;
    const code = example.querySelector('code')?.textContent ?? '';
    if (button.classList.contains('copy')) void copyFrom(button, code);
    if (button.classList.contains('send')) void send(example, button);
  });
}

function changeSandbox(): void {
  sandbox = randomName('guide');
  storeSandbox(sandbox);
  showSandbox();
}

function showSandbox(): void {
  const parts = isOwnAlready()
    ? ['what is yours already']
    : ['the sandbox ', element('code', {}, sandbox)];
  byId('guide-sandbox', HTMLSpanElement).replaceChildren(...parts);
}

async function send(example: HTMLElement, button: HTMLButtonElement): Promise<void> {
  if (button.getAttribute('aria-busy') === 'true') return;
  button.setAttribute('aria-busy', 'true');
  const request = requestOf(JSON.parse(example.dataset.request ?? '{}') as Example);
  const output = element('div', { class: 'answer' });
  try {
    output.append(wireOf([...requestLines(request), ...answerLines(await sendRequest(request))]));
  } catch {
    output.append(wireOf(['Nothing came back: the connection was closed. curl says more.']));
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
      ...(!isOwnAlready() && namesNoSandbox(example.path) && sandboxHeader(headers)),
    },
  };
}

/** The address says it. */
function withoutSandbox(headers: Readonly<Record<string, string>>): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'x-sandbox');
  return Object.fromEntries(kept);
}

/** An address in a sandbox says which by itself. */
function namesNoSandbox(path: string): boolean {
  return !/^\/s\//i.test(path);
}

/** The sandboxes that a guide names are other readers' too: here each is one of this reader's. */
function sandboxHeader(headers: Readonly<Record<string, string>>): Record<string, string> {
  const [field, named] =
    Object.entries(headers).find(([name]) => name.toLowerCase() === 'x-sandbox') ?? [];
  const name = named === undefined ? sandbox : `${sandbox}-${named}`.slice(0, 64);
  return { [field ?? 'X-Sandbox']: name };
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

function answerLines(answer: ReceivedAnswer): (Node | string)[] {
  if (answer.status === 0) {
    return ['A redirect came back. Browsers show scripts nothing of it: copy the command.'];
  }
  const time = element('i', { class: 'h' }, `  ${answer.durationMs.toFixed(0)} ms\n`);
  const rest = answer.isCut ? ['\n… it goes on; this is what came first.'] : [];
  return ['HTTP/1.1 ', statusView(answer), time, ...answerText(answer), ...rest];
}

function wireOf(parts: readonly (Node | string)[]): HTMLElement {
  const code = element('code', {}, ...parts);
  const attributes = { tabindex: 0, role: 'status', 'aria-label': 'Request and response' };
  return element('pre', attributes, code);
}

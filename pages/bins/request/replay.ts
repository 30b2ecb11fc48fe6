/**
 * Sends a captured request to another URL, from the browser, because the service itself sends
 * nothing. Explains what browsers forbid scripts, and the alternatives.
 */

import { copyButton } from '../../shared/copy-button.js';
import { button, element } from '../../shared/element.js';
import { responseLine, responseText } from '../../shared/response-view.js';
import { readResponse } from '../../shared/send-request.js';
import { readStored, store } from '../../shared/stored-text.js';
import type { CapturedRequest, Header } from '../api.js';

const storageName = 'practice-api-replay';

/**
 * Headers that scripts cannot set (Fetch, section 2.2.2), and headers that our connection added.
 */
const forbidden =
  /^(?:accept-charset|accept-encoding|access-control-request-.*|connection|content-length|cookie2?|date|dnt|expect|host|keep-alive|origin|permissions-policy|proxy-.*|referer|sec-.*|set-cookie|te|trailer|transfer-encoding|upgrade|user-agent|via|x-forwarded-.*)$/i;

/** Methods that a page may send anywhere without a preflight. */
const simpleMethods = /^(?:GET|HEAD|POST)$/;

interface Replay {
  readonly request: CapturedRequest;
  readonly body: () => Promise<ArrayBuffer | undefined>;
  /** Returns the command that does the same without a browser. */
  readonly asCurl: (url: string) => string;
}

export function replayForm(replay: Replay): HTMLElement {
  const input = element('input', {
    id: 'replay-url',
    class: 'code',
    type: 'url',
    required: true,
    spellcheck: 'false',
    placeholder: 'http://localhost:8080/hooks',
    value: readStored(storageName) ?? '',
  });
  const outcome = element('div', { class: 'outcome' });
  const form = element(
    'form',
    {},
    element('label', { for: 'replay-url' }, 'Full URL'),
    element('div', { class: 'row' }, input, element('button', {}, 'Replay')),
    element(
      'p',
      { class: 'quiet' },
      'Your browser sends it, so it also reaches programs on your machine. The service sends nothing.',
    ),
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    store(storageName, input.value);
    outcome.replaceChildren(element('p', { role: 'status' }, 'Sending …'));
    outcome.replaceChildren(...(await send(replay, input.value, outcome)));
  });
  return element(
    'details',
    { class: 'replay' },
    element('summary', {}, 'Replay to another URL'),
    form,
    outcome,
  );
}

async function send(replay: Replay, url: string, outcome: HTMLElement): Promise<Node[]> {
  const { request, body } = replay;
  const { method } = request;
  if (/^(?:CONNECT|TRACE|TRACK)$/.test(method)) {
    return [failed(`Browsers do not let pages send ${method}.`), ...instead(replay, url)];
  }
  const sent = request.headers.filter(({ name }) => !forbidden.test(name));
  const content = /^(?:GET|HEAD)$/.test(method) ? undefined : await body();
  const startedAt = performance.now();
  try {
    const response = await fetch(url, {
      method,
      headers: headersOf(sent),
      body: content ?? null,
      credentials: 'omit',
      cache: 'no-store',
    });
    const received = await readResponse(response, startedAt);
    const text = element('code', {}, ...responseText(received));
    const label = { class: 'code', tabindex: 0, role: 'group', 'aria-label': 'Response' };
    return [responseLine(received), element('pre', label, text), ...leftOut(request, sent)];
  } catch {
    const blind = button('Send it without reading the response', async () => {
      outcome.replaceChildren(...(await sendBlindly(replay, url, content)));
    });
    return [
      failed('There is no response that this page may read.'),
      element('ul', {}, ...reasons(url, request, sent).map((each) => element('li', {}, each))),
      ...(simpleMethods.test(method) ? [element('div', { class: 'row' }, blind)] : []),
      ...instead(replay, url),
    ];
  }
}

/**
 * Sends a simple CORS request, which needs no permission: few headers, and an unreadable response.
 */
async function sendBlindly(replay: Replay, url: string, body?: ArrayBuffer): Promise<Node[]> {
  try {
    await fetch(url, {
      method: replay.request.method,
      mode: 'no-cors',
      body: body ?? null,
      credentials: 'omit',
      cache: 'no-store',
    });
    const text =
      'The browser sent it, without the captured headers. It hides the response from pages.';
    return [element('p', { role: 'status' }, text), ...instead(replay, url)];
  } catch {
    return [
      failed('Nothing listens there, or the browser does not let this page reach it.'),
      ...instead(replay, url),
    ];
  }
}

function reasons(url: string, request: CapturedRequest, sent: readonly Header[]): string[] {
  const { origin } = location;
  const asks = !simpleMethods.test(request.method) || sent.some(({ name }) => !isSimple(name));
  const names = sent.filter(({ name }) => !isSimple(name)).map(({ name }) => name.toLowerCase());
  const isMixed = location.protocol === 'https:' && url.startsWith('http:');
  return [
    `The cause may be CORS: the response must have Access-Control-Allow-Origin: ${origin} (or *).`,
    ...(asks
      ? [
          `Before a request like this one the browser sends OPTIONS; the response must allow the method ${request.method}${names.length === 0 ? '' : ` and the headers ${[...new Set(names)].join(', ')}`}. Otherwise the browser sends nothing.`,
        ]
      : ['The request itself may have arrived nevertheless.']),
    'Or nothing listens at this URL.',
    ...(isMixed ? ['A page over HTTPS may send to plain HTTP only on this machine.'] : []),
  ];
}

function isSimple(name: string): boolean {
  return /^(?:accept|accept-language|content-language)$/i.test(name);
}

function instead({ asCurl }: Replay, url: string): Node[] {
  return [
    element(
      'div',
      { class: 'row' },
      copyButton('Copy as curl for this URL', () => asCurl(url)),
      element('span', { class: 'quiet' }, 'curl needs no permission.'),
    ),
  ];
}

function leftOut({ headers }: CapturedRequest, sent: readonly Header[]): Node[] {
  const names = headers.filter((each) => !sent.includes(each)).map(({ name }) => name);
  if (names.length === 0) return [];
  const text = `The browser sets these itself: ${[...new Set(names)].join(', ')}.`;
  return [element('p', { class: 'quiet' }, text)];
}

/** Also omits headers that a browser considers invalid. */
function headersOf(sent: readonly Header[]): Headers {
  const headers = new Headers();
  for (const { name, value } of sent) {
    try {
      headers.append(name, value);
    } catch {
      // Captures may contain headers that browsers reject.
    }
  }
  return headers;
}

function failed(text: string): HTMLElement {
  return element('p', { class: 'fault', role: 'alert' }, text);
}

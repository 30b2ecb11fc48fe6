/** Shows one captured request in full: headers, query, body, signature. */

import { addressOf } from '../../shared/address-of.js';
import { copyButton } from '../../shared/copy-button.js';
import { button, element } from '../../shared/element.js';
import { keyToSend } from '../../shared/visitor/service-key.js';
import { binAddress, type CapturedRequest, type Verdict, verifyWith } from '../api.js';
import { callInSandbox } from '../sandbox.js';
import { type BodyForm, bodyForms, formatBytes, table } from './body-forms.js';
import { curlCommand, fitsCommandLine } from './curl-command.js';
import { replayForm } from './replay.js';

const kept = '256 KiB';

export function requestLine({ method, subPath, queryString }: CapturedRequest): string {
  return `${method} ${targetOf(subPath, queryString)}`;
}

/** Returns the part of the URL after the bin. */
export function targetOf(subPath: string, queryString: string): string {
  return (subPath || '/') + (queryString && `?${queryString}`);
}

/** The class determines the colour of the method. */
export function methodBadge(method: string): HTMLElement {
  return element(
    'span',
    { class: ['verb', 'code', `m-${method.toLowerCase()}`].join(' ') },
    method,
  );
}

/** `onDelete` is called when the visitor deletes the request. */
export function requestView(binId: string, request: CapturedRequest, onDelete: () => void): Node[] {
  const {
    method,
    subPath,
    receivedAt,
    ip,
    bodySize,
    headers,
    trailers = [],
    queryString,
  } = request;
  const received = new Date(receivedAt);
  return [
    element(
      'div',
      { class: 'request-head' },
      element(
        'h3',
        { id: 'request-title', tabindex: -1 },
        methodBadge(method),
        ` ${targetOf(subPath, queryString)}`,
      ),
      element(
        'div',
        { class: 'row' },
        copyButton('Copy as curl', () => asCurl(binId, request)),
        button('Delete', onDelete, { class: 'danger' }),
      ),
    ),
    element(
      'p',
      { class: 'quiet' },
      element('time', { datetime: receivedAt, title: receivedAt }, received.toLocaleString()),
      ` · from ${ip} · ${formatBytes(bodySize)}`,
    ),
    ...signatureView(binId, request),
    ...(queryString === '' ? [] : [section('Query', table(queryPairs(queryString)))]),
    bodyView(binId, request),
    section('Headers', table(headers.map(({ name, value }) => [name, value]))),
    ...(trailers.length === 0
      ? []
      : [section('Trailers', table(trailers.map(({ name, value }) => [name, value])))]),
    replayForm({
      request,
      body: () => bodyBytes(binId, request),
      asCurl: (url) => asCurl(binId, request, url),
    }),
  ];
}

function section(title: string, ...children: readonly Node[]): HTMLElement {
  return element('section', {}, element('h4', {}, title), ...children);
}

function queryPairs(queryString: string): [string, string][] {
  return [...new URLSearchParams(queryString)];
}

async function bodyBytes(
  binId: string,
  request: CapturedRequest,
): Promise<ArrayBuffer | undefined> {
  if (request.bodySize === 0) return undefined;
  return (await callInSandbox(bodyAddress(binId, request))).arrayBuffer();
}

function addressOfBin(binId: string, { subPath, queryString }: CapturedRequest): string {
  return addressOf(`/api/webhooks/${binId}`) + subPath + (queryString && `?${queryString}`);
}

function asCurl(
  binId: string,
  request: CapturedRequest,
  url = addressOfBin(binId, request),
): string {
  const { method, headers, body, bodyEncoding, bodySize } = request;
  const isPlain = bodyEncoding === 'utf-8' && body !== null && fitsCommandLine(body);
  const isWhole = isPlain && !request.bodyTruncated;
  return curlCommand({
    method,
    url,
    headers,
    body: isWhole ? body : null,
    bodyUrl: isWhole || bodySize === 0 ? undefined : bodyAddress(binId, request),
    isKeyNeeded: keyToSend() !== undefined,
  });
}

function bodyAddress(binId: string, { id }: CapturedRequest): string {
  return binAddress(binId, `/requests/${id}/body`);
}

function signatureView(binId: string, request: CapturedRequest): Node[] {
  const { signature } = request;
  if (signature === undefined) return [];
  const verdict = element('div', {}, ...verdictView(signature, "with the samples' secret"));
  const secret = element('input', {
    id: 'secret',
    class: 'code',
    autocomplete: 'off',
    required: true,
    spellcheck: 'false',
  });
  const form = element(
    'form',
    { class: 'field' },
    element('label', { for: 'secret' }, 'Signed with another secret?'),
    element('div', { class: 'row' }, secret, element('button', {}, 'Check')),
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    try {
      const checked = await verifyWith(secret.value, binId, request, signature.provider);
      verdict.replaceChildren(...verdictView(checked, 'with this secret'));
    } catch (error) {
      verdict.replaceChildren(element('p', { class: 'fault' }, (error as Error).message));
    }
  });
  verdict.setAttribute('role', 'status');
  // Only a whole body can be verified again.
  return [section('Signature', verdict, ...(request.bodyTruncated ? [] : [form]))];
}

function verdictView({ provider, verified, message, warning }: Verdict, how: string): Node[] {
  const what = verified ? `✓ Verifies ${how}` : `✗ Does not verify ${how}`;
  return [
    element(
      'p',
      { class: verified ? 'verdict right' : 'verdict wrong' },
      element('strong', {}, what),
      ` (${provider}). ${message}`,
    ),
    ...(warning === undefined ? [] : [element('p', { class: 'quiet' }, warning)]),
  ];
}

/**
 * Offers all views of the body; they appear a moment later, because the browser parses forms
 * asynchronously.
 */
function bodyView(binId: string, request: CapturedRequest): HTMLElement {
  const { bodySize, bodyTruncated, contentType, decodeError } = request;
  if (bodySize === 0) return section('Body', element('p', { class: 'quiet' }, 'None.'));
  const shown = element('div', {
    class: 'code body',
    // It scrolls, so it must be reachable by keyboard.
    tabindex: 0,
    role: 'group',
    'aria-label': 'Body',
  });
  const note = element('p', { class: 'quiet', hidden: true });
  const choices = element('div', { class: 'choices', role: 'radiogroup', 'aria-label': 'Show as' });
  const download = element(
    'a',
    { href: bodyAddress(binId, request), download: `request-${request.id}.bin` },
    'Download',
  );
  // A link cannot send headers.
  download.addEventListener('click', (event) => {
    event.preventDefault();
    void save(download);
  });
  const cut = `Only the first ${kept} of ${formatBytes(bodySize)} were stored.`;
  void offerForms(request, { choices, shown, note });
  return section(
    'Body',
    element('p', { class: 'quiet' }, contentType ?? 'No Content-Type'),
    ...(bodyTruncated ? [element('p', { class: 'quiet' }, cut)] : []),
    ...(decodeError === undefined ? [] : [element('p', { class: 'quiet' }, decodeError)]),
    element(
      'div',
      { class: 'body-bar' },
      choices,
      element(
        'div',
        { class: 'row' },
        copyButton('Copy', () => shown.textContent ?? ''),
        download,
      ),
    ),
    note,
    shown,
  );
}

interface BodyParts {
  readonly choices: HTMLElement;
  readonly shown: HTMLElement;
  readonly note: HTMLElement;
}

async function offerForms(request: CapturedRequest, parts: BodyParts): Promise<void> {
  const { choices, shown, note } = parts;
  const forms = await bodyForms(request);
  const show = (form: BodyForm) => {
    shown.classList.toggle('is-wrapped', form.name !== 'Hex');
    shown.replaceChildren(...form.content(columnsOf(shown)));
    note.textContent = form.note ?? '';
    note.hidden = form.note === undefined;
  };
  choices.replaceChildren(
    ...forms.map((form, index) => {
      const input = element('input', { type: 'radio', name: 'body-form', checked: index === 0 });
      input.addEventListener('change', () => show(form));
      return element('label', {}, input, form.name);
    }),
  );
  const [first] = forms;
  if (first !== undefined) show(first);
}

/** Returns the number of characters that fit on a line. */
function columnsOf(shown: HTMLElement): number {
  const probe = element('span', {}, '0'.repeat(100));
  shown.replaceChildren(probe);
  const { width } = probe.getBoundingClientRect();
  const { paddingInlineStart, paddingInlineEnd } = getComputedStyle(shown);
  const room =
    shown.clientWidth - Number.parseFloat(paddingInlineStart) - Number.parseFloat(paddingInlineEnd);
  return width === 0 ? Number.POSITIVE_INFINITY : Math.floor((room / width) * 100);
}

async function save({ href, download }: HTMLAnchorElement): Promise<void> {
  const bytes = await (await callInSandbox(href)).blob();
  const url = URL.createObjectURL(bytes);
  element('a', { href: url, download }).click();
  URL.revokeObjectURL(url);
}

/** One captured request in full: headers, query, body, signature. */

import { addressOf } from '../shared/address-of.js';
import { copyButton } from '../shared/copy-button.js';
import { element } from '../shared/element.js';
import { indentJson } from '../shared/indent-json.js';
import { keyToSend } from '../shared/service-key.js';
import { binAddress, type CapturedRequest, type Verdict, verifyWith } from './api.js';
import { curlCommand, fitsCommandLine } from './curl-command.js';
import { hexDump } from './hex-dump.js';
import { callInSandbox } from './sandbox.js';

/** More is for a hex editor; the whole body can be downloaded. */
const shownHexBytes = 16 * 1024;

const kept = '256 KiB';

export function formatBytes(count: number): string {
  if (count < 1024) return `${count} B`;
  if (count < 1024 * 1024) return `${(count / 1024).toFixed(1)} KiB`;
  return `${(count / 1024 / 1024).toFixed(1)} MiB`;
}

export function requestLine({ method, subPath, queryString }: CapturedRequest): string {
  return `${method} ${targetOf(subPath, queryString)}`;
}

/** What stands behind the bin's address. */
export function targetOf(subPath: string, queryString: string): string {
  return (subPath || '/') + (queryString && `?${queryString}`);
}

export function requestView(binId: string, request: CapturedRequest): Node[] {
  const { receivedAt, ip, bodySize, headers, queryString } = request;
  const received = new Date(receivedAt);
  return [
    element(
      'div',
      { class: 'request-head' },
      element('h3', { id: 'request-title', tabindex: -1 }, requestLine(request)),
      copyButton('Copy as curl', () => asCurl(binId, request)),
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
  ];
}

function section(title: string, ...children: readonly Node[]): HTMLElement {
  return element('section', {}, element('h4', {}, title), ...children);
}

function table(rows: readonly (readonly [name: string, value: string])[]): HTMLElement {
  const lines = rows.map(([name, value]) =>
    element('tr', {}, element('th', { scope: 'row' }, name), element('td', {}, value)),
  );
  return element(
    'div',
    { class: 'table' },
    element('table', { class: 'code' }, element('tbody', {}, ...lines)),
  );
}

function queryPairs(queryString: string): [string, string][] {
  return [...new URLSearchParams(queryString)];
}

function asCurl(binId: string, request: CapturedRequest): string {
  const { method, subPath, queryString, headers, body, bodyEncoding, bodySize } = request;
  const isPlain = bodyEncoding === 'utf-8' && body !== null && fitsCommandLine(body);
  const isWhole = isPlain && !request.bodyTruncated;
  const url = addressOf(`/api/webhooks/${binId}`) + subPath + (queryString && `?${queryString}`);
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
  return [section('Signature', verdict, form)];
}

function verdictView({ provider, verified, message }: Verdict, how: string): Node[] {
  const what = verified ? `✓ Verifies ${how}` : `✗ Does not verify ${how}`;
  return [
    element(
      'p',
      { class: verified ? 'verdict right' : 'verdict wrong' },
      element('strong', {}, what),
      ` (${provider}). ${message}`,
    ),
  ];
}

interface BodyForm {
  readonly name: string;
  readonly text: () => string;
  readonly note?: string;
}

function bodyView(binId: string, request: CapturedRequest): HTMLElement {
  const { bodySize, bodyTruncated, contentType } = request;
  if (bodySize === 0) return section('Body', element('p', { class: 'quiet' }, 'None.'));
  const forms = bodyForms(request);
  const shown = element('pre', {
    class: 'code body',
    // It scrolls, so the keyboard must reach it.
    tabindex: 0,
    role: 'group',
    'aria-label': 'Body',
  });
  const note = element('p', { class: 'quiet' });
  const choices = forms.map((form, index) => {
    const input = element('input', { type: 'radio', name: 'body-form', checked: index === 0 });
    input.addEventListener('change', () => show(form));
    return element('label', {}, input, form.name);
  });
  function show(form: BodyForm): void {
    shown.textContent = form.text();
    note.textContent = form.note ?? '';
    note.hidden = form.note === undefined;
  }
  const [first] = forms;
  if (first !== undefined) show(first);
  const download = element(
    'a',
    { href: bodyAddress(binId, request), download: `request-${request.id}.bin` },
    'Download',
  );
  // A link can send no header.
  download.addEventListener('click', (event) => {
    if (keyToSend() === undefined) return;
    event.preventDefault();
    void save(download);
  });
  const cut = `Only the first ${kept} of ${formatBytes(bodySize)} were kept.`;
  return section(
    'Body',
    element('p', { class: 'quiet' }, contentType ?? 'No Content-Type'),
    ...(bodyTruncated ? [element('p', { class: 'quiet' }, cut)] : []),
    element(
      'div',
      { class: 'body-bar' },
      element('div', { class: 'choices', role: 'radiogroup', 'aria-label': 'Show as' }, ...choices),
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

async function save({ href, download }: HTMLAnchorElement): Promise<void> {
  const bytes = await (await callInSandbox(href)).blob();
  const url = URL.createObjectURL(bytes);
  element('a', { href: url, download }).click();
  URL.revokeObjectURL(url);
}

function bodyForms(request: CapturedRequest): BodyForm[] {
  const bytes = bytesOf(request);
  const isCut = bytes.length > shownHexBytes;
  const hex: BodyForm = {
    name: 'Hex',
    text: () => hexDump(bytes.subarray(0, shownHexBytes)),
    ...(isCut && { note: `The first ${formatBytes(shownHexBytes)}; download it for the rest.` }),
  };
  const { body, bodyEncoding } = request;
  if (bodyEncoding !== 'utf-8' || body === null) return [hex];
  const text: BodyForm = { name: 'Text', text: () => body };
  const indented = /^\s*[[{]/.test(body) ? indentJson(body) : undefined;
  return indented === undefined ? [text, hex] : [{ name: 'JSON', text: () => indented }, text, hex];
}

function bytesOf({ body, bodyEncoding }: CapturedRequest): Uint8Array {
  if (body === null) return new Uint8Array();
  if (bodyEncoding === 'utf-8') return new TextEncoder().encode(body);
  return Uint8Array.from(atob(body), (character) => character.charCodeAt(0));
}

/**
 * The bin inspector. The address of the page says what is shown: `#<bin>` or `#<bin>/<request>`, so
 * that the browser's history, bookmarks and links work; it never reaches a server log.
 */

import { EventSource } from 'eventsource';
import { accountLink } from '../shared/account-link.js';
import { addressOf } from '../shared/address-of.js';
import { ApiError } from '../shared/call.js';
import { confirm } from '../shared/confirm.js';
import { copyFrom } from '../shared/copy-button.js';
import { byId, element } from '../shared/element.js';
import { addThemeSwitch, applyTheme } from '../shared/theme.js';
import { type Bin, binAddress, type CapturedRequest } from './api.js';
import { listenToReplyForm, showReply } from './reply-form.js';
import { formatBytes, requestLine, requestView, targetOf } from './request-view.js';
import {
  callInSandbox,
  callJsonInSandbox,
  fetchInSandbox,
  makeSandbox,
  needSandbox,
  setOwnBins,
} from './sandbox.js';
import { sendTestRequest } from './test-requests.js';

applyTheme();
addThemeSwitch();

/** As many as a bin keeps. */
const maxRequests = 50;

/** Before a stream that was refused is tried again. */
const retryMs = 5000;

interface OpenBin {
  bin: Bin;
  /** The newest first. */
  requests: CapturedRequest[];
  stream: EventSource | undefined;
}

const list = byId('requests', HTMLOListElement);
const detail = byId('request', HTMLElement);
const binSection = byId('bin', HTMLElement);
const welcome = byId('welcome', HTMLElement);
const live = byId('live', HTMLParagraphElement);
const fault = byId('fault', HTMLParagraphElement);
const addressField = byId('address', HTMLInputElement);
const nameField = byId('name', HTMLInputElement);

let bins: Bin[] = [];
let open: OpenBin | undefined;
let shownRequestId: string | undefined;
/** Grows with every change of what is open, so that late answers can tell they are late. */
let turn = 0;

addEventListener('hashchange', route);
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') attempt(loadBins);
});
byId('skip', HTMLAnchorElement).addEventListener('click', (event) => {
  event.preventDefault();
  byId('main', HTMLElement).focus();
});
byId('create', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault();
  attempt(createBin);
});
onClick('copy-address', (button) => copyFrom(button, addressField.value));
onClick('send', () => withBin(({ bin }) => sendTestRequest(bin.id, sampleKind())));
onClick('clear', () => withBin(clearBin));
onClick('delete', () => withBin(deleteBin));
addressField.addEventListener('focus', () => addressField.select());
listenToReplyForm(
  () => open?.bin.id ?? '',
  (bin) => {
    if (open?.bin.id === bin.id) showReply(bin);
  },
);
attempt(async () => {
  await loadBins();
  route();
});

function onClick(id: string, act: (button: HTMLButtonElement) => unknown): void {
  const button = byId(id, HTMLButtonElement);
  button.addEventListener('click', () => attempt(async () => void (await act(button))));
}

/** Shows what went wrong, until the next thing is done. */
async function attempt(act: () => Promise<void>): Promise<void> {
  fault.hidden = true;
  try {
    await act();
  } catch (error) {
    fault.replaceChildren(
      ...(error instanceof ApiError && error.status === 401
        ? accountLink(addressOf('/account'))
        : [(error as Error).message]),
    );
    fault.hidden = false;
  }
}

async function withBin(act: (opened: OpenBin) => Promise<void>): Promise<void> {
  if (open !== undefined) await act(open);
}

function sampleKind(): string {
  return byId('sample', HTMLSelectElement).value;
}

function announce(text: string): void {
  byId('announcement', HTMLParagraphElement).textContent = text;
}

async function loadBins(): Promise<void> {
  needSandbox();
  bins = await listBins().catch((error: unknown) => {
    if (!(error instanceof ApiError && error.status === 403)) throw error;
    makeSandbox();
    return listBins();
  });
  setOwnBins(bins.map(({ id }) => id));
  renderBins();
}

function listBins(): Promise<Bin[]> {
  return callJsonInSandbox<Bin[]>(addressOf('/api/webhooks/bins'));
}

function titleOf({ name, id }: Bin): string {
  return name || `${id.slice(0, 8)}…`;
}

function renderBins(): void {
  const items = bins.map((bin) => {
    const isOpen = bin.id === open?.bin.id;
    const count = isOpen ? (open?.requests.length ?? 0) : bin.requestCount;
    return element(
      'li',
      {},
      element(
        'a',
        { href: `#${bin.id}`, 'aria-current': isOpen && 'page' },
        element('span', { class: 'bin-name' }, titleOf(bin)),
        element(
          'span',
          { class: 'quiet' },
          String(count),
          element('span', { class: 'unseen' }, ' requests'),
        ),
      ),
    );
  });
  byId('bins', HTMLUListElement).replaceChildren(...items);
}

async function createBin(): Promise<void> {
  const name = nameField.value.trim();
  const bin = await callJsonInSandbox<Bin>(
    addressOf('/api/webhooks/bins'),
    'POST',
    name === '' ? {} : { name },
  );
  nameField.value = '';
  await loadBins();
  location.hash = bin.id;
  announce(`The bin ${titleOf(bin)} was made.`);
}

async function clearBin({ bin }: OpenBin): Promise<void> {
  if (!(await confirm('Drop all requests of this bin?', 'Clear'))) return;
  await callInSandbox(binAddress(bin.id, '/requests'), { method: 'DELETE' });
  forgetRequests(bin.id);
}

async function deleteBin({ bin }: OpenBin): Promise<void> {
  if (!(await confirm('Delete this bin? Its address will answer 404.', 'Delete'))) return;
  closeBin();
  await callInSandbox(binAddress(bin.id), { method: 'DELETE' });
  await loadBins();
  location.hash = '';
  byId('main', HTMLElement).focus();
  announce('The bin was deleted.');
}

function route(): void {
  const [, binId, requestId] = /^#([\w-]{22})(?:\/(\d+))?$/.exec(location.hash) ?? [];
  attempt(async () => {
    if (binId === undefined) {
      closeBin();
      welcome.hidden = false;
    } else if (binId === open?.bin.id) {
      select(requestId);
    } else {
      await openBin(binId, requestId);
    }
  });
}

function closeBin(): void {
  turn += 1;
  open?.stream?.close();
  open = undefined;
  shownRequestId = undefined;
  binSection.hidden = true;
  document.title = 'Webhook bins · Practice API';
  renderBins();
}

async function openBin(id: string, requestId: string | undefined): Promise<void> {
  closeBin();
  welcome.hidden = true;
  const ownTurn = turn;
  const found = await callJsonInSandbox<Bin & { requests: CapturedRequest[] }>(
    binAddress(id),
  ).catch((error: unknown) => {
    if (ownTurn === turn) welcome.hidden = false;
    throw error;
  });
  if (ownTurn !== turn) return;
  open = { bin: found, requests: found.requests, stream: undefined };
  byId('bin-title', HTMLHeadingElement).textContent = titleOf(found);
  addressField.value = found.url;
  byId('example', HTMLPreElement).textContent = `curl -d '{"hello":"world"}' ${found.url}`;
  showReply(found);
  list.replaceChildren(...found.requests.map(listItem));
  binSection.hidden = false;
  renderCounts();
  select(requestId ?? found.requests[0]?.id);
  follow(open, found.requests[0]?.id ?? '0');
}

/** Keeps the list up to date from the event behind `lastEventId` on. */
function follow(opened: OpenBin, lastEventId: string): void {
  const { id } = opened.bin;
  live.textContent = 'Connecting …';
  const url = binAddress(id, `/events?lastEventId=${lastEventId}`);
  // The browser's own cannot send headers.
  const stream = new EventSource(url, {
    fetch: fetchInSandbox,
  });
  opened.stream = stream;
  stream.addEventListener('open', () => {
    live.textContent = 'Live';
    live.classList.add('is-live');
  });
  stream.addEventListener('message', ({ data }) => {
    if (open === opened) add(opened, JSON.parse(data as string) as CapturedRequest);
  });
  stream.addEventListener('cleared', () => {
    if (open === opened) forgetRequests(id);
  });
  stream.addEventListener('deleted', () => {
    stream.close();
    showState('Deleted');
    attempt(loadBins);
  });
  stream.addEventListener('error', () => {
    showState('Reconnecting …');
    // A browser gives up on a stream that was refused; it is worth asking why.
    if (stream.readyState === EventSource.CLOSED) setTimeout(() => reopen(opened), retryMs);
  });
  function showState(text: string): void {
    if (open !== opened) return;
    live.classList.remove('is-live');
    live.textContent = text;
  }
}

async function reopen(opened: OpenBin): Promise<void> {
  if (open !== opened) return;
  try {
    await callJsonInSandbox<Bin>(binAddress(opened.bin.id));
    if (open === opened) follow(opened, opened.requests[0]?.id ?? '0');
  } catch (error) {
    if (open !== opened) return;
    if (error instanceof ApiError && error.status === 404) live.textContent = 'Deleted';
    else setTimeout(() => reopen(opened), retryMs);
  }
}

function add(opened: OpenBin, request: CapturedRequest): void {
  if (opened.requests.some(({ id }) => id === request.id)) return;
  opened.requests.unshift(request);
  const item = listItem(request);
  item.classList.add('is-new');
  list.prepend(item);
  while (opened.requests.length > maxRequests) {
    opened.requests.pop();
    list.lastElementChild?.remove();
  }
  renderCounts();
  announce(`${requestLine(request)} has come.`);
  // What someone is reading stays where it is.
  if (shownRequestId === undefined) select(request.id);
}

function forgetRequests(binId: string): void {
  if (open?.bin.id !== binId) return;
  open.requests = [];
  list.replaceChildren();
  renderCounts();
  if (location.hash !== `#${binId}`) history.replaceState(null, '', `#${binId}`);
  select(undefined);
  announce('All requests were dropped.');
}

function renderCounts(): void {
  if (open === undefined) return;
  const { bin, requests } = open;
  const count = requests.length;
  byId('count', HTMLSpanElement).textContent = count === 0 ? '' : String(count);
  byId('empty', HTMLDivElement).hidden = count > 0;
  document.title = `(${count}) ${titleOf(bin)} · Webhook bins · Practice API`;
  renderBins();
}

function listItem(request: CapturedRequest): HTMLLIElement {
  const { id, method, subPath, queryString, receivedAt, bodySize, signature } = request;
  const time = new Date(receivedAt).toLocaleTimeString();
  const mark = signature && (signature.verified ? '✓ signed' : '✗ signature');
  const facts = [time, formatBytes(bodySize), ...(mark ? [mark] : [])];
  return element(
    'li',
    { 'data-id': id },
    element(
      'a',
      { href: `#${open?.bin.id}/${id}` },
      element('span', { class: 'verb code' }, method),
      element('span', { class: 'target code' }, targetOf(subPath, queryString)),
      element('span', { class: 'quiet facts' }, facts.join(' · ')),
    ),
  );
}

/** Shows one request beside the list, or none. Focus moves to it when someone chose it. */
function select(id: string | undefined): void {
  const request = open?.requests.find((each) => each.id === id);
  const hasFocus = list.contains(document.activeElement);
  shownRequestId = request?.id;
  for (const item of list.children) {
    const isShown = item.getAttribute('data-id') === shownRequestId;
    const link = item.firstElementChild;
    if (isShown) link?.setAttribute('aria-current', 'true');
    else link?.removeAttribute('aria-current');
  }
  detail.hidden = request === undefined;
  if (open === undefined || request === undefined) {
    detail.replaceChildren();
    return;
  }
  detail.replaceChildren(...requestView(open.bin.id, request));
  if (hasFocus) byId('request-title', HTMLHeadingElement).focus();
}

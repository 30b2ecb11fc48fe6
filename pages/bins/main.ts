/**
 * The bin inspector. The address of the page says what is shown: `#<bin>` or `#<bin>/<request>`, so
 * that the browser's history, bookmarks and links work; it never reaches a server log.
 */

import { EventSource } from 'eventsource';
import { sandboxAddress } from '../bar/sandbox-api.js';
import { accountLink } from '../shared/account-link.js';
import { addressOf } from '../shared/address-of.js';
import { ApiError } from '../shared/call.js';
import { confirm } from '../shared/confirm.js';
import { copyFrom } from '../shared/copy-button.js';
import { byId, element } from '../shared/element.js';
import { onSandboxChange } from '../shared/sandbox-name.js';
import { addThemeSwitch, applyTheme } from '../shared/theme.js';
import { type Bin, binAddress, type CapturedRequest } from './api.js';
import { clearFilter, isInSight, offerMethods, onFilterChange } from './filter-requests.js';
import { binItem, requestItem, titleOf } from './list-items.js';
import { listenToReplyForm, showReply } from './reply-form.js';
import { requestLine, requestView } from './request-view.js';
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
onClick('share', () => withBin(shareBin));
onFilterChange(renderCounts);
onSandboxChange(() => {
  if (!isStarting) attempt(changeSandbox);
});
let isStarting = true;
attempt(start).finally(() => {
  isStarting = false;
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

function renderBins(): void {
  const items = bins.map((bin) => {
    const isOpen = bin.id === open?.bin.id;
    return binItem(bin, isOpen ? (open?.requests.length ?? 0) : bin.requestCount, isOpen);
  });
  byId('bins', HTMLUListElement).replaceChildren(...items);
}

/** Who comes without a bin in mind finds an address at once: of the newest bin, or of a new one. */
async function start(): Promise<void> {
  await loadBins();
  if (route()) return;
  const id = bins[0]?.id ?? (await makeBin()).id;
  history.replaceState(null, '', `#${id}`);
  await openBin(id, undefined);
}

async function makeBin(name?: string): Promise<Bin> {
  const url = addressOf('/api/webhooks/bins');
  const bin = await callJsonInSandbox<Bin>(url, 'POST', { ...(name && { name }) });
  await loadBins();
  return bin;
}

/** What was open may be out of sight in another sandbox. */
async function changeSandbox(): Promise<void> {
  closeBin();
  history.replaceState(null, '', location.pathname);
  await start();
}

async function createBin(): Promise<void> {
  const bin = await makeBin(nameField.value.trim());
  nameField.value = '';
  location.hash = bin.id;
  announce(`The bin ${titleOf(bin)} was created.`);
}

/** A link that opens the bin for whoever has it: into the sandbox, or for who has an account, into the account. */
async function shareBin({ bin }: OpenBin): Promise<void> {
  const address = await sandboxAddress();
  const link = `${address}/bins#${bin.id}`;
  const note = address.includes('/s/~')
    ? ' Whoever has it acts as your account in this sandbox.'
    : ' Whoever has it can see and change everything in this sandbox.';
  const shared = byId('shared-link', HTMLParagraphElement);
  shared.replaceChildren(element('a', { href: link }, link), note);
  shared.hidden = false;
  await copyFrom(byId('share', HTMLButtonElement), link);
}

async function deleteRequest(opened: OpenBin, id: string): Promise<void> {
  await callInSandbox(binAddress(opened.bin.id, `/requests/${id}`), { method: 'DELETE' });
  const place = opened.requests.findIndex((request) => request.id === id);
  opened.requests = opened.requests.filter((request) => request.id !== id);
  if (open !== opened) return;
  const next = opened.requests[place] ?? opened.requests.at(-1);
  history.replaceState(null, '', next ? `#${opened.bin.id}/${next.id}` : `#${opened.bin.id}`);
  renderRequests();
  select(next?.id);
  byId(next === undefined ? 'main' : 'request-title', HTMLElement).focus();
  announce('The request was deleted.');
}

async function clearBin({ bin }: OpenBin): Promise<void> {
  if (!(await confirm('Delete all requests of this bin?', 'Clear'))) return;
  await callInSandbox(binAddress(bin.id, '/requests'), { method: 'DELETE' });
  forgetRequests(bin.id);
}

async function deleteBin({ bin }: OpenBin): Promise<void> {
  if (!(await confirm('Delete this bin? Its address will then return 404.', 'Delete'))) return;
  closeBin();
  await callInSandbox(binAddress(bin.id), { method: 'DELETE' });
  await loadBins();
  location.hash = bins[0]?.id ?? '';
  byId('main', HTMLElement).focus();
  announce('The bin was deleted.');
}

/** Says whether the address names a bin. */
function route(): boolean {
  const [, binId, requestId] = /^#([\w-]{22})(?:\/(\d+))?$/.exec(location.hash) ?? [];
  attempt(async () => {
    if (binId === undefined) {
      closeBin();
      welcome.hidden = bins.length > 0;
    } else if (binId === open?.bin.id) {
      select(requestId);
    } else {
      await openBin(binId, requestId);
    }
  });
  return binId !== undefined;
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
  byId('shared-link', HTMLParagraphElement).hidden = true;
  clearFilter();
  renderRequests();
  binSection.hidden = false;
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
  opened.requests.splice(maxRequests);
  const item = requestItem(opened.bin.id, request);
  item.classList.add('is-new');
  list.prepend(item);
  renderCounts();
  announce(`${requestLine(request)} has come.`);
  // What someone is reading stays where it is.
  if (shownRequestId === undefined) select(request.id);
}

function forgetRequests(binId: string): void {
  if (open?.bin.id !== binId) return;
  open.requests = [];
  clearFilter();
  renderRequests();
  if (location.hash !== `#${binId}`) history.replaceState(null, '', `#${binId}`);
  select(undefined);
  announce('All requests were deleted.');
}

function renderRequests(): void {
  if (open === undefined) return;
  const { bin, requests } = open;
  list.replaceChildren(...requests.map((request) => requestItem(bin.id, request)));
  renderCounts();
  markShown();
}

/** Lines whose requests are gone go, and those that are filtered out are hidden. */
function renderCounts(): void {
  if (open === undefined) return;
  const { bin, requests } = open;
  offerMethods(requests);
  const inSight = new Set(requests.filter(isInSight).map(({ id }) => id));
  const held = new Set(requests.map(({ id }) => id));
  for (const item of [...list.children] as HTMLElement[]) {
    const id = item.dataset.id ?? '';
    if (!held.has(id)) item.remove();
    item.hidden = !inSight.has(id);
  }
  const [all, shown] = [requests.length, inSight.size];
  const count = byId('count', HTMLSpanElement);
  count.textContent = all === 0 ? '' : shown === all ? String(all) : `${shown} of ${all}`;
  byId('filters', HTMLDivElement).hidden = all === 0;
  const nothing = byId('nothing', HTMLParagraphElement);
  nothing.hidden = all === 0 || shown > 0;
  nothing.textContent = nothing.hidden ? '' : 'No request matches.';
  byId('empty', HTMLDivElement).hidden = all > 0;
  document.title = `(${all}) ${titleOf(bin)} · Webhook bins · Practice API`;
  renderBins();
}

function markShown(): void {
  for (const item of list.children) {
    const link = item.firstElementChild;
    if (item.getAttribute('data-id') === shownRequestId) link?.setAttribute('aria-current', 'true');
    else link?.removeAttribute('aria-current');
  }
}

/** Shows one request beside the list, or none. Focus moves to it when someone chose it. */
function select(id: string | undefined): void {
  const request = open?.requests.find((each) => each.id === id);
  const hasFocus = list.contains(document.activeElement);
  shownRequestId = request?.id;
  markShown();
  detail.hidden = request === undefined;
  if (open === undefined || request === undefined) {
    detail.replaceChildren();
    return;
  }
  const opened = open;
  const drop = () => attempt(() => deleteRequest(opened, request.id));
  detail.replaceChildren(...requestView(opened.bin.id, request, drop));
  if (hasFocus) byId('request-title', HTMLHeadingElement).focus();
}

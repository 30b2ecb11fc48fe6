/** The requests of the open bin, and the selected request next to them. */

import { attempt } from '../shared/attempt.js';
import { byId } from '../shared/element.js';
import { announce } from './announce.js';
import { binAddress, type CapturedRequest } from './api.js';
import { renderBins } from './bin-list.js';
import { clearFilter, isInSight, offerMethods } from './filter-requests.js';
import { requestItem, titleOf } from './list-items.js';
import { type OpenBin, page } from './page-state.js';
import { requestLine, requestView } from './request/request-view.js';
import { callInSandbox } from './sandbox.js';

/** Maximum number of requests of a bin. */
const maxRequests = 50;

const list = byId('requests', HTMLOListElement);
const detail = byId('request', HTMLElement);

export function add(opened: OpenBin, request: CapturedRequest): void {
  if (opened.requests.some(({ id }) => id === request.id)) return;
  opened.requests.unshift(request);
  opened.requests.splice(maxRequests);
  const item = requestItem(opened.bin.id, request);
  item.classList.add('is-new');
  list.prepend(item);
  renderCounts();
  announce(`${requestLine(request)} has arrived.`);
  // The request that the visitor is reading stays open.
  if (page.shownRequestId === undefined) select(request.id);
}

export function forgetRequests(binId: string): void {
  if (page.open?.bin.id !== binId) return;
  page.open.requests = [];
  clearFilter();
  renderRequests();
  if (location.hash !== `#${binId}`) history.replaceState(null, '', `#${binId}`);
  select(undefined);
  announce('All requests were deleted.');
}

export function renderRequests(): void {
  if (page.open === undefined) return;
  const { bin, requests } = page.open;
  list.replaceChildren(...requests.map((request) => requestItem(bin.id, request)));
  renderCounts();
  markShown();
}

/** Removes deleted requests from the list, and hides filtered ones. */
export function renderCounts(): void {
  if (page.open === undefined) return;
  const { bin, requests } = page.open;
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

/** Shows one request next to the list, or none. Focus moves to it if the visitor chose it. */
export function select(id: string | undefined): void {
  const request = page.open?.requests.find((each) => each.id === id);
  const hasFocus = list.contains(document.activeElement);
  page.shownRequestId = request?.id;
  markShown();
  detail.hidden = request === undefined;
  if (page.open === undefined || request === undefined) {
    detail.replaceChildren();
    return;
  }
  const opened = page.open;
  const drop = () => attempt(() => deleteRequest(opened, request.id));
  detail.replaceChildren(...requestView(opened.bin.id, request, drop));
  if (hasFocus) byId('request-title', HTMLHeadingElement).focus();
}

function markShown(): void {
  for (const item of list.children) {
    const link = item.firstElementChild;
    if (item.getAttribute('data-id') === page.shownRequestId)
      link?.setAttribute('aria-current', 'true');
    else link?.removeAttribute('aria-current');
  }
}

async function deleteRequest(opened: OpenBin, id: string): Promise<void> {
  await callInSandbox(binAddress(opened.bin.id, `/requests/${id}`), { method: 'DELETE' });
  const place = opened.requests.findIndex((request) => request.id === id);
  opened.requests = opened.requests.filter((request) => request.id !== id);
  if (page.open !== opened) return;
  const next = opened.requests[place] ?? opened.requests.at(-1);
  history.replaceState(null, '', next ? `#${opened.bin.id}/${next.id}` : `#${opened.bin.id}`);
  renderRequests();
  select(next?.id);
  byId(next === undefined ? 'main' : 'request-title', HTMLElement).focus();
  announce('The request was deleted.');
}

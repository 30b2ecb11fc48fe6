/** The open bin: its URL, its response and its requests. */

import { byId } from '../shared/element.js';
import { type Bin, binAddress, type CapturedRequest } from './api.js';
import { renderBins } from './bin-list.js';
import { clearFilter } from './filter-requests.js';
import { follow } from './follow-bin.js';
import { titleOf } from './list-items.js';
import { page } from './page-state.js';
import { renderRequests, select } from './request-list.js';
import { showResponse } from './response-form.js';
import { callJsonInSandbox } from './sandbox.js';

const binSection = byId('bin', HTMLElement);
const welcome = byId('welcome', HTMLElement);
const addressField = byId('address', HTMLInputElement);

export async function openBin(id: string, requestId: string | undefined): Promise<void> {
  closeBin();
  welcome.hidden = true;
  const ownTurn = page.turn;
  const found = await callJsonInSandbox<Bin & { requests: CapturedRequest[] }>(
    binAddress(id),
  ).catch((error: unknown) => {
    if (ownTurn === page.turn) welcome.hidden = false;
    throw error;
  });
  if (ownTurn !== page.turn) return;
  page.open = { bin: found, requests: found.requests, stream: undefined };
  byId('bin-title', HTMLHeadingElement).textContent = titleOf(found);
  addressField.value = found.url;
  byId('example', HTMLPreElement).textContent = `curl -d '{"hello":"world"}' ${found.url}`;
  showResponse(found);
  byId('shared-link', HTMLParagraphElement).hidden = true;
  clearFilter();
  renderRequests();
  binSection.hidden = false;
  select(requestId ?? found.requests[0]?.id);
  follow(page.open, found.requests[0]?.id ?? '0');
}

export function closeBin(): void {
  page.turn += 1;
  page.open?.stream?.close();
  page.open = undefined;
  page.shownRequestId = undefined;
  binSection.hidden = true;
  document.title = 'Webhook bins · Practice API';
  renderBins();
}

/** The bins of the sandbox. */

import { addressOf } from '../shared/address-of.js';
import { ApiError } from '../shared/call.js';
import { byId } from '../shared/element.js';
import { chooseOwn, needSandbox } from '../shared/visitor/sandbox-name.js';
import type { Bin } from './api.js';
import { binItem } from './list-items.js';
import { page } from './page-state.js';
import { callJsonInSandbox, setOwnBins } from './sandbox.js';

export async function loadBins(): Promise<void> {
  needSandbox();
  page.bins = await listBins().catch((error: unknown) => {
    if (!(error instanceof ApiError && error.status === 403)) throw error;
    chooseOwn();
    return listBins();
  });
  setOwnBins(page.bins.map(({ id }) => id));
  renderBins();
}

export async function makeBin(name?: string): Promise<Bin> {
  const url = addressOf('/api/webhooks/bins');
  const bin = await callJsonInSandbox<Bin>(url, 'POST', { ...(name && { name }) });
  await loadBins();
  return bin;
}

export function renderBins(): void {
  const items = page.bins.map((bin) => {
    const isOpen = bin.id === page.open?.bin.id;
    return binItem(bin, isOpen ? (page.open?.requests.length ?? 0) : bin.requestCount, isOpen);
  });
  byId('bins', HTMLUListElement).replaceChildren(...items);
}

function listBins(): Promise<Bin[]> {
  return callJsonInSandbox<Bin[]>(addressOf('/api/webhooks/bins'));
}

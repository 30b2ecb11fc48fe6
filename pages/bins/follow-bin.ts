/** Follows the stream of a bin's events. */

import { EventSource } from 'eventsource';
import { attempt } from '../shared/attempt.js';
import { ApiError } from '../shared/call.js';
import { byId } from '../shared/element.js';
import { type Bin, binAddress, type CapturedRequest } from './api.js';
import { loadBins } from './bin-list.js';
import { type OpenBin, page } from './page-state.js';
import { add, forgetRequests } from './request-list.js';
import { callJsonInSandbox, fetchInSandbox } from './sandbox.js';

/** Time before a rejected stream is tried again. */
const retryMs = 5000;

const live = byId('live', HTMLParagraphElement);

/** Keeps the list up to date, from the event after `lastEventId`. */
export function follow(opened: OpenBin, lastEventId: string): void {
  const { id } = opened.bin;
  live.textContent = 'Connecting …';
  const url = binAddress(id, `/events?lastEventId=${lastEventId}`);
  // The browser's own EventSource cannot send headers.
  const stream = new EventSource(url, {
    fetch: fetchInSandbox,
  });
  opened.stream = stream;
  stream.addEventListener('open', () => {
    live.textContent = 'Live';
    live.classList.add('is-live');
  });
  stream.addEventListener('message', ({ data }) => {
    if (page.open === opened) add(opened, JSON.parse(data as string) as CapturedRequest);
  });
  stream.addEventListener('cleared', () => {
    if (page.open === opened) forgetRequests(id);
  });
  stream.addEventListener('deleted', () => {
    stream.close();
    showState('Deleted');
    attempt(loadBins);
  });
  stream.addEventListener('error', () => {
    showState('Reconnecting …');
    // An EventSource does not retry a rejected stream, so it is opened again to learn the reason.
    if (stream.readyState === EventSource.CLOSED) setTimeout(() => reopen(opened), retryMs);
  });
  function showState(text: string): void {
    if (page.open !== opened) return;
    live.classList.remove('is-live');
    live.textContent = text;
  }
}

async function reopen(opened: OpenBin): Promise<void> {
  if (page.open !== opened) return;
  try {
    await callJsonInSandbox<Bin>(binAddress(opened.bin.id));
    if (page.open === opened) follow(opened, opened.requests[0]?.id ?? '0');
  } catch (error) {
    if (page.open !== opened) return;
    if (error instanceof ApiError && error.status === 404) live.textContent = 'Deleted';
    else setTimeout(() => reopen(opened), retryMs);
  }
}

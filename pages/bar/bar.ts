/**
 * The bar of all pages: a button in the header that names the sandbox of the visitor's requests, and shows its time
 * where that is not the real one. What it opens is loaded when it is opened.
 */

import { addressOf, isInSandbox, sandboxOfAddress } from '../shared/address-of.js';
import { byId } from '../shared/element.js';
import { onSandboxChange, onWrite, storedSandbox } from '../shared/sandbox-name.js';
import { keyToSend, onKeyChange } from '../shared/service-key.js';
import { withVisitor } from '../shared/visitor-headers.js';
import type { SandboxState } from './sandbox-api.js';

const open = byId('bar-open', HTMLButtonElement);
const name = byId('bar-name', HTMLElement);
const clock = byId('bar-clock', HTMLTimeElement);

/** Of the sandbox's time against that of this browser; `undefined` where it keeps the real time. */
let aheadMs: number | undefined;
let isShared = true;

open.addEventListener('click', async () => {
  const { openPanel } = await import('./panel.js');
  await openPanel(open);
});
onSandboxChange(() => void look());
onKeyChange(() => void look());
onWrite(async () => {
  if (!isShared) return;
  const { offerSandbox } = await import('./offer.js');
  offerSandbox(open);
});
setInterval(showClock, 1000);
void look();
open.hidden = false;

/** Names the sandbox at once, then asks the service what it knows of it; nothing where strangers share it. */
async function look(): Promise<void> {
  const chosen = sandboxOfAddress() ?? (storedSandbox() || undefined);
  isShared = chosen === undefined && keyToSend() === undefined;
  aheadMs = undefined;
  name.textContent = isShared ? 'shared' : (chosen?.replace(/^~.*/, 'account') ?? 'default');
  if (!isShared) await ask().catch(() => undefined);
  showClock();
}

async function ask(): Promise<void> {
  const url = addressOf('/api/sandbox');
  const asked = storedSandbox();
  const response = await fetch(url, { headers: withVisitor(url), cache: 'no-store' });
  // Another may have been chosen in the meantime.
  if (!response.ok || (asked !== storedSandbox() && !isInSandbox())) return;
  const state = (await response.json()) as SandboxState;
  name.textContent = state.name;
  isShared = state.isShared;
  aheadMs = state.clock.offsetSeconds === 0 ? undefined : Date.parse(state.clock.now) - Date.now();
}

function showClock(): void {
  clock.hidden = aheadMs === undefined;
  if (aheadMs === undefined) return;
  const now = new Date(Date.now() + aheadMs);
  const text = now.toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });
  if (clock.textContent === text) return;
  clock.textContent = text;
  clock.dateTime = now.toISOString();
}

/**
 * The bar of all pages: a button in the header that names the sandbox of the visitor's requests,
 * and shows its time if that differs from the real time. Its panel is loaded on first use.
 */

import { addressOf, isInSandbox, sandboxOfAddress } from '../shared/address-of.js';
import { byId } from '../shared/element.js';
import { mayDiffer, onSandboxChange, sandboxOfVisitor } from '../shared/visitor/sandbox-name.js';
import { keyToSend, onKeyChange } from '../shared/visitor/service-key.js';
import { withVisitor } from '../shared/visitor/visitor-headers.js';
import type { SandboxState } from './sandbox-api.js';

const open = byId('bar-open', HTMLButtonElement);
const name = byId('bar-name', HTMLElement);
const clock = byId('bar-clock', HTMLTimeElement);

/**
 * Difference between the sandbox's clock and this browser's; `undefined` if it keeps the real time.
 */
let aheadMs: number | undefined;

open.addEventListener('click', async () => {
  const { openPanel } = await import('./panel.js');
  await openPanel(open);
});
onSandboxChange(() => void look());
onKeyChange(() => void look());
setInterval(showClock, 1000);
void look();
open.hidden = false;

/** Shows the name at once, then the details from the service; none for the shared sandbox. */
async function look(): Promise<void> {
  const chosen = sandboxOfAddress() ?? (sandboxOfVisitor() || undefined);
  const isShared = chosen === undefined && keyToSend() === undefined;
  aheadMs = undefined;
  name.textContent = isShared ? 'shared' : (chosen?.replace(/^~.*/, 'account') ?? 'default');
  if (isInSandbox() || mayDiffer()) await ask().catch(() => undefined);
  showClock();
}

async function ask(): Promise<void> {
  const url = addressOf('/api/sandbox');
  const asked = sandboxOfVisitor();
  const response = await fetch(url, { headers: withVisitor(url), cache: 'no-store' });
  // The visitor may have chosen another sandbox meanwhile.
  if (!response.ok || (asked !== sandboxOfVisitor() && !isInSandbox())) return;
  const state = (await response.json()) as SandboxState;
  name.textContent = state.name;
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

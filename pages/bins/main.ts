/**
 * The bin inspector. The fragment of the URL selects what is shown: `#<bin>` or `#<bin>/<request>`,
 * so that history, bookmarks and links work; it is never sent to a server.
 */

import { attempt } from '../shared/attempt.js';
import { copyFrom } from '../shared/copy-button.js';
import { byId } from '../shared/element.js';
import { addThemeSwitch, applyTheme } from '../shared/theme.js';
import { onSandboxChange, sandboxToSend } from '../shared/visitor/sandbox-name.js';
import { clearBin, createBin, deleteBin, shareBin } from './bin-actions.js';
import { loadBins, makeBin } from './bin-list.js';
import { closeDeliveries, openDeliveries } from './deliveries/show-deliveries.js';
import { onFilterChange } from './filter-requests.js';
import { closeBin, openBin } from './open-bin.js';
import { type OpenBin, page } from './page-state.js';
import { renderCounts, select } from './request-list.js';
import { listenToResponseForm, showResponse } from './response-form.js';
import { sendTestRequest } from './test-requests.js';

applyTheme();
addThemeSwitch();

const welcome = byId('welcome', HTMLElement);
const addressField = byId('address', HTMLInputElement);

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
onClick('copy-listen', (button) =>
  copyFrom(button, byId('listen-line', HTMLPreElement).textContent ?? ''),
);
onClick('send', () => withBin(({ bin }) => sendTestRequest(bin.id, sampleKind())));
onClick('clear', () => withBin(clearBin));
onClick('delete', () => withBin(deleteBin));
addressField.addEventListener('focus', () => addressField.select());
listenToResponseForm(
  () => page.open?.bin.id ?? '',
  (bin) => {
    if (page.open?.bin.id === bin.id) showResponse(bin);
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

async function withBin(act: (opened: OpenBin) => Promise<void>): Promise<void> {
  if (page.open !== undefined) await act(page.open);
}

function sampleKind(): string {
  return byId('sample', HTMLSelectElement).value;
}

/** Opens the newest bin, or a new one, for visitors whose URL names none. */
async function start(): Promise<void> {
  await loadBins();
  if (route()) return;
  const id = page.bins[0]?.id ?? (await makeBin()).id;
  history.replaceState(null, '', `#${id}`);
  await openBin(id, undefined);
}

/** After a change of the sandbox, the open bin may not belong to it. */
async function changeSandbox(): Promise<void> {
  closeBin();
  if (location.hash !== deliveriesHash) history.replaceState(null, '', location.pathname);
  await start();
}

const deliveriesHash = '#deliveries';

/** Returns whether the URL names a view or a bin. */
function route(): boolean {
  const isDeliveries = location.hash === deliveriesHash;
  for (const [id, isShown] of [
    ['view-deliveries', isDeliveries],
    ['view-bins', !isDeliveries],
  ] as const) {
    const link = byId(id, HTMLAnchorElement);
    if (isShown) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  if (isDeliveries) {
    closeBin();
    welcome.hidden = true;
    openDeliveries(sandboxToSend() ?? '');
    return true;
  }
  closeDeliveries();
  const [, binId, requestId] = /^#([\w-]{22})(?:\/(\d+))?$/.exec(location.hash) ?? [];
  attempt(async () => {
    if (binId === undefined) {
      closeBin();
      welcome.hidden = page.bins.length > 0;
    } else if (binId === page.open?.bin.id) {
      select(requestId);
    } else {
      await openBin(binId, requestId);
    }
  });
  return binId !== undefined;
}

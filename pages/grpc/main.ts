/** The page of gRPC. */

import { addressOf, sandboxOfAddress } from '../shared/address-of.js';
import { callJson } from '../shared/call.js';
import { copyFrom } from '../shared/copy-button.js';
import { showVerdicts } from '../shared/counts.js';
import { byId } from '../shared/element.js';
import { onClick, showLive } from '../shared/live-page.js';
import { offerTabs } from '../shared/tabs.js';
import { needSandbox, sandboxToSend } from '../shared/visitor/sandbox-name.js';
import { setupsFor } from './clients.js';

interface Settings {
  readonly misbehave: string | null;
  readonly script: readonly (string | null)[];
}

const target = byId('target', HTMLInputElement);
const settingsPath = '/api/sandbox/grpc';
let sandbox = '';

onClick('try', async () => {
  const { reply } = await callJson<{ readonly reply: string }>(
    addressOf('/hello.HelloService/SayHello'),
    'POST',
    { greeting: 'Ada' },
  );
  byId('tried', HTMLParagraphElement).textContent = `The service returned “${reply}”.`;
});
onClick('behave', async () => {
  await callJson(addressOf(settingsPath), 'PUT', { misbehave: null });
  await refresh();
});
for (const [button, text] of [
  ['copy-target', () => target.value],
  ['copy-setup', () => byId('setup', HTMLPreElement).textContent ?? ''],
] as const) {
  const copy = byId(button, HTMLButtonElement);
  copy.addEventListener('click', () => void copyFrom(copy, text()));
}
target.addEventListener('focus', () => target.select());

const chosenClient = offerTabs({
  container: byId('clients', HTMLDivElement),
  name: 'client',
  tabs: setupsFor('', ''),
  storedAs: 'practice-api-grpc-client',
  onChange: render,
});

showLive(async () => {
  needSandbox();
  sandbox = sandboxToSend() ?? sandboxOfAddress() ?? '';
  target.value = new URL(addressOf('/')).host;
  byId('sandbox', HTMLSpanElement).textContent = sandbox;
  for (const id of ['copy-target', 'copy-setup']) byId(id, HTMLButtonElement).disabled = false;
  render();
  await refresh();
}, refresh);

function render(): void {
  const chosen = setupsFor(target.value, sandbox).find(({ id }) => id === chosenClient());
  byId('setup', HTMLPreElement).textContent = chosen?.text ?? '';
}

async function refresh(): Promise<void> {
  const [{ misbehave, script }] = await Promise.all([
    callJson<Settings>(addressOf(settingsPath)),
    showVerdicts(['grpc', 'grpc-plan']),
  ]);
  const next = misbehave ?? script.find((each) => each !== null);
  byId('live', HTMLParagraphElement).textContent =
    next === undefined ? 'Each call gets its right response.' : 'Calls get wrong responses.';
  byId('misbehaving', HTMLDivElement).hidden = next === undefined;
  byId('misbehaviour', HTMLElement).textContent = next ?? '';
}

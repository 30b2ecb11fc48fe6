/**
 * The visitor's sandboxes: lists them, and lets the visitor use or reset one, or delete its
 * address.
 */

import { addressOf, isInSandbox } from '../shared/address-of.js';
import { ApiError, call, callJson, callJsonOpen, callOpen } from '../shared/call.js';
import { button, byId, element } from '../shared/element.js';
import {
  notifyOfChange,
  onSandboxChange,
  sandboxOfVisitor,
  storeSandbox,
  usedSandboxes,
} from '../shared/visitor/sandbox-name.js';
import { keyToSend } from '../shared/visitor/service-key.js';

interface Sandbox {
  readonly name: string;
  readonly isShared: boolean;
  readonly isPristine: boolean;
  readonly lastUsedAt: string | null;
  readonly clock: { readonly offsetSeconds: number };
}

interface Address {
  readonly address: string;
  readonly sandbox: string;
}

const section = byId('sandboxes', HTMLElement);
const list = byId('sandbox-list', HTMLUListElement);
const outcome = byId('sandboxes-outcome', HTMLParagraphElement);

onSandboxChange(() => void showSandboxes());

/** Increases with each refresh, so that late responses can be ignored. */
let turn = 0;

export async function showSandboxes(): Promise<void> {
  turn += 1;
  const mine = turn;
  section.hidden = keyToSend() === undefined && usedSandboxes().length === 0;
  if (section.hidden || isInSandbox()) {
    section.hidden = true;
    return;
  }
  try {
    const addresses = await readAddresses();
    const names = [
      ...(keyToSend() === undefined ? [] : ['']),
      ...usedSandboxes(),
      ...addresses.map(({ sandbox }) => (sandbox === 'default' ? '' : sandbox)),
    ];
    const found = await Promise.all([...new Set(names)].map(read));
    if (mine !== turn) return;
    list.replaceChildren(
      ...found
        .filter(({ sandbox }) => !sandbox.isShared)
        .map(({ name, sandbox }) =>
          item(
            name,
            sandbox,
            addresses.filter((each) => each.sandbox === sandbox.name),
          ),
        ),
    );
  } catch (error) {
    // Without an account, there is nothing to list if the service requires one.
    if (error instanceof ApiError && error.status === 401) section.hidden = true;
    else outcome.textContent = (error as Error).message;
  }
}

async function readAddresses(): Promise<readonly Address[]> {
  if (keyToSend() === undefined) return [];
  try {
    return await callJson<readonly Address[]>(addressOf('/api/sandbox/address'));
  } catch (error) {
    // Without accounts, the name itself is the address.
    if (error instanceof ApiError && error.status === 403) return [];
    throw error;
  }
}

/** For this sandbox, not the one of the bar. */
function headersFor(name: string): HeadersInit {
  const key = keyToSend();
  return { ...(key && { 'X-Service-Key': key }), ...(name && { 'X-Sandbox': name }) };
}

async function read(name: string): Promise<{ readonly name: string; readonly sandbox: Sandbox }> {
  const url = addressOf('/api/sandbox');
  return { name, sandbox: await callJsonOpen<Sandbox>(url, 'GET', undefined, headersFor(name)) };
}

function item(name: string, sandbox: Sandbox, addresses: readonly Address[]): HTMLLIElement {
  const isCurrent = sandboxOfVisitor() === name;
  const use = button('Use', () => act(() => storeSandbox(name), `${sandbox.name} is in use.`));
  const reset = button('Reset', () =>
    act(async () => {
      const headers = headersFor(name);
      await callOpen(addressOf('/api/sandbox'), { method: 'DELETE', headers });
      notifyOfChange();
    }, `${sandbox.name} was reset.`),
  );
  use.setAttribute('aria-label', `Use ${sandbox.name}`);
  reset.setAttribute('aria-label', `Reset ${sandbox.name}`);
  const ends = addresses.map(({ address }) =>
    button('Delete its URL', () =>
      act(async () => {
        const secret = address.slice(address.lastIndexOf('/') + 1);
        await call(addressOf(`/api/sandbox/address/${secret}`), { method: 'DELETE' });
        await showSandboxes();
      }, `A URL of ${sandbox.name} was deleted.`),
    ),
  );
  return element(
    'li',
    {},
    element(
      'div',
      { class: 'what' },
      element('b', { class: 'code' }, sandbox.name),
      element('span', { class: 'quiet' }, factsOf(sandbox, isCurrent)),
    ),
    element('div', { class: 'row' }, ...(isCurrent ? [] : [use]), reset, ...ends),
  );
}

function factsOf({ isPristine, lastUsedAt, clock }: Sandbox, isCurrent: boolean): string {
  const used = lastUsedAt === null ? [] : [`used ${new Date(lastUsedAt).toLocaleString()}`];
  return [
    ...(isCurrent ? ['in use'] : []),
    ...(isPristine ? ['nothing written yet'] : used),
    ...(clock.offsetSeconds === 0 ? [] : ['its clock is moved']),
  ].join(' · ');
}

async function act(work: () => unknown, done: string): Promise<void> {
  outcome.textContent = '';
  try {
    await work();
    outcome.textContent = done;
  } catch (error) {
    outcome.textContent = (error as Error).message;
  }
}

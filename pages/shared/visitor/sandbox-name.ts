/**
 * The sandbox of this browser's requests, the same for all pages and tabs: a new one on the first
 * visit, until the visitor chooses another. An account has its own.
 */

import { isInSandbox } from '../address-of.js';
import { readStored, store } from '../stored-text.js';
import { keyToSend } from './service-key.js';

/** Not below `practice-api:`, where the GraphQL editor keeps, counts and clears its own keys. */
const nameKey = 'practice-api-sandbox';
/** The sandbox of the first visit. */
const ownKey = 'practice-api-own-sandbox';
/** Written when something in the sandbox changed, so that other tabs refresh. */
const changeKey = 'practice-api-sandbox-changed';
const usedKey = 'practice-api-sandboxes';
const maxUsed = 10;
const changed = 'sandbox-change';

/** Returns `null` until the visitor has chosen; an empty text if none was chosen. */
export function storedSandbox(): string | null {
  const name = readStored(nameKey);
  return name === null || isSandboxName(name) || name === '' ? name : null;
}

/** Returns the sandbox of the first visit. */
function ownSandbox(): string {
  const stored = readStored(ownKey);
  if (stored !== null && isSandboxName(stored)) return stored;
  const made = randomName('mine');
  store(ownKey, made);
  return made;
}

/** Returns an empty text if requests name none: for the shared one, or for the account's own. */
export function sandboxOfVisitor(): string {
  return storedSandbox() ?? (keyToSend() === undefined ? ownSandbox() : '');
}

/** Returns the sandbox name that requests need; `undefined` if the path of the page contains it. */
export function sandboxToSend(): string | undefined {
  return isInSandbox() ? undefined : sandboxOfVisitor() || undefined;
}

/** Chooses the sandbox of the first visit. */
export function chooseOwn(): void {
  storeSandbox(ownSandbox());
}

/** Chooses their own sandbox for visitors who chose the shared one, where a page needs one. */
export function needSandbox(): void {
  if (sandboxToSend() === undefined && !isInSandbox() && keyToSend() === undefined) chooseOwn();
}

/** Returns the sandboxes that this browser has used, newest first. */
export function usedSandboxes(): string[] {
  return (readStored(usedKey) ?? '').split(' ').filter(isSandboxName);
}

/** Returns all sandboxes of this browser, from the first visit on. */
export function sandboxesOfBrowser(): string[] {
  const own = readStored(ownKey);
  const first = own !== null && isSandboxName(own) ? [own] : [];
  return [...new Set([...first, ...usedSandboxes()])];
}

export function storeSandbox(name: string): void {
  store(nameKey, name);
  const others = usedSandboxes().filter((each) => each !== name);
  if (name !== '') store(usedKey, [name, ...others].slice(0, maxUsed).join(' '));
  dispatchEvent(new Event(changed));
}

/** Returns whether the sandbox may differ from a new one in more than its data. */
export function mayDiffer(): boolean {
  return storedSandbox() !== null || readStored(changeKey) !== null || keyToSend() !== undefined;
}

/** Notifies this page and other tabs that the sandbox was reset, or its clock moved. */
export function notifyOfChange(): void {
  store(changeKey, String(Math.random()));
  dispatchEvent(new Event(changed));
}

/**
 * Calls `act` when another sandbox was chosen, or the bar has changed the current one, in any tab.
 */
export function onSandboxChange(act: () => void): void {
  addEventListener(changed, act);
  addEventListener('storage', ({ key }) => {
    if (key === nameKey || key === changeKey) act();
  });
}

export function isSandboxName(text: string): boolean {
  return /^[\w.-]{1,64}$/.test(text);
}

/** Returns a random name, because anyone who knows the name can see the data. */
export function randomName(prefix: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(10));
  return `${prefix}-${Array.from(bytes, (byte) => (byte % 36).toString(36)).join('')}`;
}

/**
 * The sandbox that this browser's requests go to, from all pages and all tabs. None is named at first: strangers
 * share that one, or it is the one of the account.
 */

import { isInSandbox } from './address-of.js';
import { readStored, store } from './stored-text.js';

/** Not below `practice-api:`, where the GraphQL editor keeps, counts and clears its own. */
const nameKey = 'practice-api-sandbox';
/** Written when something in the sandbox changed, so that other tabs look again. */
const changeKey = 'practice-api-sandbox-changed';
const usedKey = 'practice-api-sandboxes';
const maxUsed = 10;
const changed = 'sandbox-change';
const written = 'sandbox-write';

/** `null` until someone has chosen; empty where the choice was to name none. */
export function storedSandbox(): string | null {
  const name = readStored(nameKey);
  return name === null || isSandboxName(name) || name === '' ? name : null;
}

/** The name that requests need; none where the address of the page has it already. */
export function sandboxToSend(): string | undefined {
  return isInSandbox() ? undefined : storedSandbox() || undefined;
}

/** The newest first, of those that this browser has used. */
export function usedSandboxes(): string[] {
  return (readStored(usedKey) ?? '').split(' ').filter(isSandboxName);
}

export function storeSandbox(name: string): void {
  store(nameKey, name);
  const others = usedSandboxes().filter((each) => each !== name);
  if (name !== '') store(usedKey, [name, ...others].slice(0, maxUsed).join(' '));
  dispatchEvent(new Event(changed));
}

/** Tells this page and other tabs that the sandbox was reset, or its clock moved. */
export function tellOfChange(): void {
  store(changeKey, String(Math.random()));
  dispatchEvent(new Event(changed));
}

/** Calls `act` when another sandbox was chosen, or the one there is was changed by the bar, in whatever tab. */
export function onSandboxChange(act: () => void): void {
  addEventListener(changed, act);
  addEventListener('storage', ({ key }) => {
    if (key === nameKey || key === changeKey) act();
  });
}

/** Tells the bar what a visitor sends; the first write of one who has chosen no sandbox is when it offers one. */
export function noteRequest(method: string): void {
  const isWrite = /^(?:POST|PUT|PATCH|DELETE)$/i.test(method);
  if (isWrite && storedSandbox() === null && !isInSandbox()) dispatchEvent(new Event(written));
}

export function onWrite(act: () => void): void {
  addEventListener(written, act);
}

export function isSandboxName(text: string): boolean {
  return /^[\w.-]{1,64}$/.test(text);
}

/** Nobody should come upon it by chance: whoever knows it sees what is in it. */
export function randomName(prefix: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(10));
  return `${prefix}-${Array.from(bytes, (byte) => (byte % 36).toString(36)).join('')}`;
}

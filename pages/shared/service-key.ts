/**
 * The key of the visitor's account, as this browser keeps it for the pages of this service. Scripts
 * of the same origin can read it, and this service sends none but its own.
 */

import { isAccountAddress } from './address-of.js';

/** Not below `practice-api:`, where the GraphQL editor keeps, counts and clears its own. */
const storageName = 'practice-api-service-key';

/** `undefined` also where the browser keeps nothing for pages. */
export function storedServiceKey(): string | undefined {
  try {
    return localStorage.getItem(storageName) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Told to this tab; other tabs hear of what is stored. */
const changed = 'practice-api-key';

export function onKeyChange(act: () => void): void {
  addEventListener(changed, act);
  addEventListener('storage', ({ key }) => {
    if (key === storageName) act();
  });
}

/** Says whether the browser keeps it. */
export function storeServiceKey(key: string): boolean {
  try {
    localStorage.setItem(storageName, key);
    dispatchEvent(new Event(changed));
    return true;
  } catch {
    return false;
  }
}

export function forgetServiceKey(): void {
  try {
    localStorage.removeItem(storageName);
    dispatchEvent(new Event(changed));
  } catch {
    // What keeps nothing has nothing to forget.
  }
}

/** The key that requests need; none where the address of the page stands for an account already. */
export function keyToSend(): string | undefined {
  return isAccountAddress() ? undefined : storedServiceKey();
}

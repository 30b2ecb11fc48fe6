/**
 * The visitor's account key, which this browser stores for the pages of this service. Scripts of
 * the same origin can read it, and this service sends only its own scripts.
 */

import { isAccountAddress } from '../address-of.js';

/** Not below `practice-api:`, where the GraphQL editor keeps, counts and clears its own keys. */
const storageName = 'practice-api-service-key';

/** Returns `undefined` also if the browser stores nothing for pages. */
export function storedServiceKey(): string | undefined {
  try {
    return localStorage.getItem(storageName) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Notifies this tab; other tabs get storage events. */
const changed = 'practice-api-key';

export function onKeyChange(act: () => void): void {
  addEventListener(changed, act);
  addEventListener('storage', ({ key }) => {
    if (key === storageName) act();
  });
}

/** Stores the key, and returns whether the browser kept it. */
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
    // Without storage, there is nothing to remove.
  }
}

/** Returns the key that requests need; `undefined` if the path of the page acts as an account. */
export function keyToSend(): string | undefined {
  return isAccountAddress() ? undefined : storedServiceKey();
}

/** The sandbox of a visitor who has named none: a name that this browser has made up and keeps. */

import { readStored, store } from './stored-text.js';

/** Not below `practice-api:`, where the GraphQL editor keeps, counts and clears its own. */
const storageName = 'practice-api-sandbox';

export function storedSandbox(): string | null {
  return readStored(storageName);
}

export function storeSandbox(name: string): void {
  store(storageName, name);
}

/** Nobody should come upon it by chance: whoever knows it sees what is in it. */
export function randomName(prefix: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(10));
  return `${prefix}-${Array.from(bytes, (byte) => (byte % 36).toString(36)).join('')}`;
}

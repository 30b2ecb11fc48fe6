/** How this browser shows boards: with or without names, and in the size for a projector. */

import { readStored, store } from '../../shared/stored-text.js';

const storedName = 'practice-api-board';

export interface Looks {
  readonly isNameless: boolean;
  readonly isProjected: boolean;
}

export function readLooks(): Looks {
  const words = (readStored(storedName) ?? '').split(' ');
  return { isNameless: words.includes('nameless'), isProjected: words.includes('projected') };
}

export function storeLooks({ isNameless, isProjected }: Looks): void {
  store(storedName, `${isNameless ? 'nameless' : ''} ${isProjected ? 'projected' : ''}`.trim());
}

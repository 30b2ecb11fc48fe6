/** Tells screen readers what was done. */

import { byId } from '../shared/element.js';

export function announce(text: string): void {
  byId('announcement', HTMLParagraphElement).textContent = text;
}

/** Announces completed actions to screen readers. */

import { byId } from '../shared/element.js';

export function announce(text: string): void {
  byId('announcement', HTMLParagraphElement).textContent = text;
}

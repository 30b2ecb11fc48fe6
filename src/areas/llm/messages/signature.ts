/** Signatures of thinking, which show whether a client altered it. */

import { createHmac } from 'node:crypto';

/** Public on purpose: it protects nothing, and all processes sign equally. */
const practiceKey = 'practice-thinking';

export function signThinking(thinking: string): string {
  return createHmac('sha256', practiceKey).update(thinking).digest('base64');
}

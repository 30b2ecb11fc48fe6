/** What the page says of what a visitor does: what went wrong, and to screen readers what was done. */

import { accountLink } from '../shared/account-link.js';
import { addressOf } from '../shared/address-of.js';
import { ApiError } from '../shared/call.js';
import { byId } from '../shared/element.js';

const fault = byId('fault', HTMLParagraphElement);

/** Shows what went wrong, until the next thing is done. */
export async function attempt(act: () => Promise<void>): Promise<void> {
  fault.hidden = true;
  try {
    await act();
  } catch (error) {
    fault.replaceChildren(
      ...(error instanceof ApiError && error.status === 401
        ? accountLink(addressOf('/account'))
        : [(error as Error).message]),
    );
    fault.hidden = false;
  }
}

export function announce(text: string): void {
  byId('announcement', HTMLParagraphElement).textContent = text;
}

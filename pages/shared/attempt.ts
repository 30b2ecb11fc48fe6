/** Shows the failure of a visitor's action in `#fault`. */

import { addressOf } from './address-of.js';
import { ApiError } from './call.js';
import { byId } from './element.js';
import { accountLink } from './visitor/account-link.js';

/** Runs an action. Its failure is shown until the next action. */
export async function attempt(act: () => void | Promise<void>): Promise<void> {
  const fault = byId('fault', HTMLParagraphElement);
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

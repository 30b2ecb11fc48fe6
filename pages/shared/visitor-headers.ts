/** The headers that say whose a request is: the key of the account, and the sandbox that the bar shows. */

import { addressOf } from './address-of.js';
import { sandboxToSend } from './sandbox-name.js';
import { keyToSend } from './service-key.js';

/**
 * `headers` with what the visitor's requests need; for addresses of this service alone. A sandbox that is named
 * already, in the header or in the address, stays.
 */
export function withVisitor(url: string, headers?: HeadersInit): Headers {
  const all = new Headers(headers);
  const key = keyToSend();
  if (key !== undefined) all.set('X-Service-Key', key);
  const name = sandboxToSend();
  if (name !== undefined && !all.has('X-Sandbox') && !isBelowSandbox(url)) {
    all.set('X-Sandbox', name);
  }
  return all;
}

function isBelowSandbox(url: string): boolean {
  return url.toLowerCase().startsWith(addressOf('/s/').toLowerCase());
}

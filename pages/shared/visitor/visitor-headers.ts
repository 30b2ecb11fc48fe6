/** Headers that identify the visitor: the key of the account, and the sandbox of the bar. */

import { addressOf } from '../address-of.js';
import { sandboxToSend } from './sandbox-name.js';
import { keyToSend } from './service-key.js';

/**
 * Returns `headers` with the visitor's headers; only for URLs of this service. Keeps a sandbox that
 * the header or the path already names.
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

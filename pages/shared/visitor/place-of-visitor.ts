/** Selects the sandbox of the page's connections by its path, because they cannot send headers. */

import { addressOf, isInSandbox } from '../address-of.js';
import { callJson } from '../call.js';
import { chooseOwn, onSandboxChange, sandboxToSend } from './sandbox-name.js';
import { storedServiceKey } from './service-key.js';

/** Everyone shares rooms of the shared sandbox, so visitors who chose it get their own. */
function sandboxName(): string {
  if (sandboxToSend() === undefined) chooseOwn();
  return sandboxToSend() ?? '';
}

let account: Promise<string> | undefined;
onSandboxChange(() => {
  account = undefined;
});

/** Returns the base URL of paths in the visitor's sandbox. */
export async function placeOfVisitor(): Promise<string> {
  if (isInSandbox()) return addressOf('');
  if (storedServiceKey() === undefined) {
    // A rejected connection has no reason, but this request fails with a reason if an account is
    // required.
    await callJson(addressOf('/api/sandbox'));
    return addressOf(`/s/${sandboxName()}`);
  }
  account ??= addressOfAccount();
  return account;
}

/** Returns a URL that replaces the visitor's key; a service without accounts has none. */
async function addressOfAccount(): Promise<string> {
  try {
    const { address } = await callJson<{ readonly address: string }>(
      addressOf('/api/sandbox/address'),
      'POST',
    );
    return addressOf(address.slice(address.indexOf('/s/~')));
  } catch {
    return addressOf(`/s/${sandboxName()}`);
  }
}

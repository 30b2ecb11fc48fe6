/** Where the connections of the page go: into a sandbox by its address, since they can send no headers. */

import { addressOf, isInSandbox } from '../shared/address-of.js';
import { callJson } from '../shared/call.js';
import {
  onSandboxChange,
  randomName,
  storedSandbox,
  storeSandbox,
} from '../shared/sandbox-name.js';
import { storedServiceKey } from '../shared/service-key.js';

/** What goes on in rooms of the shared sandbox is everyone's: the page has one of the visitor's. */
function sandboxName(): string {
  if (!storedSandbox()) storeSandbox(randomName('mine'));
  return storedSandbox() ?? '';
}

let account: Promise<string> | undefined;
onSandboxChange(() => {
  account = undefined;
});

/** The address that paths of the service follow. */
export async function placeOfVisitor(): Promise<string> {
  if (isInSandbox()) return addressOf('');
  if (storedServiceKey() === undefined) {
    // A connection that is rejected does not say why: where an account is required, this does.
    await callJson(addressOf('/api/sandbox'));
    return addressOf(`/s/${sandboxName()}`);
  }
  account ??= addressOfAccount();
  return account;
}

/** One that stands for the visitor's key; a service that asks for none has no such addresses. */
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

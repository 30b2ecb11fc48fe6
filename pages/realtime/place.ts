/** Where the connections of the page go: into a sandbox by its address, since they can send no headers. */

import { addressOf, isInSandbox } from '../shared/address-of.js';
import { callJson } from '../shared/call.js';
import { storedServiceKey } from '../shared/service-key.js';
import { readStored, store } from '../shared/stored-text.js';

/** The name that the page of the bins has as well. */
const storageName = 'practice-api-sandbox';

function sandboxName(): string {
  const name =
    readStored(storageName) ?? `visitor-${crypto.getRandomValues(new Uint32Array(2)).join('')}`;
  store(storageName, name);
  return name;
}

let account: Promise<string> | undefined;

/** The address that paths of the service follow. */
export async function placeOfVisitor(): Promise<string> {
  if (isInSandbox()) return addressOf('');
  if (storedServiceKey() === undefined) return addressOf(`/s/${sandboxName()}`);
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

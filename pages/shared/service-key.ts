/** The key of the caller's account, where the service asks for one: every request of a page goes with it. */

import { readStored } from './stored-text.js';

const key = 'practice-api:service-key';

/** The headers to add to a request of this service; none while no key is known. */
export function serviceKeyHeaders(): Readonly<Record<string, string>> {
  const stored = readStored(key);
  return stored ? { 'X-Service-Key': stored } : {};
}

/** Whether messages only read, so that they may be sent again after a failure. */

import { isObject } from '#base/json-object.js';

/** Methods that may change something; the effect of a tool is unknown. */
const changingMethods = ['tools/call', 'logging/setLevel', 'resources/subscribe'];

/** Returns `undefined` if a message may change something, or is malformed. */
export function onlyReads(body: Buffer): boolean | undefined {
  try {
    const messages = [JSON.parse(body.toString('utf8'))].flat();
    const isReading = (each: unknown) =>
      isObject(each) && !changingMethods.includes(String(each.method));
    return messages.every(isReading) || undefined;
  } catch {
    return undefined;
  }
}

/** Codes that people type in at an issuer: user codes of devices, one-time codes and recovery codes. */

import type { Exchange } from '../exchange.js';

export type TryCode = <Found>(find: () => Promise<Found>) => Promise<Found>;

/**
 * Makes the function that tries a code of the request's issuer and returns what is found for it; `false` or
 * `undefined` say that the code is wrong. It throws 429 after too many wrong codes.
 */
export function codeTrier({ services, request, sandbox }: Exchange): TryCode {
  const issuer = ['issuer', sandbox.name];
  return (find) => services.wrongCodes.try(request, issuer, find, (found) => !found);
}

/** User names with passwords, and their comparison. */

import { normalizeText } from '#base/text/stream-safe.js';
import { isSameSecret } from './is-same-secret.js';

/** User name and password of a request. */
export interface UserCredentials {
  readonly username: string;
  readonly password: string;
}

/**
 * Needs the same time for a wrong name as for a wrong password. Compares both in Unicode normal
 * form C, which the `charset` of the challenge requires (RFC 7617 section 2.1).
 */
export function isSameUser(given: UserCredentials, expected: UserCredentials): boolean {
  const isName = isSameSecret(normalizeText(given.username), normalizeText(expected.username));
  const isPassword = isSameSecret(normalizeText(given.password), normalizeText(expected.password));
  return isName && isPassword;
}

/** A user name and a password as one text, as settings have them. */

import type { UserCredentials } from '../../http/credentials/user-credentials.js';

/** Control characters cannot be sent in a user name or password (RFC 7617 section 2). */
const controlCharacter = /\p{Cc}/u;

/** The first colon divides. Throws an `Error` that says what would be right, and never what was given. */
export function parseUser(text: string): UserCredentials {
  const colon = text.indexOf(':');
  const username = text.slice(0, Math.max(colon, 0));
  const password = text.slice(colon + 1);
  if (username === '' || password === '' || controlCharacter.test(text)) {
    throw new Error('must be a name, a colon and a password, without control characters');
  }
  return { username, password };
}

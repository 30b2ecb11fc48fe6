/** A user name and a password: parsed from settings, and shown in the index and on the front page. */

import { Type } from 'typebox';
import { credential, type Setting } from '#config/setting.js';
import type { UserCredentials } from '#http/credentials/user-credentials.js';
import type { TestCredential } from '#kit/area.js';

export const userSchema = Type.Object({ username: Type.String(), password: Type.String() });

export function userCard(title: string, { username, password }: UserCredentials): TestCredential {
  return {
    title,
    parts: [
      { name: 'User name', value: username },
      { name: 'Password', value: password },
    ],
  };
}

/** Returns the variables of an exported request collection. */
export function userVariables(prefix: string, { username, password }: UserCredentials) {
  return { [`${prefix}Username`]: username, [`${prefix}Password`]: password };
}

export function userSetting(
  flag: string,
  meaning: string,
  demo: string,
  placeholder = 'name:password',
): Setting<UserCredentials> {
  return credential({ flag, placeholder, meaning, demo, parse: parseUser });
}

/** Splits at the first colon. Throws an `Error` that says what would be right, but never quotes the input. */
export function parseUser(text: string): UserCredentials {
  const colon = text.indexOf(':');
  const username = text.slice(0, Math.max(colon, 0));
  const password = text.slice(colon + 1);
  // User names and passwords cannot have control characters (RFC 7617 section 2).
  if (username === '' || password === '' || /\p{Cc}/u.test(text)) {
    throw new Error('must be a name, a colon and a password, without control characters');
  }
  return { username, password };
}

/** A user name and a password, as the index and the front page show them. */

import { Type } from 'typebox';
import type { UserCredentials } from '../../http/credentials/user-credentials.js';
import type { TestCredential } from '../../kit/area.js';

export const userSchema = Type.Object({ username: Type.String(), password: Type.String() });

export function describeUser(
  title: string,
  { username, password }: UserCredentials,
): TestCredential {
  return {
    title,
    parts: [
      { name: 'User name', value: username },
      { name: 'Password', value: password },
    ],
  };
}

/** A user name and a password, as the index and the front page show them. */

import { Type } from 'typebox';
import type { TestCredential } from '../../server/area.js';
import type { UserCredentials } from './parse-user.js';

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

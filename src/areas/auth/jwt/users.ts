/** Who can log in for a JWT. */

import { ConfigError } from '../../../config/config.js';
import { valuesIn } from '../../../config/setting.js';
import type { Config } from '../../../config/settings.js';
import { isSameUser } from '../../../http/credentials/is-same-user.js';
import { jwtSettings } from './settings.js';

export interface JwtUser {
  readonly username: string;
  readonly password: string;
  readonly role: 'admin' | 'user';
  readonly name: string;
  readonly email: string;
}

/** Throws {@link ConfigError} when both have one name, since a token tells users apart by it. */
export function jwtUsers(config: Config): readonly JwtUser[] {
  const { jwtAdmin, jwtUser } = valuesIn(config, jwtSettings);
  if (jwtAdmin.username === jwtUser.username) {
    throw new ConfigError(['The admin and the user who log in for a JWT need different names.']);
  }
  return [
    { ...jwtAdmin, role: 'admin', name: 'Ada Admin', email: 'ada.admin@example.com' },
    { ...jwtUser, role: 'user', name: 'Uma User', email: 'uma.user@example.com' },
  ];
}

/** Compares with every user, so that the time does not tell whether the name exists. */
export function findUser(
  users: readonly JwtUser[],
  given: { readonly username: string; readonly password: string },
): JwtUser | undefined {
  let found: JwtUser | undefined;
  for (const user of users) {
    if (isSameUser(given, user)) found = user;
  }
  return found;
}

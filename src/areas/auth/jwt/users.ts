/** Who can log in for a JWT. */

import { ConfigError } from '../../../config/config.js';
import { signingKey, valuesIn } from '../../../config/setting.js';
import type { Config } from '../../../config/settings.js';
import type { UserCredentials } from '../../../http/credentials/user-credentials.js';
import { userSetting } from '../user.js';

export const jwtSettings = {
  /** Who logs in as admin, as `name:password`. */
  jwtAdmin: userSetting('auth-jwt-admin', 'who logs in as admin', 'admin:admin-secret'),
  /** Who logs in as user, as `name:password`. */
  jwtUser: userSetting('auth-jwt-user', 'who logs in as user', 'user:user-secret'),
  /** Signs JWTs as it stands, so that others can verify them; at least 32 bytes, random by default. */
  jwtKey: signingKey('auth-jwt-key', 'key that signs JWTs (HS256)'),
};

export interface JwtUser extends UserCredentials {
  readonly role: 'admin' | 'user';
  readonly name: string;
  readonly email: string;
}

/** Throws {@link ConfigError} when both have one name, since a token tells users apart by it. */
export function jwtUsers(config: Config): readonly [admin: JwtUser, user: JwtUser] {
  const { jwtAdmin, jwtUser } = valuesIn(config, jwtSettings);
  if (jwtAdmin.username === jwtUser.username) {
    throw new ConfigError(['The admin and the user who log in for a JWT need different names.']);
  }
  return [
    { ...jwtAdmin, role: 'admin', name: 'Ada Admin', email: 'ada.admin@example.com' },
    { ...jwtUser, role: 'user', name: 'Uma User', email: 'uma.user@example.com' },
  ];
}

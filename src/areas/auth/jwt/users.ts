/** The users who can log in and get a JWT. */

import { ConfigError } from '#config/config.js';
import { signingKey, valuesIn } from '#config/setting.js';
import type { Config } from '#config/settings.js';
import type { UserCredentials } from '#http/credentials/user-credentials.js';
import { userSetting } from '../user.js';

export const jwtSettings = {
  /** Credentials of the role admin, as `name:password`. */
  jwtAdmin: userSetting('auth-jwt-admin', 'credentials of the role admin', 'admin:admin-secret'),
  /** Credentials of the role user, as `name:password`. */
  jwtUser: userSetting('auth-jwt-user', 'credentials of the role user', 'user:user-secret'),
  /** Signs JWTs. Used unchanged, so that others can verify them; at least 32 bytes, random by default. */
  jwtKey: signingKey('auth-jwt-key', 'key that signs JWTs (HS256)'),
};

export interface JwtUser extends UserCredentials {
  readonly role: 'admin' | 'user';
  readonly name: string;
  readonly email: string;
}

/** Throws {@link ConfigError} if both have the same name, because tokens identify a user by name. */
export function jwtUsers(config: Config): readonly [admin: JwtUser, user: JwtUser] {
  const { jwtAdmin, jwtUser } = valuesIn(config, jwtSettings);
  if (jwtAdmin.username === jwtUser.username) {
    throw new ConfigError(['The users admin and user of JWT need different names.']);
  }
  return [
    { ...jwtAdmin, role: 'admin', name: 'Ada Admin', email: 'ada.admin@example.com' },
    { ...jwtUser, role: 'user', name: 'Uma User', email: 'uma.user@example.com' },
  ];
}

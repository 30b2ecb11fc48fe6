import { credential, signingKey } from '../../../config/setting.js';
import { parseUser } from '../parse-user.js';

export const jwtSettings = {
  /** Who logs in as admin, as `name:password`. */
  jwtAdmin: credential({
    flag: 'auth-jwt-admin',
    placeholder: 'name:password',
    meaning: 'who logs in as admin',
    demo: 'admin:admin-secret',
    parse: parseUser,
  }),
  /** Who logs in as user, as `name:password`. */
  jwtUser: credential({
    flag: 'auth-jwt-user',
    placeholder: 'name:password',
    meaning: 'who logs in as user',
    demo: 'user:user-secret',
    parse: parseUser,
  }),
  /** Signs JWTs as it stands, so that others can verify them; at least 32 bytes, random by default. */
  jwtKey: signingKey('auth-jwt-key', 'key that signs JWTs (HS256)'),
};

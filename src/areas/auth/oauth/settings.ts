import { credential } from '../../../config/setting.js';
import { parseUser } from '../parse-user.js';

/** The scopes that tokens may have. */
export const knownScopes = ['read', 'write', 'profile', 'email'] as const;

export const oauthSettings = {
  /** The OAuth client, as `id:secret`. */
  oauthClient: credential({
    flag: 'auth-oauth-client',
    placeholder: 'id:secret',
    meaning: 'the OAuth client',
    demo: 'demo-client:demo-client-secret',
    parse: parseUser,
  }),
};

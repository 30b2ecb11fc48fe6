import { credential } from '../../../config/setting.js';
import { parseUser } from '../parse-user.js';

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

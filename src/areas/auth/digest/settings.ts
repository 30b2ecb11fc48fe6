import { credential } from '../../../config/setting.js';
import { parseUser } from '../parse-user.js';

export const digestSettings = {
  /** Who may use Digest, as `name:password`. */
  digestUser: credential({
    flag: 'auth-digest-user',
    placeholder: 'name:password',
    meaning: 'who may use Digest',
    demo: 'demo:digest-secret',
    parse: parseUser,
  }),
};

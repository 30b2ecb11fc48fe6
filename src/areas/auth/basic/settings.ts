import { credential } from '../../../config/setting.js';
import { parseUser } from '../parse-user.js';

export const basicSettings = {
  /** Who may use Basic, as `name:password`. */
  basicUser: credential({
    flag: 'auth-basic-user',
    placeholder: 'name:password',
    meaning: 'who may use Basic',
    demo: 'demo:basic-secret',
    parse: parseUser,
  }),
};

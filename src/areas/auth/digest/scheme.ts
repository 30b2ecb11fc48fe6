/** Digest authentication (RFC 7616). */

import { valuesIn } from '../../../config/setting.js';
import type { Config } from '../../../config/settings.js';
import { type Scheme, seeIndex } from '../scheme.js';
import { userCard, userSchema, userSetting } from '../user.js';
import { digestCollection } from './collection.js';
import { authenticateByDigest } from './endpoints.js';

const settings = {
  /** Who may use Digest, as `name:password`. */
  digestUser: userSetting('auth-digest-user', 'who may use Digest', 'demo:digest-secret'),
};

const userOf = (config: Config) => valuesIn(config, settings).digestUser;

export const digestScheme = {
  name: 'digest',
  title: 'Digest',
  settings,
  index: { schema: { digest: userSchema }, read: (config) => ({ digest: userOf(config) }) },
  credentials: (config) => [userCard('Digest', userOf(config))],
  securitySchemes: {
    digest: { type: 'http', scheme: 'digest', description: `RFC 7616. ${seeIndex}` },
  },
  collection: {
    ...digestCollection,
    variables(config) {
      const { username, password } = userOf(config);
      return { digestUsername: username, digestPassword: password };
    },
  },
  endpoints: (services, mac) => [authenticateByDigest(userOf(services.config), services, mac)],
} satisfies Scheme;

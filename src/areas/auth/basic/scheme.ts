/** Basic authentication (RFC 7617). */

import { valuesIn } from '../../../config/setting.js';
import type { Config } from '../../../config/settings.js';
import { type Scheme, seeIndex } from '../scheme.js';
import { userCard, userSchema, userSetting } from '../user.js';
import { basicCollection } from './collection.js';
import { authenticateByPath, authenticateHidden, authenticateUser } from './endpoints.js';

const settings = {
  /** Who may use Basic, as `name:password`. */
  basicUser: userSetting('auth-basic-user', 'who may use Basic', 'demo:basic-secret'),
};

const userOf = (config: Config) => valuesIn(config, settings).basicUser;

export const basicScheme = {
  name: 'basic',
  title: 'Basic',
  settings,
  index: { schema: { basic: userSchema }, read: (config) => ({ basic: userOf(config) }) },
  credentials: (config) => [userCard('Basic', userOf(config))],
  examples: (config) => [
    {
      title: 'Sign in by Basic',
      method: 'GET',
      path: '/api/auth/basic',
      user: userOf(config),
      answer: { status: 200, has: '"authenticated":true' },
    },
  ],
  presets: [{ title: 'no credentials', method: 'GET', path: '/api/auth/basic' }],
  securitySchemes: {
    basic: { type: 'http', scheme: 'basic', description: `RFC 7617. ${seeIndex}` },
    pathBasic: {
      type: 'http',
      scheme: 'basic',
      description: 'RFC 7617, with the user name and the password that the path names.',
    },
  },
  collection: {
    ...basicCollection,
    variables(config) {
      const { username, password } = userOf(config);
      return { basicUsername: username, basicPassword: password };
    },
  },
  endpoints: ({ config }) => [
    authenticateUser(userOf(config)),
    authenticateByPath,
    authenticateHidden,
  ],
} satisfies Scheme;

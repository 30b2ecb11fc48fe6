/** Basic authentication (RFC 7617). */

import { valuesIn } from '../../../config/setting.js';
import { describeUser, userSchema } from '../describe-user.js';
import type { Scheme } from '../scheme.js';
import { seeIndex } from '../see-index.js';
import { basicCollection } from './collection.js';
import { addBasicRoutes } from './routes.js';
import { basicSettings } from './settings.js';

export const basicScheme = {
  name: 'basic',
  title: 'Basic',
  settings: basicSettings,
  index: {
    schema: { basic: userSchema },
    read: (config) => ({ basic: valuesIn(config, basicSettings).basicUser }),
  },
  credentials: (config) => [describeUser('Basic', valuesIn(config, basicSettings).basicUser)],
  examples: (config) => [
    {
      title: 'Sign in by Basic',
      method: 'GET',
      path: '/api/auth/basic',
      user: valuesIn(config, basicSettings).basicUser,
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
  collection: basicCollection,
  addRoutes: addBasicRoutes,
} satisfies Scheme;

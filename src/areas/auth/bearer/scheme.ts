/** Bearer tokens (RFC 6750) of three roles. */

import { Type } from 'typebox';
import { valuesIn } from '../../../config/setting.js';
import type { Scheme } from '../scheme.js';
import { seeIndex } from '../see-index.js';
import { bearerCollection } from './collection.js';
import { findOwner } from './find-owner.js';
import { addBearerRoutes } from './routes.js';
import { bearerSettings } from './settings.js';

export const bearerScheme = {
  name: 'bearer',
  title: 'bearer roles',
  settings: bearerSettings,
  index: {
    schema: {
      bearer: Type.Object({
        admin: Type.String(),
        user: Type.String(),
        readOnly: Type.String(),
      }),
    },
    read: (config) => ({ bearer: valuesIn(config, bearerSettings).bearerTokens }),
  },
  credentials(config) {
    const { admin, user, readOnly } = valuesIn(config, bearerSettings).bearerTokens;
    return [
      {
        title: 'Bearer tokens',
        parts: [
          { name: 'Admin', value: admin },
          { name: 'User', value: user },
          { name: 'Read-only', value: readOnly },
        ],
      },
    ];
  },
  examples: (config) => [
    {
      title: 'Be rejected for want of a role',
      method: 'GET',
      path: '/api/auth/roles/admin',
      headers: {
        Authorization: `Bearer ${valuesIn(config, bearerSettings).bearerTokens.readOnly}`,
      },
      answer: { status: 403, headers: ['WWW-Authenticate'], has: 'insufficient_scope' },
    },
  ],
  securitySchemes: {
    bearer: { type: 'http', scheme: 'bearer', description: `RFC 6750. ${seeIndex}` },
  },
  tokenOwner: (config) => {
    const { bearerTokens } = valuesIn(config, bearerSettings);
    return (token) => findOwner(bearerTokens, token)?.user;
  },
  collection: bearerCollection,
  addRoutes: addBearerRoutes,
} satisfies Scheme;

/** Bearer tokens (RFC 6750) of three roles. */

import { Type } from 'typebox';
import { credential, valuesIn } from '../../../config/setting.js';
import type { Config } from '../../../config/settings.js';
import { type Scheme, seeIndex } from '../scheme.js';
import { authenticateOwner, requireRole } from './endpoints.js';
import { findOwner, parseBearerTokens } from './tokens.js';

const settings = {
  /** The bearer tokens of admin, user and read-only, by comma. */
  bearerTokens: credential({
    flag: 'auth-bearer-tokens',
    placeholder: 'a,b,c',
    meaning: 'the bearer tokens of admin, user and read-only',
    demo: 'demo-admin-token,demo-user-token,demo-read-only-token',
    parse: parseBearerTokens,
  }),
};

const tokensOf = (config: Config) => valuesIn(config, settings).bearerTokens;

export const bearerScheme = {
  name: 'bearer',
  title: 'bearer roles',
  settings,
  index: {
    schema: {
      bearer: Type.Object({
        admin: Type.String(),
        user: Type.String(),
        readOnly: Type.String(),
      }),
    },
    read: (config) => ({ bearer: tokensOf(config) }),
  },
  credentials(config) {
    const { admin, user, readOnly } = tokensOf(config);
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
      headers: { Authorization: `Bearer ${tokensOf(config).readOnly}` },
      answer: { status: 403, headers: ['WWW-Authenticate'], has: 'insufficient_scope' },
    },
  ],
  securitySchemes: {
    bearer: { type: 'http', scheme: 'bearer', description: `RFC 6750. ${seeIndex}` },
  },
  tokenOwner: (config) => (token) => findOwner(tokensOf(config), token)?.user,
  collection: {
    variables(config) {
      const { admin, user, readOnly } = tokensOf(config);
      return { adminToken: admin, userToken: user, readOnlyToken: readOnly };
    },
  },
  endpoints({ config }) {
    const tokens = tokensOf(config);
    return [
      authenticateOwner(tokens),
      requireRole('GET', '/api/auth/roles/user', 'user', tokens),
      requireRole('GET', '/api/auth/roles/admin', 'admin', tokens),
      requireRole('DELETE', '/api/auth/roles/resource', 'admin', tokens),
    ];
  },
} satisfies Scheme;

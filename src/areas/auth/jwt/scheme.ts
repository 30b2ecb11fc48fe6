/** JWTs (RFC 7519) with refresh tokens that rotate. */

import { Type } from 'typebox';
import { valuesIn } from '../../../config/setting.js';
import { describeUser } from '../describe-user.js';
import type { Scheme } from '../scheme.js';
import { jwtCollection } from './collection.js';
import { addJwtRoutes } from './routes.js';
import { jwtSettings } from './settings.js';
import { jwtUsers } from './users.js';

export const jwtScheme = {
  name: 'jwt',
  title: 'JWT with refresh',
  settings: jwtSettings,
  index: {
    schema: {
      jwt: Type.Array(
        Type.Object({ username: Type.String(), password: Type.String(), role: Type.String() }),
      ),
    },
    read: (config) => ({
      jwt: jwtUsers(config).map(({ username, password, role }) => ({ username, password, role })),
    }),
  },
  credentials: (config) =>
    jwtUsers(config).map((user) => describeUser(`JWT login, ${user.role}`, user)),
  examples(config) {
    const { username, password } = valuesIn(config, jwtSettings).jwtAdmin;
    return [
      {
        title: 'Log in for a JWT and a refresh token',
        method: 'POST',
        path: '/api/auth/jwt/login',
        json: { username, password },
        answer: { status: 200, has: '"tokenType":"Bearer"' },
      },
    ];
  },
  securitySchemes: {
    jwt: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'The accessToken that POST /api/auth/jwt/login gives.',
    },
  },
  collection: jwtCollection,
  addRoutes: addJwtRoutes,
} satisfies Scheme;

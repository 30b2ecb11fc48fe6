import { Type } from 'typebox';
import { valuesIn } from '#config/setting.js';
import type { Scheme } from '../scheme.js';
import { userCard, userVariables } from '../user.js';
import { jwtCollection } from './collection.js';
import { giveExpired, greetAdmin, logIn, logOut, refresh, showMe } from './endpoints.js';
import { JwtIssuer } from './issuer.js';
import { orderEndpoints } from './order-endpoints.js';
import { jwtSettings, jwtUsers } from './users.js';

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
    jwtUsers(config).map((user) => userCard(`JWT login, ${user.role}`, user)),
  examples(config) {
    const { username, password } = valuesIn(config, jwtSettings).jwtAdmin;
    return [
      {
        title: 'Log in for a JWT and a refresh token',
        method: 'POST',
        path: '/api/auth/jwt/login',
        json: { username, password },
        response: { status: 200, has: '"tokenType":"Bearer"' },
      },
    ];
  },
  securitySchemes: {
    jwt: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'The accessToken from POST /api/auth/jwt/login.',
    },
  },
  collection: {
    ...jwtCollection,
    variables: (config) => userVariables('jwt', valuesIn(config, jwtSettings).jwtAdmin),
  },
  async endpoints({ config, signingKey }, mac) {
    const users = jwtUsers(config);
    const key = await signingKey('jwt', valuesIn(config, jwtSettings).jwtKey);
    const issuer = new JwtIssuer(users, mac, key);
    return [
      logIn(issuer),
      showMe(issuer),
      greetAdmin(issuer),
      giveExpired(issuer, users[1]),
      refresh(issuer),
      logOut(issuer),
      ...orderEndpoints(issuer),
    ];
  },
} satisfies Scheme;

/** The ways to authenticate, as the routes of this area name them in their `security`. */

import type { SecurityScheme } from '../../server/area.js';
import { knownScopes } from './oauth/grant-scope.js';

const demo = 'GET /api/auth lists what is accepted.';

export const securitySchemes = {
  basic: { type: 'http', scheme: 'basic', description: `RFC 7617. ${demo}` },
  pathBasic: {
    type: 'http',
    scheme: 'basic',
    description: 'RFC 7617, with the user name and the password that the path names.',
  },
  digest: { type: 'http', scheme: 'digest', description: `RFC 7616. ${demo}` },
  apiKeyHeader: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: demo },
  apiKeyQuery: { type: 'apiKey', in: 'query', name: 'api_key', description: demo },
  apiKeyCookie: { type: 'apiKey', in: 'cookie', name: 'api_key', description: demo },
  bearer: { type: 'http', scheme: 'bearer', description: `RFC 6750. ${demo}` },
  jwt: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The accessToken that POST /api/auth/jwt/login gives.',
  },
  oauth: {
    type: 'oauth2',
    description: `RFC 6749. ${demo}`,
    flows: {
      clientCredentials: {
        tokenUrl: '/api/auth/oauth/token',
        scopes: Object.fromEntries(knownScopes.map((scope) => [scope, `The scope ${scope}.`])),
      },
    },
  },
  oauthClient: {
    type: 'http',
    scheme: 'basic',
    description: `The client id and secret (RFC 6749 section 2.3.1). ${demo}`,
  },
} as const satisfies Readonly<Record<string, SecurityScheme>>;

/** Every authentication scheme, and the index of their credentials and endpoints. */

import { Type } from 'typebox';
import type { App, Area, Services } from '../../server/area.js';
import { cacheControl } from '../../server/header-schemas.js';
import { addApiKeyRoutes } from './api-key/routes.js';
import { addBasicRoutes } from './basic/routes.js';
import { addBearerRoutes } from './bearer/routes.js';
import { credentialsOf, listCredentials } from './credentials.js';
import { addCsrfRoutes } from './csrf/routes.js';
import { addDigestRoutes } from './digest/routes.js';
import { authExamples } from './examples.js';
import { addHmacRoutes } from './hmac/routes.js';
import { addJwtRoutes } from './jwt/routes.js';
import { keyedMac } from './keyed-mac.js';
import { addOAuthRoutes } from './oauth/routes.js';
import { securitySchemes } from './security-schemes.js';

const userSchema = Type.Object({ username: Type.String(), password: Type.String() });

const endpointSchema = Type.Object({
  method: Type.String(),
  path: Type.String({ description: 'Names in braces stand for any text.' }),
  summary: Type.String(),
});

const indexSchema = Type.Object({
  credentials: Type.Object(
    {
      basic: userSchema,
      digest: userSchema,
      apiKey: Type.String(),
      bearer: Type.Object({
        admin: Type.String(),
        user: Type.String(),
        readOnly: Type.String(),
      }),
      jwt: Type.Array(
        Type.Object({ username: Type.String(), password: Type.String(), role: Type.String() }),
      ),
      oauth: Type.Object({
        clientId: Type.String(),
        clientSecret: Type.String(),
        scopes: Type.Array(Type.String()),
      }),
      hmac: Type.Object({ secret: Type.String() }),
    },
    { description: 'They guard nothing: they are here to be used.' },
  ),
  endpoints: Type.Array(endpointSchema),
});

export const authArea: Area = {
  name: 'auth',
  title: 'Authentication',
  start: '/api/auth',
  summary:
    'Basic, Digest, API keys, bearer roles, JWT with refresh, OAuth 2.0 client credentials, HMAC, CSRF.',
  examples: authExamples,
  credentials: listCredentials,

  securitySchemes,
  answerHeaders: cacheControl,

  addRoutes(app, services) {
    // Answers hold tokens or depend on credentials, and not only on those that caches know of.
    app.addHook('onRequest', (_request, reply, done) => {
      reply.header('cache-control', 'no-store');
      done();
    });
    const endpoints = collectEndpoints(app);
    addIndexRoute(app, services, endpoints);
    const mac = keyedMac(services.signingKeys.nonce);
    addBasicRoutes(app, services);
    addDigestRoutes(app, services, mac);
    addApiKeyRoutes(app, services);
    addBearerRoutes(app, services);
    addJwtRoutes(app, services, mac);
    addOAuthRoutes(app, services);
    addHmacRoutes(app, services);
    addCsrfRoutes(app, services, mac);
  },
};

interface Endpoint {
  readonly method: string;
  readonly path: string;
  readonly summary: string;
}

/** Notes the routes as they are added, so that the index cannot say anything else. */
function collectEndpoints(app: App): Endpoint[] {
  const endpoints: Endpoint[] = [];
  app.addHook('onRoute', ({ method, url, schema }) => {
    if (method === 'HEAD') return;
    const path = url.replace(/:(\w+)/g, '{$1}');
    endpoints.push({ method: String(method), path, summary: schema?.summary ?? '' });
  });
  return endpoints;
}

function addIndexRoute(app: App, { config }: Services, endpoints: Endpoint[]): void {
  const credentials = credentialsOf(config);
  app.get(
    '/api/auth',
    {
      schema: {
        summary: 'Every credential and every endpoint of this area',
        description: 'The test credentials are here to be used; settings replace them.',
        response: { 200: indexSchema },
      },
    },
    async () => ({ credentials, endpoints }),
  );
}

/** Bearer tokens (RFC 6750) of three roles, and endpoints that want one role or another. */

import { Type } from 'typebox';
import { valuesIn } from '../../../config/setting.js';
import type { Request } from '../../../http/exchange.js';
import { singleHeader } from '../../../http/headers/header-values.js';
import { errorSchema } from '../../../http/schemas/error-schema.js';
import { challenge } from '../../../http/schemas/header-schemas.js';
import type { App } from '../../../kit/app.js';
import type { Services } from '../../../kit/area.js';
import { insufficientScope, invalidToken } from '../bearer-errors.js';
import { readBearerToken } from '../read-bearer-token.js';
import { securedBy } from '../secured-by.js';
import { findOwner, type TokenOwner } from './find-owner.js';
import { bearerSettings } from './settings.js';

const ownerFields = {
  user: Type.String(),
  roles: Type.Array(Type.String()),
  scopes: Type.Array(Type.String()),
};

const bearerSchema = Type.Object({
  authenticated: Type.Literal(true),
  scheme: Type.Literal('bearer'),
  ...ownerFields,
});

const authorizedSchema = Type.Object({ authorized: Type.Literal(true), ...ownerFields });

const roleErrorSchema = Type.Object({
  ...errorSchema.properties,
  roles: Type.Array(Type.String(), { description: 'The roles that the token has.' }),
  scopes: Type.Array(Type.String(), { description: 'The scopes that the token has.' }),
});

const guarded = [
  { method: 'GET', path: '/api/auth/roles/user', role: 'user' },
  { method: 'GET', path: '/api/auth/roles/admin', role: 'admin' },
  { method: 'DELETE', path: '/api/auth/roles/resource', role: 'admin' },
] as const;

export function addBearerRoutes(app: App, { config }: Services): void {
  const { bearerTokens } = valuesIn(config, bearerSettings);
  function ownerOf(request: Request): TokenOwner {
    const token = readBearerToken(singleHeader(request, 'authorization'));
    const owner = findOwner(bearerTokens, token);
    if (owner === undefined) {
      throw invalidToken('The token is not one of the three that GET /api/auth lists under bearer');
    }
    return owner;
  }

  app.get(
    '/api/auth/bearer',
    {
      schema: {
        summary: 'Authenticate by any of the bearer tokens',
        description: 'GET /api/auth shows them under bearer; they differ in roles and scopes.',
        security: securedBy('bearer'),
        response: { 200: bearerSchema, 400: errorSchema, 401: errorSchema },
      },
    },
    async (request) => {
      return { authenticated: true, scheme: 'bearer', ...ownerOf(request) } as const;
    },
  );

  for (const { method, path, role } of guarded) {
    app.route(
      method,
      path,
      {
        schema: {
          summary: `Authenticate by a bearer token of the role ${role}`,
          description:
            'A token without the role gets 403, which lists the roles and scopes that it has.',
          security: securedBy('bearer'),
          response: {
            200: authorizedSchema,
            400: errorSchema,
            401: errorSchema,
            403: roleErrorSchema,
          },
          responseHeaders: { 403: challenge },
        },
      },
      async (request) => {
        const owner = ownerOf(request);
        const { roles, scopes } = owner;
        if (!roles.includes(role)) {
          const reason = `This needs the role ${role}; the token has the role ${roles.join(' and ')}`;
          throw insufficientScope(reason, { roles, scopes });
        }
        return { authorized: true, ...owner } as const;
      },
    );
  }
}

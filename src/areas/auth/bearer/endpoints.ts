/** Endpoints that accept any of the bearer tokens, or those of one role. */

import { Type } from 'typebox';
import { invalidToken } from '../../../http/credentials/challenge.js';
import type { Request } from '../../../http/exchange.js';
import { errorSchema } from '../../../kit/describe/error-schema.js';
import { challenge } from '../../../kit/describe/header-schemas.js';
import { endpoint } from '../../../kit/endpoint.js';
import { insufficientScope, readBearerToken } from '../bearer-token.js';
import { type BearerTokens, findOwner } from './tokens.js';

const ownerFields = {
  user: Type.String(),
  roles: Type.Array(Type.String()),
  scopes: Type.Array(Type.String()),
};

export const authenticateOwner = (tokens: BearerTokens) =>
  endpoint('GET', '/api/auth/bearer', {
    summary: 'Authenticate by any of the bearer tokens',
    description: 'GET /api/auth shows them under bearer; they differ in roles and scopes.',
    security: [{ bearer: [] }],
    responses: {
      200: Type.Object({
        authenticated: Type.Literal(true),
        scheme: Type.Literal('bearer'),
        ...ownerFields,
      }),
      400: errorSchema,
      401: errorSchema,
    },
    handle: (request) => ({ authenticated: true, scheme: 'bearer', ...ownerOf(request, tokens) }),
  });

export const requireRole = (
  method: string,
  path: string,
  role: 'admin' | 'user',
  tokens: BearerTokens,
) =>
  endpoint(method, path, {
    summary: `Authenticate by a bearer token of the role ${role}`,
    description: 'A token without the role gets 403, which lists the roles and scopes that it has.',
    security: [{ bearer: [] }],
    responses: {
      200: Type.Object({ authorized: Type.Literal(true), ...ownerFields }),
      400: errorSchema,
      401: errorSchema,
      403: Type.Object({
        ...errorSchema.properties,
        roles: Type.Array(Type.String(), { description: 'The roles that the token has.' }),
        scopes: Type.Array(Type.String(), { description: 'The scopes that the token has.' }),
      }),
    },
    responseHeaders: { 403: challenge },
    handle(request) {
      const owner = ownerOf(request, tokens);
      const roles: readonly string[] = owner.roles;
      if (!roles.includes(role)) {
        const reason = `This needs the role ${role}; the token has the role ${roles.join(' and ')}`;
        throw insufficientScope(reason, { roles, scopes: owner.scopes });
      }
      return { authorized: true, ...owner };
    },
  });

function ownerOf(request: Request, tokens: BearerTokens) {
  const owner = findOwner(tokens, readBearerToken(request));
  if (owner !== undefined) return owner;
  throw invalidToken('The token is not one of the three that GET /api/auth lists under bearer');
}

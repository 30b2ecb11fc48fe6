import { Type } from 'typebox';
import { credential, valuesIn } from '#config/setting.js';
import type { Config } from '#config/settings.js';
import { anyMethod } from '#http/any-method.js';
import { invalidToken } from '#http/credentials/challenge.js';
import type { Request } from '#http/exchange.js';
import { errorSchema } from '#http/schemas/error-schema.js';
import { challenge } from '#http/schemas/header-schemas.js';
import { endpoint } from '#kit/endpoint.js';
import { tokenOwnerToken } from '#kit/offers/credentials.js';
import { insufficientScope, readBearerToken } from '../bearer-token.js';
import { countBody, countedBody, countedError } from '../count-body.js';
import { type Scheme, seeIndex } from '../scheme.js';
import { type BearerTokens, findOwner, parseBearerTokens } from './tokens.js';

const settings = {
  /** The bearer tokens of admin, user and read-only, separated by commas. */
  bearerTokens: credential({
    flag: 'auth-bearer-tokens',
    placeholder: 'a,b,c',
    meaning: 'the bearer tokens of admin, user and read-only',
    demo: 'demo-admin-token,demo-user-token,demo-read-only-token',
    parse: parseBearerTokens,
  }),
};

const tokensOf = (config: Config) => valuesIn(config, settings).bearerTokens;

const ownerFields = {
  user: Type.String(),
  roles: Type.Array(Type.String()),
  scopes: Type.Array(Type.String()),
};

const authenticateOwner = (tokens: BearerTokens) =>
  endpoint(anyMethod, '/api/auth/bearer', {
    summary: 'Authenticate with any of the bearer tokens',
    description:
      "GET /api/auth shows them under bearer; they differ in roles and scopes. Any method works. The response has the size of the request's body.",
    security: [{ bearer: [] }],
    responses: {
      200: Type.Object({
        authenticated: Type.Literal(true),
        scheme: Type.Literal('bearer'),
        ...ownerFields,
        ...countedBody,
      }),
      401: countedError,
      413: errorSchema,
    },
    handle: (request) =>
      countBody(request, () => ({
        authenticated: true,
        scheme: 'bearer',
        ...ownerOf(request, tokens),
      })),
  });

const requireRole = (method: string, path: string, role: 'admin' | 'user', tokens: BearerTokens) =>
  endpoint(method, path, {
    summary: `Authenticate with a bearer token of the role ${role}`,
    description: 'A token without the role gets 403, with the roles and scopes that it has.',
    security: [{ bearer: [] }],
    responses: {
      200: Type.Object({ authorized: Type.Literal(true), ...ownerFields }),
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
        const reason = `This endpoint requires the role ${role}; the token has the role ${roles.join(' and ')}`;
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
      title: 'Get 403 for a missing role',
      method: 'GET',
      path: '/api/auth/roles/admin',
      headers: { Authorization: `Bearer ${tokensOf(config).readOnly}` },
      response: { status: 403, headers: ['WWW-Authenticate'], has: 'insufficient_scope' },
    },
  ],
  securitySchemes: {
    bearer: { type: 'http', scheme: 'bearer', description: `RFC 6750. ${seeIndex}` },
  },
  offers: [
    tokenOwnerToken.of(({ runtime: { config } }) => {
      const tokens = tokensOf(config);
      return (token) => findOwner(tokens, token)?.user;
    }),
  ],
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

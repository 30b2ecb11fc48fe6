/** What the endpoints of the authorization server accept and return. */

import { type TSchema, Type } from 'typebox';
import { oauthErrorSchema } from '../../../http/credentials/oauth-error-schema.js';
import { errorSchema } from '../../../kit/describe/error-schema.js';
import { securedBy } from '../secured-by.js';
import { knownScopes } from './grant-scope.js';

const tokenSchema = Type.Object({
  access_token: Type.String(),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer({ description: 'In seconds.' }),
  scope: Type.String({ description: 'What was granted, separated by spaces.' }),
});

const introspectionSchema = Type.Object({
  active: Type.Boolean(),
  scope: Type.Optional(Type.String()),
  client_id: Type.Optional(Type.String()),
  token_type: Type.Optional(Type.Literal('Bearer')),
  exp: Type.Optional(Type.Integer({ description: 'Unix time.' })),
  iat: Type.Optional(Type.Integer({ description: 'Unix time.' })),
  nbf: Type.Optional(Type.Integer({ description: 'Unix time.' })),
  sub: Type.Optional(Type.String()),
  aud: Type.Optional(Type.String()),
  iss: Type.Optional(Type.String()),
});

const protectedSchema = Type.Object({
  message: Type.String(),
  client_id: Type.String(),
  sub: Type.String(),
  scope: Type.String(),
  expires_in: Type.Integer({ description: 'How many seconds the token remains valid.' }),
});

const metadataSchema = Type.Object({
  issuer: Type.String(),
  token_endpoint: Type.String(),
  introspection_endpoint: Type.String(),
  revocation_endpoint: Type.String(),
  scopes_supported: Type.Array(Type.String()),
  response_types_supported: Type.Array(Type.String(), {
    description:
      'Only `none`, which yields neither code nor token: there is no authorization endpoint.',
  }),
  grant_types_supported: Type.Array(Type.String()),
  token_endpoint_auth_methods_supported: Type.Array(Type.String()),
  introspection_endpoint_auth_methods_supported: Type.Array(Type.String()),
  revocation_endpoint_auth_methods_supported: Type.Array(Type.String()),
});

const rejections = { 400: oauthErrorSchema, 401: oauthErrorSchema, 413: errorSchema };

const pragma = { Pragma: Type.Literal('no-cache') };
const responseHeaders = {
  200: pragma,
  400: { Pragma: Type.Optional(pragma.Pragma) },
  401: pragma,
  413: pragma,
};

const clientFields = {
  client_id: Type.Optional(Type.String({ description: 'When not sent by Basic.' })),
  client_secret: Type.Optional(Type.String({ description: 'When not sent by Basic.' })),
};

const formBody = (fields: Readonly<Record<string, TSchema>>) => ({
  'application/x-www-form-urlencoded': Type.Object({ ...fields, ...clientFields }),
});

const tokenBody = formBody({ token: Type.String({ description: 'The access token.' }) });

export const grantToken = {
  summary: 'Get an access token by client credentials',
  description: 'The client authenticates by Basic, or by client_id and client_secret in the form.',
  security: securedBy('oauthClient', 'none'),
  described: {
    body: formBody({
      grant_type: Type.Literal('client_credentials'),
      scope: Type.Optional(
        Type.String({
          description: `One or more of ${knownScopes.join(', ')}, separated by spaces; all by default.`,
        }),
      ),
    }),
  },
  response: { 200: tokenSchema, ...rejections },
  responseHeaders,
};

export const introspect = {
  summary: 'Introspect an access token',
  description: 'The client authenticates as at the token endpoint.',
  security: securedBy('oauthClient', 'none'),
  described: { body: tokenBody },
  response: { 200: introspectionSchema, ...rejections },
  responseHeaders,
};

export const revoke = {
  summary: 'Revoke an access token',
  description:
    'The client authenticates as at the token endpoint. The response is the same whether there was such a token or not.',
  security: securedBy('oauthClient', 'none'),
  described: { body: tokenBody },
  response: { 200: Type.Object({}), ...rejections },
  responseHeaders,
};

export const showProtected = {
  summary: 'Get a resource by an OAuth 2.0 access token',
  description: 'The token is sent in the Authorization header; any scope will do.',
  security: securedBy('oauth'),
  response: { 200: protectedSchema, 400: errorSchema, 401: errorSchema },
};

export const showMetadata = {
  summary: 'Get the metadata of the authorization server',
  description: 'What RFC 8414 says a client needs to know to use the endpoints above.',
  response: { 200: metadataSchema },
};

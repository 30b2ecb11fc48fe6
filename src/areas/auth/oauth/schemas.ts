/** What the endpoints of the authorization server accept and return. */

import { Type } from 'typebox';
import { errorSchema } from '../../../http/schemas/error-schema.js';
import {
  formBody,
  introspectionMembers,
  introspectionTimes,
  maybeNoStoreHeaders,
  noStoreHeaders,
  oauthRejections,
} from '../../../kit/describe/oauth-schemas.js';
import { securedBy } from '../secured-by.js';
import { knownScopes } from './settings.js';

const text = Type.String();
const texts = Type.Array(text);
const bearer = Type.Literal('Bearer');

const tokenSchema = Type.Object({
  access_token: text,
  token_type: bearer,
  expires_in: Type.Integer({ description: 'In seconds.' }),
  scope: Type.String({ description: 'What was granted, separated by spaces.' }),
});

const introspectionSchema = Type.Object({
  ...introspectionMembers,
  token_type: Type.Optional(bearer),
  ...introspectionTimes,
});

const protectedSchema = Type.Object({
  message: text,
  client_id: text,
  sub: text,
  scope: text,
  expires_in: Type.Integer({ description: 'How many seconds the token remains valid.' }),
});

const metadataSchema = Type.Object({
  issuer: text,
  token_endpoint: text,
  introspection_endpoint: text,
  revocation_endpoint: text,
  scopes_supported: texts,
  response_types_supported: Type.Array(text, {
    description:
      'Only `none`, which yields neither code nor token: there is no authorization endpoint.',
  }),
  grant_types_supported: texts,
  token_endpoint_auth_methods_supported: texts,
  introspection_endpoint_auth_methods_supported: texts,
  revocation_endpoint_auth_methods_supported: texts,
});

const forClients = {
  security: securedBy('oauthClient', 'none'),
  responseHeaders: {
    200: noStoreHeaders,
    400: maybeNoStoreHeaders,
    401: noStoreHeaders,
    413: noStoreHeaders,
  },
};
const rejections = { ...oauthRejections, 413: errorSchema };

const notByBasic = Type.Optional(Type.String({ description: 'When not sent by Basic.' }));
const clientFields = { client_id: notByBasic, client_secret: notByBasic };
const tokenBody = formBody({
  token: Type.String({ description: 'The access token.' }),
  ...clientFields,
});

export const grantToken = {
  ...forClients,
  summary: 'Get an access token by client credentials',
  description: 'The client authenticates by Basic, or by client_id and client_secret in the form.',
  described: formBody({
    grant_type: Type.Literal('client_credentials'),
    scope: Type.Optional(
      Type.String({
        description: `One or more of ${knownScopes.join(', ')}, separated by spaces; all by default.`,
      }),
    ),
    ...clientFields,
  }),
  response: { 200: tokenSchema, ...rejections },
};

export const introspect = {
  ...forClients,
  summary: 'Introspect an access token',
  description: 'The client authenticates as at the token endpoint.',
  described: tokenBody,
  response: { 200: introspectionSchema, ...rejections },
};

export const revoke = {
  ...forClients,
  summary: 'Revoke an access token',
  description:
    'The client authenticates as at the token endpoint. The response is the same whether there was such a token or not.',
  described: tokenBody,
  response: { 200: Type.Object({}), ...rejections },
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

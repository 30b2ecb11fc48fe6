/** What the registration of clients accepts and returns. */

import { Type } from 'typebox';
import { oauthErrorSchema } from '../../../http/credentials/oauth-error-schema.js';
import { errorSchema } from '../../../kit/describe/error-schema.js';
import { challenge, optional } from '../../../kit/describe/header-schemas.js';
import { metadataSchema } from './client-metadata.js';

const text = Type.String();
const optionalText = Type.Optional(text);
const pragma = { Pragma: Type.Literal('no-cache') };

const registeredSchema = Type.Object(
  {
    ...metadataSchema.properties,
    client_id: text,
    client_id_issued_at: Type.Integer({ description: 'Unix time.' }),
    client_secret: optionalText,
    client_secret_expires_at: Type.Optional(Type.Integer()),
    registration_access_token: text,
    registration_client_uri: text,
    jwks: Type.Optional(Type.Unsafe<object>({ type: 'object', additionalProperties: true })),
  },
  { title: 'RegisteredClient' },
);

export const register = {
  summary: 'Register a client',
  description: 'RFC 7591, open to all: at most 100 in a sandbox. No address is ever fetched.',
  body: metadataSchema,
  response: {
    201: registeredSchema,
    400: oauthErrorSchema,
    409: errorSchema,
    413: errorSchema,
    415: errorSchema,
  },
  responseHeaders: { 201: pragma, 400: optional(pragma), 409: pragma },
};

const params = Type.Object({ clientId: text });
const managing = [{ oidcRegistration: [] }];

export const readClient = {
  summary: 'Get a registered client',
  security: managing,
  params,
  response: { 200: registeredSchema, 401: errorSchema },
  responseHeaders: { 200: pragma, 401: challenge },
};

export const replaceClient = {
  ...register,
  summary: 'Replace what a client registered',
  description: 'RFC 7592. The client id and the secret stay.',
  security: managing,
  params,
  response: {
    200: registeredSchema,
    400: oauthErrorSchema,
    401: errorSchema,
    413: errorSchema,
    415: errorSchema,
  },
  responseHeaders: {
    200: pragma,
    400: { Pragma: Type.Optional(pragma.Pragma) },
    401: challenge,
  },
};

export const deleteClient = {
  summary: 'Delete a registered client',
  security: managing,
  params,
  response: { 204: Type.Null({ description: 'It is gone.' }), 401: errorSchema },
  responseHeaders: { 401: challenge },
};

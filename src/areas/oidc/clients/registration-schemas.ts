/** Schemas of the registration of clients. */

import { Type } from 'typebox';
import { errorSchema } from '../../../http/schemas/error-schema.js';
import { challenge } from '../../../http/schemas/header-schemas.js';
import {
  maybeNoStoreHeaders,
  noStoreHeaders,
  oauthErrorSchema,
} from '../../../kit/describe/oauth-schemas.js';
import { optionalText, text } from '../text-schemas.js';
import { metadataSchema } from './client-metadata.js';

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

const rejections = { 400: oauthErrorSchema, 413: errorSchema, 415: errorSchema };

export const register = {
  summary: 'Register a client',
  description: 'RFC 7591, open to all: at most 100 in a sandbox. No address is ever fetched.',
  body: metadataSchema,
  response: { 201: registeredSchema, ...rejections, 409: errorSchema },
  responseHeaders: { 201: noStoreHeaders, 400: maybeNoStoreHeaders, 409: noStoreHeaders },
};

const params = Type.Object({ clientId: text });
const managing = [{ oidcRegistration: [] }];

export const readClient = {
  summary: 'Get a registered client',
  security: managing,
  params,
  response: { 200: registeredSchema, 401: errorSchema },
  responseHeaders: { 200: noStoreHeaders, 401: challenge },
};

export const replaceClient = {
  ...register,
  summary: 'Replace what a client registered',
  description: 'RFC 7592. The client id and the secret stay.',
  security: managing,
  params,
  response: { 200: registeredSchema, ...rejections, 401: errorSchema },
  responseHeaders: { 200: noStoreHeaders, 400: maybeNoStoreHeaders, 401: challenge },
};

export const deleteClient = {
  summary: 'Delete a registered client',
  security: managing,
  params,
  response: { 204: Type.Null({ description: 'It is gone.' }), 401: errorSchema },
  responseHeaders: { 401: challenge },
};

/** Schemas of the endpoints for clients: tokens, and what leads to them. */

import { type TSchema, Type } from 'typebox';
import { challenge } from '../../../http/schemas/header-schemas.js';
import {
  anyForm,
  formBody,
  introspectionMembers,
  introspectionTimes,
  maybeNoStoreHeaders,
  noStoreHeaders,
  oauthRejections,
} from '../../../kit/describe/oauth-schemas.js';
import { optionalText, optionalTexts, text } from '../text-schemas.js';
import type { Actor } from './grants.js';

export const nonce = {
  'DPoP-Nonce': Type.Optional(Type.String({ description: 'For the next proof (RFC 9449).' })),
};
const responseHeaders = {
  200: noStoreHeaders,
  400: maybeNoStoreHeaders,
  401: { ...noStoreHeaders, ...challenge },
};
const provedHeaders = {
  200: { ...noStoreHeaders, ...nonce },
  400: { ...maybeNoStoreHeaders, ...nonce },
  401: responseHeaders[401],
};
const security = [{ oidcClient: [] }, {}];

const clientFields = optionalTexts(
  ...['client_id', 'client_secret', 'client_assertion', 'client_assertion_type'],
);
const formOf = (fields: Readonly<Record<string, TSchema>>) =>
  formBody({ ...fields, ...clientFields });
const tokenForm = formOf({ token: text, token_type_hint: optionalText });

export const grantTokens = {
  summary: 'Exchange a code, a refresh token or another token',
  description:
    'The discovery document lists the grant types. With a DPoP proof the tokens are bound to its key (RFC 9449).',
  security,
  described: formOf({
    grant_type: text,
    ...optionalTexts('code', 'redirect_uri', 'code_verifier', 'refresh_token', 'device_code'),
    ...optionalTexts('assertion', 'subject_token', 'subject_token_type', 'actor_token'),
    ...optionalTexts('actor_token_type', 'requested_token_type', 'resource', 'scope'),
  }),
  response: {
    200: Type.Object({
      access_token: text,
      token_type: Type.String({ description: 'Bearer, or DPoP.' }),
      expires_in: Type.Integer({ description: 'In seconds.' }),
      scope: text,
      ...optionalTexts('refresh_token', 'id_token', 'issued_token_type'),
    }),
    ...oauthRejections,
  },
  responseHeaders: provedHeaders,
};

export const push = {
  summary: 'Push the parameters of an authorization request',
  description:
    'RFC 9126. The request_uri can be used once, within a minute, at the authorization endpoint.',
  security,
  described: anyForm,
  response: {
    201: Type.Object({ request_uri: text, expires_in: Type.Integer() }),
    ...oauthRejections,
  },
  responseHeaders: { 201: provedHeaders[200], 400: provedHeaders[400], 401: provedHeaders[401] },
};

export const authorizeDevice = {
  summary: 'Get two codes for a device without a browser',
  description: 'RFC 8628: one for the device, and one for a person to type in at /oidc/device.',
  security,
  described: formOf(optionalTexts('scope', 'resource')),
  response: {
    200: Type.Object({
      device_code: text,
      user_code: text,
      verification_uri: text,
      verification_uri_complete: text,
      expires_in: Type.Integer(),
      interval: Type.Integer(),
    }),
    ...oauthRejections,
  },
  responseHeaders,
};

export const introspect = {
  summary: 'Introspect a token',
  description:
    'RFC 7662, for clients with a secret or a key. With Accept: application/token-introspection+jwt the response is a JWT (RFC 9701).',
  security,
  described: tokenForm,
  response: {
    200: Type.Object({
      ...introspectionMembers,
      ...optionalTexts('username', 'token_type'),
      ...introspectionTimes,
      cnf: Type.Optional(Type.Object(optionalTexts('jkt', 'x5t#S256'))),
      act: Type.Optional(Type.Unsafe<Actor>({ type: 'object', additionalProperties: true })),
    }),
    ...oauthRejections,
  },
  responseHeaders,
};

export const revoke = {
  summary: 'Revoke a token',
  description: 'RFC 7009. Revoking a refresh token revokes all tokens of its login.',
  security,
  described: tokenForm,
  response: { 200: Type.Object({}), ...oauthRejections },
  responseHeaders,
};

/** What the endpoints for clients accept and return: tokens, and what leads to them. */

import { type TSchema, Type } from 'typebox';
import { oauthErrorSchema } from '../../../http/credentials/oauth-error-schema.js';
import { challenge } from '../../../kit/describe/header-schemas.js';
import type { Actor } from './grants.js';

const text = Type.String();
const unixTime = Type.Integer({ description: 'Unix time.' });
const optionalText = Type.Optional(text);

const pragma = { Pragma: Type.Literal('no-cache') };
export const nonce = {
  'DPoP-Nonce': Type.Optional(Type.String({ description: 'For the next proof (RFC 9449).' })),
};
const noStoreHeaders = {
  200: pragma,
  400: { Pragma: Type.Optional(pragma.Pragma) },
  401: { ...pragma, ...challenge },
};
const provedHeaders = {
  200: { ...pragma, ...nonce },
  400: { ...noStoreHeaders[400], ...nonce },
  401: noStoreHeaders[401],
};
const rejections = { 400: oauthErrorSchema, 401: oauthErrorSchema };
const security = [{ oidcClient: [] }, {}];

const clientFields = {
  client_id: optionalText,
  client_secret: optionalText,
  client_assertion: optionalText,
  client_assertion_type: optionalText,
};
const formOf = (fields: Record<string, TSchema>) => ({
  body: { 'application/x-www-form-urlencoded': Type.Object({ ...fields, ...clientFields }) },
});

export const grantTokens = {
  summary: 'Exchange a code, a refresh token or another token',
  description:
    'The discovery document lists the grant types. With a DPoP proof the tokens are bound to its key (RFC 9449).',
  security,
  described: formOf({
    grant_type: text,
    code: optionalText,
    redirect_uri: optionalText,
    code_verifier: optionalText,
    refresh_token: optionalText,
    device_code: optionalText,
    assertion: optionalText,
    subject_token: optionalText,
    subject_token_type: optionalText,
    actor_token: optionalText,
    actor_token_type: optionalText,
    requested_token_type: optionalText,
    resource: optionalText,
    scope: optionalText,
  }),
  response: {
    200: Type.Object({
      access_token: text,
      token_type: Type.String({ description: 'Bearer, or DPoP.' }),
      expires_in: Type.Integer({ description: 'In seconds.' }),
      scope: text,
      refresh_token: optionalText,
      id_token: optionalText,
      issued_token_type: optionalText,
    }),
    ...rejections,
  },
  responseHeaders: provedHeaders,
};

export const push = {
  summary: 'Push the parameters of an authorization request',
  description:
    'RFC 9126. The request_uri can be used once, within a minute, at the authorization endpoint.',
  security,
  described: {
    body: {
      'application/x-www-form-urlencoded': Type.Object({}, { additionalProperties: true }),
    },
  },
  response: { 201: Type.Object({ request_uri: text, expires_in: Type.Integer() }), ...rejections },
  responseHeaders: {
    201: provedHeaders[200],
    400: provedHeaders[400],
    401: provedHeaders[401],
  },
};

export const authorizeDevice = {
  summary: 'Get two codes for a device without a browser',
  description: 'RFC 8628: one for the device, and one for a person to type in at /oidc/device.',
  security,
  described: formOf({ scope: optionalText, resource: optionalText }),
  response: {
    200: Type.Object({
      device_code: text,
      user_code: text,
      verification_uri: text,
      verification_uri_complete: text,
      expires_in: Type.Integer(),
      interval: Type.Integer(),
    }),
    ...rejections,
  },
  responseHeaders: noStoreHeaders,
};

export const introspect = {
  summary: 'Introspect a token',
  description:
    'RFC 7662, for clients with a secret or a key. With Accept: application/token-introspection+jwt the response is a JWT (RFC 9701).',
  security,
  described: formOf({ token: text, token_type_hint: optionalText }),
  response: {
    200: Type.Object({
      active: Type.Boolean(),
      scope: optionalText,
      client_id: optionalText,
      username: optionalText,
      token_type: optionalText,
      exp: Type.Optional(unixTime),
      iat: Type.Optional(unixTime),
      nbf: Type.Optional(unixTime),
      sub: optionalText,
      aud: optionalText,
      iss: optionalText,
      cnf: Type.Optional(
        Type.Object({ jkt: Type.Optional(text), 'x5t#S256': Type.Optional(text) }),
      ),
      act: Type.Optional(Type.Unsafe<Actor>({ type: 'object', additionalProperties: true })),
    }),
    ...rejections,
  },
  responseHeaders: noStoreHeaders,
};

export const revoke = {
  summary: 'Revoke a token',
  description: 'RFC 7009. Revoking a refresh token revokes all tokens of its login.',
  security,
  described: formOf({ token: text, token_type_hint: optionalText }),
  response: { 200: Type.Object({}), ...rejections },
  responseHeaders: noStoreHeaders,
};

/** What the endpoints of the issuer take and answer. */

import type { FastifyReply } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { oauthErrorSchema } from '../../http/oauth-error-schema.js';
import { errorSchema } from '../../server/error-schema.js';
import { challenge, contentSecurityPolicy, optional } from '../../server/header-schemas.js';
import { metadataSchema } from './clients/client-metadata.js';
import type { Actor } from './token/grants.js';

const text = Type.String();
const unixTime = Type.Integer({ description: 'Unix time.' });
const texts = Type.Array(text);
const optionalText = Type.Optional(text);

export const anyHidden = { hide: true };

const openObject = (title: string, members: Record<string, TSchema>) =>
  Type.Object(members, { title, additionalProperties: true });

/** The members of every discovery document; it says more. */
const issuerSchema = openObject('Issuer', {
  issuer: text,
  authorization_endpoint: text,
  token_endpoint: text,
  jwks_uri: text,
  response_types_supported: texts,
});

export const discover = {
  summary: 'What the issuer offers, and where',
  description: 'OpenID Connect Discovery. Below /s/{sandbox} each sandbox is an issuer of its own.',
  response: { 200: issuerSchema },
};

export const describeServer = {
  ...discover,
  summary: 'The same at the address of RFC 8414',
};

const jwksSchema = Type.Object({
  keys: Type.Array(openObject('JsonWebKey', { kty: text, kid: text, alg: text, use: text })),
});

export const showKeys = {
  summary: 'The keys that tokens are signed with',
  description: 'A key that was rotated away stays until what it signed has expired.',
  response: { 200: jwksSchema },
};

export const rotateKeys = {
  summary: 'Gives every algorithm a new key',
  response: { 200: jwksSchema, 403: errorSchema },
};

const html = { 'text/html': { schema: Type.Unsafe<FastifyReply>({ type: 'string' }) } };
const pageHeaders = {
  ...contentSecurityPolicy,
  'X-Frame-Options': Type.Literal('DENY'),
  'Referrer-Policy': text,
  'X-Content-Type-Options': Type.Literal('nosniff'),
};
const optionalCookie = {
  'Set-Cookie': Type.Optional(Type.String({ description: 'Below the issuer alone, HttpOnly.' })),
};
const redirected = {
  Location: Type.String({ description: 'The redirect address, with the answer.' }),
  'Referrer-Policy': Type.Optional(text),
  ...optionalCookie,
};
const pageOrRedirect = {
  response: {
    200: { description: 'A page.', content: html },
    303: Type.Null({ description: 'The answer to the client.' }),
    400: oauthErrorSchema,
  },
  responseHeaders: {
    200: { ...pageHeaders, ...optionalCookie },
    303: redirected,
    400: { Pragma: Type.Optional(text) },
  },
};

export const authorize = {
  summary: 'Asks a person to log in and to consent',
  description:
    'For browsers, by GET or a posted form. With auto=ada nobody is asked: ada logs in and consents; auto=deny refuses.',
  described: {
    querystring: {
      client_id: text,
      redirect_uri: Type.String({ description: 'One that is registered, letter by letter.' }),
      response_type: Type.Literal('code'),
      scope: text,
      state: optionalText,
      nonce: optionalText,
      code_challenge: Type.Optional(
        Type.String({ description: 'Public clients must (RFC 7636).' }),
      ),
      code_challenge_method: Type.Optional(Type.Literal('S256')),
      dpop_jkt: optionalText,
      resource: optionalText,
      request: optionalText,
      request_uri: optionalText,
      response_mode: optionalText,
      prompt: optionalText,
      max_age: optionalText,
      login_hint: optionalText,
      id_token_hint: optionalText,
      acr_values: optionalText,
      claims: optionalText,
      auto: optionalText,
    },
  },
  ...pageOrRedirect,
};

const anyForm = {
  body: { 'application/x-www-form-urlencoded': Type.Object({}, { additionalProperties: true }) },
};

export const authorizeByForm = {
  ...authorize,
  summary: 'The same by a posted form',
  description: 'The parameters are those of GET (OpenID Connect Core section 3.1.2.1).',
  described: anyForm,
};

export const logout = {
  summary: 'Ends the session of a browser',
  description:
    'OpenID Connect RP-Initiated Logout. Without the ID token of the session, the person is asked.',
  described: {
    querystring: {
      id_token_hint: optionalText,
      client_id: optionalText,
      post_logout_redirect_uri: optionalText,
      state: optionalText,
    },
  },
  ...pageOrRedirect,
};

export const logoutByForm = {
  ...logout,
  summary: 'The same by a posted form',
  description: 'The parameters are those of GET.',
  described: anyForm,
};

const pragma = { Pragma: Type.Literal('no-cache') };
const noStoreHeaders = {
  200: pragma,
  400: { Pragma: Type.Optional(pragma.Pragma) },
  401: { ...pragma, ...challenge },
};
const refusals = { 400: oauthErrorSchema, 401: oauthErrorSchema };
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
  summary: 'Tokens for a code, a refresh token, another token, or a client by itself',
  description:
    'The grant types stand in the discovery document. With a DPoP proof the tokens are bound to its key (RFC 9449).',
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
    ...refusals,
  },
  responseHeaders: noStoreHeaders,
};

export const push = {
  summary: 'Takes the parameters of an authorization request',
  description:
    'RFC 9126. The request_uri counts once, for a minute, at the authorization endpoint.',
  security,
  described: { body: anyForm.body },
  response: { 201: Type.Object({ request_uri: text, expires_in: Type.Integer() }), ...refusals },
  responseHeaders: {
    201: pragma,
    400: noStoreHeaders[400],
    401: noStoreHeaders[401],
  },
};

export const authorizeDevice = {
  summary: 'Two codes for a device without a browser',
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
    ...refusals,
  },
  responseHeaders: noStoreHeaders,
};

export const showDevice = {
  summary: 'The page where a person allows a device',
  description: 'With user_code and auto=ada or auto=deny nobody is asked.',
  described: { querystring: { user_code: optionalText, auto: optionalText } },
  response: { 200: pageOrRedirect.response[200], 400: oauthErrorSchema },
  responseHeaders: {
    200: pageOrRedirect.responseHeaders[200],
    400: pageOrRedirect.responseHeaders[400],
  },
};

export const introspect = {
  summary: 'What a token stands for',
  description: 'RFC 7662, for clients with a secret or a key.',
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
      cnf: Type.Optional(Type.Object({ jkt: text })),
      act: Type.Optional(Type.Unsafe<Actor>({ type: 'object', additionalProperties: true })),
    }),
    ...refusals,
  },
  responseHeaders: noStoreHeaders,
};

export const revoke = {
  summary: 'Revokes a token',
  description: 'RFC 7009. A refresh token takes along all that came of its login.',
  security,
  described: formOf({ token: text, token_type_hint: optionalText }),
  response: { 200: Type.Object({}), ...refusals },
  responseHeaders: noStoreHeaders,
};

const bearerRefusals = { 401: errorSchema, 403: errorSchema };
const bearerHeaders = { 401: challenge, 403: challenge };

export const userinfo = {
  summary: 'Claims about the person of an access token',
  description: 'A JWT for clients that registered an algorithm.',
  security: [{ oidc: ['openid'] }],
  response: { 200: openObject('UserInfo', { sub: text }), ...bearerRefusals },
  responseHeaders: bearerHeaders,
};

export const userinfoByForm = {
  ...userinfo,
  summary: 'The same by POST',
  description: 'The token stands in the header, or as access_token in a form.',
  described: { ...anyForm, isBodyOptional: true as const },
  response: { ...userinfo.response, 400: oauthErrorSchema },
  responseHeaders: {
    ...bearerHeaders,
    400: optional({ ...challenge, Pragma: text }),
  },
};

export const showMe = {
  summary: 'Who an access token is of',
  security: [{ oidc: ['profile'] }],
  response: {
    200: Type.Object({ sub: text, client_id: text, scope: text }),
    ...bearerRefusals,
  },
  responseHeaders: bearerHeaders,
};

export const showOrders = {
  summary: 'Orders, for access tokens with the scope orders',
  security: [{ oidc: ['orders'] }],
  response: {
    200: Type.Object({
      sub: text,
      orders: Type.Array(Type.Object({ id: Type.Integer(), item: text, price: Type.Number() })),
    }),
    ...bearerRefusals,
  },
  responseHeaders: bearerHeaders,
};

export const describeResource = {
  summary: 'Which issuer the resource takes tokens of',
  description: 'RFC 9728.',
  response: {
    200: Type.Object({
      resource: text,
      authorization_servers: texts,
      scopes_supported: texts,
      bearer_methods_supported: texts,
      dpop_signing_alg_values_supported: texts,
      resource_name: text,
    }),
  },
};

const registeredSchema = Type.Object(
  {
    ...metadataSchema.properties,
    client_id: text,
    client_id_issued_at: unixTime,
    client_secret: optionalText,
    client_secret_expires_at: Type.Optional(Type.Integer()),
    registration_access_token: text,
    registration_client_uri: text,
    jwks: Type.Optional(Type.Unsafe<object>({ type: 'object', additionalProperties: true })),
  },
  { title: 'RegisteredClient' },
);

export const register = {
  summary: 'Registers a client',
  description: 'RFC 7591, open to all: at most 100 in a sandbox. No address is ever fetched.',
  body: metadataSchema,
  response: { 201: registeredSchema, 400: oauthErrorSchema, 413: errorSchema, 415: errorSchema },
  responseHeaders: { 201: pragma, 400: { Pragma: Type.Optional(pragma.Pragma) } },
};

const params = Type.Object({ clientId: text });
const managing = [{ oidcRegistration: [] }];

export const readClient = {
  summary: 'A registered client',
  security: managing,
  params,
  response: { 200: registeredSchema, 401: errorSchema },
  responseHeaders: { 200: pragma, 401: challenge },
};

export const replaceClient = {
  ...register,
  summary: 'Replaces what a client registered',
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
  summary: 'Deletes a registered client',
  security: managing,
  params,
  response: { 204: Type.Null({ description: 'It is gone.' }), 401: errorSchema },
  responseHeaders: { 401: challenge },
};

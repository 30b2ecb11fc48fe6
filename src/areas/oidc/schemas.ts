/** Schemas of the issuer's endpoints for browsers, and of what it protects. */

import { type TSchema, Type } from 'typebox';
import type { Reply } from '../../http/exchange.js';
import { errorSchema } from '../../http/schemas/error-schema.js';
import { challenge, contentSecurityPolicy, optional } from '../../http/schemas/header-schemas.js';
import { anyForm, oauthErrorSchema } from '../../kit/describe/oauth-schemas.js';
import { optionalTexts, text } from './text-schemas.js';
import { nonce } from './token/token-schemas.js';

const texts = Type.Array(text);

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
  summary: 'Describe what the issuer offers, and where',
  description: 'OpenID Connect Discovery. Below /s/{sandbox} each sandbox is an issuer of its own.',
  response: { 200: issuerSchema },
};

export const describeServer = {
  ...discover,
  summary: 'Describe the issuer at the address of RFC 8414',
};

const jwksSchema = Type.Object({
  keys: Type.Array(openObject('JsonWebKey', { kty: text, kid: text, alg: text, use: text })),
});

export const showKeys = {
  summary: 'Get the keys that tokens are signed with',
  description: 'A key that was rotated away stays until what it signed has expired.',
  response: { 200: jwksSchema },
};

export const rotateKeys = {
  summary: 'Create a new key for every algorithm',
  description: 'Of rotations at the same time one succeeds.',
  response: { 200: jwksSchema, 403: errorSchema, 409: errorSchema },
};

const html = { 'text/html': { schema: Type.Unsafe<Reply>({ type: 'string' }) } };
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
  Location: Type.String({ description: 'The redirect address, with the response.' }),
  'Referrer-Policy': Type.Optional(text),
  ...optionalCookie,
};
const pageOrRedirect = {
  response: {
    200: { description: 'A page.', content: html },
    303: Type.Null({ description: 'The response to the client.' }),
    400: oauthErrorSchema,
  },
  responseHeaders: {
    200: { ...pageHeaders, ...optionalCookie },
    303: redirected,
    400: { Pragma: Type.Optional(text) },
  },
};

export const authorize = {
  summary: 'Ask a person to log in and to consent',
  description:
    'For browsers, by GET or a posted form. With auto=ada there is no page: ada logs in and consents; auto=deny denies.',
  described: {
    querystring: {
      client_id: text,
      redirect_uri: Type.String({ description: 'One that is registered, letter by letter.' }),
      response_type: Type.Literal('code'),
      scope: text,
      ...optionalTexts('state', 'nonce'),
      code_challenge: Type.Optional(
        Type.String({ description: 'Public clients must (RFC 7636).' }),
      ),
      code_challenge_method: Type.Optional(Type.Literal('S256')),
      ...optionalTexts('dpop_jkt', 'resource', 'request', 'request_uri', 'response_mode', 'prompt'),
      ...optionalTexts('max_age', 'login_hint', 'id_token_hint', 'acr_values', 'claims', 'auto'),
    },
  },
  ...pageOrRedirect,
};

export const authorizeByForm = {
  ...authorize,
  summary: 'Ask a person to log in, by a posted form',
  description: 'The parameters are those of GET (OpenID Connect Core section 3.1.2.1).',
  described: anyForm,
};

export const logout = {
  summary: 'End the session of a browser',
  description:
    'OpenID Connect RP-Initiated Logout. Without the ID token of the session, the person is asked.',
  described: {
    querystring: optionalTexts('id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state'),
  },
  ...pageOrRedirect,
};

export const logoutByForm = {
  ...logout,
  summary: 'End the session of a browser, by a posted form',
  description: 'The parameters are those of GET.',
  described: anyForm,
};

export const showDevice = {
  summary: 'Show the page where a person allows a device',
  description:
    'With user_code and auto=ada or auto=deny there is no page. Wrong codes are limited: 10 a minute from an address, 100 at an issuer.',
  described: { querystring: optionalTexts('user_code', 'auto') },
  response: {
    200: pageOrRedirect.response[200],
    400: oauthErrorSchema,
    429: errorSchema,
  },
  responseHeaders: {
    200: pageOrRedirect.responseHeaders[200],
    400: pageOrRedirect.responseHeaders[400],
  },
};

const bearerRejections = { 401: errorSchema, 403: errorSchema };
const bearerHeaders = { 200: nonce, 401: { ...challenge, ...nonce }, 403: challenge };

export const userinfo = {
  summary: 'Get claims about the person of an access token',
  description: 'A JWT for clients that registered an algorithm.',
  security: [{ oidc: ['openid'] }],
  response: { 200: openObject('UserInfo', { sub: text }), ...bearerRejections },
  responseHeaders: bearerHeaders,
};

export const userinfoByForm = {
  ...userinfo,
  summary: 'Get the same claims by POST',
  description: 'The token is sent in the header, or as access_token in a form.',
  described: { ...anyForm, isBodyOptional: true as const },
  response: { ...userinfo.response, 400: oauthErrorSchema },
  responseHeaders: {
    ...bearerHeaders,
    400: optional({ ...challenge, Pragma: text }),
  },
};

export const showMe = {
  summary: 'Show whose an access token is',
  security: [{ oidc: ['profile'] }],
  response: {
    200: Type.Object({ sub: text, client_id: text, scope: text }),
    ...bearerRejections,
  },
  responseHeaders: bearerHeaders,
};

export const showOrders = {
  summary: 'List orders, for access tokens with the scope orders',
  security: [{ oidc: ['orders'] }],
  response: {
    200: Type.Object({
      sub: text,
      orders: Type.Array(Type.Object({ id: Type.Integer(), item: text, price: Type.Number() })),
    }),
    ...bearerRejections,
  },
  responseHeaders: bearerHeaders,
};

export const describeResource = {
  summary: 'Show which issuer the resource accepts tokens of',
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

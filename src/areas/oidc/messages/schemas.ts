/** Schemas that several endpoints of the issuer share. */

import { type TSchema, Type } from 'typebox';
import { challenge, contentSecurityPolicy } from '#http/schemas/header-schemas.js';
import {
  formBody,
  maybeNoStoreHeaders,
  noStoreHeaders,
  oauthErrorSchema,
} from '#kit/describe/oauth-schemas.js';

export const text = Type.String();
export const texts = Type.Array(text);
/** A character of a scope (RFC 6749 appendix A.4). */
export const scopeToken = '[\\x21\\x23-\\x5b\\x5d-\\x7e]';

export const optionalText = Type.Optional(text);

export function optionalTexts(...names: readonly string[]): Record<string, TSchema> {
  return Object.fromEntries(names.map((name) => [name, optionalText]));
}

export const openObject = (title: string, members: Record<string, TSchema>) =>
  Type.Object(members, { title, additionalProperties: true });

export const forClients = {
  security: [{ oidcClient: [] }, {}],
  responseHeaders: {
    200: noStoreHeaders,
    400: maybeNoStoreHeaders,
    401: { ...noStoreHeaders, ...challenge },
  },
};

export const clientForm = (fields: Readonly<Record<string, TSchema>>) =>
  formBody({
    ...fields,
    ...optionalTexts('client_id', 'client_secret', 'client_assertion', 'client_assertion_type'),
  }).body;

export const nonce = {
  'DPoP-Nonce': Type.Optional(Type.String({ description: 'For the next proof (RFC 9449).' })),
};

/** The same headers, for endpoints that accept a DPoP proof. */
export const provedHeaders = {
  200: { ...noStoreHeaders, ...nonce },
  400: { ...maybeNoStoreHeaders, ...nonce },
  401: forClients.responseHeaders[401],
};

const optionalCookie = {
  'Set-Cookie': Type.Optional(
    Type.String({ description: 'Only for paths below the issuer, HttpOnly.' }),
  ),
};

export const pageOrRedirect = {
  responses: {
    200: { description: 'A page.', content: { 'text/html': { schema: text } } },
    303: Type.Null({ description: 'The response to the client.' }),
    400: oauthErrorSchema,
  },
  responseHeaders: {
    200: {
      ...contentSecurityPolicy,
      'X-Frame-Options': Type.Literal('DENY'),
      'Referrer-Policy': text,
      'X-Content-Type-Options': Type.Literal('nosniff'),
      ...optionalCookie,
    },
    303: {
      Location: Type.String({ description: 'The redirect URI, with the response.' }),
      'Referrer-Policy': Type.Optional(text),
      ...optionalCookie,
    },
    400: { Pragma: Type.Optional(text) },
  },
};

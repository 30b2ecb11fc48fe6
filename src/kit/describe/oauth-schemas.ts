/** Input and output of all OAuth authorization servers, for the description. */

import { type TSchema, Type } from 'typebox';
import { errorSchema } from '#http/schemas/error-schema.js';

/** RFC 6749 section 5.2. */
export const oauthErrorSchema = Type.Object(
  {
    ...errorSchema.properties,
    error: Type.String({ description: 'The error code of RFC 6749 section 5.2.' }),
    error_description: Type.String(),
  },
  { title: 'OAuthError' },
);

export const oauthRejections = { 400: oauthErrorSchema, 401: oauthErrorSchema };

export const noStoreHeaders = { Pragma: Type.Literal('no-cache') };
export const maybeNoStoreHeaders = { Pragma: Type.Optional(noStoreHeaders.Pragma) };

/** Members of RFC 7662 section 2.2 that every authorization server here returns. */
export const introspectionMembers = {
  active: Type.Boolean(),
  scope: Type.Optional(Type.String()),
  client_id: Type.Optional(Type.String()),
};

const unixTime = Type.Integer({ description: 'Unix time.' });
export const introspectionTimes = {
  exp: Type.Optional(unixTime),
  iat: Type.Optional(unixTime),
  nbf: Type.Optional(unixTime),
  sub: Type.Optional(Type.String()),
  aud: Type.Optional(Type.String()),
  iss: Type.Optional(Type.String()),
};

/** A described body with these fields. */
export function formBody(fields: Readonly<Record<string, TSchema>>) {
  return { body: { 'application/x-www-form-urlencoded': Type.Object(fields) } };
}

/** A described body with any fields. */
export const anyForm = {
  body: { 'application/x-www-form-urlencoded': Type.Object({}, { additionalProperties: true }) },
};

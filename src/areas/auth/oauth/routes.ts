/**
 * An authorization server with the client credentials grant (RFC 6749 section 4.4), introspection
 * (RFC 7662), revocation (RFC 7009), metadata (RFC 8414), and a resource that wants its tokens.
 */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { valuesIn } from '../../../config/setting.js';
import type { App, Services } from '../../../server/area.js';
import { errorSchema } from '../../../server/error-schema.js';
import { headerValues, singleHeader } from '../../../server/header-values.js';
import { HttpError } from '../../../server/http-error.js';
import { bodyText, maxParsedBodyBytes, mediaType, readBody } from '../../../server/request-body.js';
import { invalidToken } from '../bearer-errors.js';
import { isFault } from '../fault.js';
import { readBearerToken } from '../read-bearer-token.js';
import { securedBy } from '../secured-by.js';
import {
  expiresAt,
  issuedTokens,
  notBeforeSeconds,
  oauthTokenSeconds,
  randomToken,
  rememberToken,
  revokeToken,
  tokenFault,
  tokenKey,
} from './access-tokens.js';
import { authenticateClient } from './authenticate-client.js';
import { grantScope, knownScopes } from './grant-scope.js';
import { noStore, oauthError } from './oauth-error.js';
import { type Form, parseForm } from './parse-form.js';
import { oauthSettings } from './settings.js';

const tokenSchema = Type.Object({
  access_token: Type.String(),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer({ description: 'In seconds.' }),
  scope: Type.String({ description: 'What was granted, with spaces between.' }),
});

const oauthErrorSchema = Type.Object(
  {
    ...errorSchema.properties,
    error: Type.String({ description: 'The error code of RFC 6749 section 5.2.' }),
    error_description: Type.String(),
  },
  { title: 'OAuthError' },
);

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
  expires_in: Type.Integer({ description: 'How many seconds the token still counts.' }),
});

const metadataSchema = Type.Object({
  issuer: Type.String(),
  token_endpoint: Type.String(),
  introspection_endpoint: Type.String(),
  revocation_endpoint: Type.String(),
  scopes_supported: Type.Array(Type.String()),
  response_types_supported: Type.Array(Type.String(), {
    description: 'Empty: there is no authorization endpoint.',
  }),
  grant_types_supported: Type.Array(Type.String()),
  token_endpoint_auth_methods_supported: Type.Array(Type.String()),
  introspection_endpoint_auth_methods_supported: Type.Array(Type.String()),
  revocation_endpoint_auth_methods_supported: Type.Array(Type.String()),
});

const paths = {
  token: '/api/auth/oauth/token',
  introspect: '/api/auth/oauth/introspect',
  revoke: '/api/auth/oauth/revoke',
} as const;

const refusals = { 400: oauthErrorSchema, 401: oauthErrorSchema, 413: errorSchema };

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

export function addOAuthRoutes(app: App, { config, sandboxOf, baseUrlOf }: Services): void {
  const { oauthClient } = valuesIn(config, oauthSettings);

  /** The form of a request whose client has authenticated. */
  async function formOfClient(request: FastifyRequest, reply: FastifyReply) {
    reply.headers(noStore);
    const form = await readForm(request);
    const clientId = authenticateClient(headerValues(request, 'authorization'), form, oauthClient);
    return { form, clientId };
  }

  app.post(
    paths.token,
    {
      schema: {
        summary: 'An access token for a client (client credentials grant)',
        description:
          'The client authenticates by Basic, or by client_id and client_secret in the form.',
        security: securedBy('oauthClient', 'none'),
        described: {
          body: formBody({
            grant_type: Type.Literal('client_credentials'),
            scope: Type.Optional(
              Type.String({
                description: `Of ${knownScopes.join(', ')}, with spaces between; all without it.`,
              }),
            ),
          }),
        },
        response: { 200: tokenSchema, ...refusals },
        responseHeaders,
      },
    },
    async (request, reply) => {
      const { form, clientId } = await formOfClient(request, reply);
      const grantType = needed(form, 'grant_type');
      if (grantType !== 'client_credentials') {
        throw oauthError(
          'unsupported_grant_type',
          'The grant_type is not supported; client_credentials is.',
        );
      }
      const scope = grantScope(form.get('scope'));
      const token = randomToken();
      await sandboxOf(request).update(issuedTokens, tokenKey(token), (_none, nowMs) =>
        rememberToken({ clientId, scope, issuedAtMs: nowMs }),
      );
      return {
        access_token: token,
        token_type: 'Bearer',
        expires_in: oauthTokenSeconds,
        scope,
      } as const;
    },
  );

  app.post(
    paths.introspect,
    {
      schema: {
        summary: 'Whether an access token is active, and what it stands for',
        description: 'The client authenticates as at the token endpoint.',
        security: securedBy('oauthClient', 'none'),
        described: { body: tokenBody },
        response: { 200: introspectionSchema, ...refusals },
        responseHeaders,
      },
    },
    async (request, reply) => {
      const { form } = await formOfClient(request, reply);
      const sandbox = sandboxOf(request);
      const token = await sandbox.read(issuedTokens, tokenKey(needed(form, 'token')));
      if (token === undefined || tokenFault(token, await sandbox.now()) !== undefined) {
        return { active: false };
      }
      const issuer = baseUrlOf(request);
      const issuedAt = notBeforeSeconds(token);
      return {
        active: true,
        scope: token.scope,
        client_id: token.clientId,
        token_type: 'Bearer',
        exp: Math.floor(expiresAt(token) / 1000),
        iat: issuedAt,
        nbf: issuedAt,
        sub: token.clientId,
        aud: issuer,
        iss: issuer,
      } as const;
    },
  );

  app.post(
    paths.revoke,
    {
      schema: {
        summary: 'Revokes an access token',
        description:
          'The client authenticates as at the token endpoint. The answer is the same whether there was such a token or not.',
        security: securedBy('oauthClient', 'none'),
        described: { body: tokenBody },
        response: { 200: Type.Object({}), ...refusals },
        responseHeaders,
      },
    },
    async (request, reply) => {
      const { form } = await formOfClient(request, reply);
      await sandboxOf(request).update(issuedTokens, tokenKey(needed(form, 'token')), revokeToken);
      return {};
    },
  );

  app.get(
    '/api/auth/oauth/protected',
    {
      schema: {
        summary: 'A resource for access tokens of the client credentials grant',
        description: 'The token goes into the Authorization header, whatever its scope.',
        security: securedBy('oauth'),
        response: { 200: protectedSchema, 400: errorSchema, 401: errorSchema },
      },
    },
    async (request) => {
      const text = readBearerToken(singleHeader(request, 'authorization'));
      const sandbox = sandboxOf(request);
      const token = await sandbox.read(issuedTokens, tokenKey(text));
      const nowMs = await sandbox.now();
      const fault = tokenFault(token, nowMs);
      if (token === undefined || fault !== undefined) throw invalidToken(fault ?? '');
      return {
        message: 'The access token is right.',
        client_id: token.clientId,
        sub: token.clientId,
        scope: token.scope,
        expires_in: Math.ceil((expiresAt(token) - nowMs) / 1000),
      };
    },
  );

  app.get(
    '/.well-known/oauth-authorization-server',
    {
      schema: {
        summary: 'Metadata of the authorization server',
        description: 'What RFC 8414 says a client needs to know to use the endpoints above.',
        response: { 200: metadataSchema },
      },
    },
    async (request) => {
      const issuer = baseUrlOf(request);
      const methods = ['client_secret_basic', 'client_secret_post'];
      return {
        issuer,
        token_endpoint: issuer + paths.token,
        introspection_endpoint: issuer + paths.introspect,
        revocation_endpoint: issuer + paths.revoke,
        scopes_supported: [...knownScopes],
        response_types_supported: [],
        grant_types_supported: ['client_credentials'],
        token_endpoint_auth_methods_supported: methods,
        introspection_endpoint_auth_methods_supported: methods,
        revocation_endpoint_auth_methods_supported: methods,
      };
    },
  );
}

async function readForm(request: FastifyRequest): Promise<Form> {
  const { bytes } = await readBody(request, maxParsedBodyBytes, maxParsedBodyBytes);
  const { 'content-type': contentType, 'content-encoding': encoding } = request.headers;
  if (mediaType(contentType) !== 'application/x-www-form-urlencoded') {
    throw oauthError(
      'invalid_request',
      'The body is a form: send Content-Type: application/x-www-form-urlencoded.',
    );
  }
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw oauthError('invalid_request', 'Send the form without a Content-Encoding.');
  }
  const form = parseForm(textOf(bytes));
  if (isFault(form)) throw oauthError('invalid_request', form.fault);
  return form;
}

function textOf(bytes: Buffer): string {
  try {
    return bodyText(bytes);
  } catch (error) {
    if (error instanceof HttpError) throw oauthError('invalid_request', error.message);
    throw error;
  }
}

function needed(form: Form, name: string): string {
  const value = form.get(name);
  if (value === undefined) throw oauthError('invalid_request', `The parameter ${name} is missing.`);
  return value;
}

/** An authorization server with client credentials: RFC 6749 section 4.4, RFC 7662, RFC 7009 and RFC 8414. */

import { randomBytes } from 'node:crypto';
import { Type } from 'typebox';
import { invalidToken } from '#http/credentials/challenge.js';
import { keyOf } from '#http/credentials/secret-text.js';
import { isSameUser, type UserCredentials } from '#http/credentials/user-credentials.js';
import type { Reply, Request } from '#http/exchange.js';
import { type Form, needed, readForm } from '#http/oauth/form.js';
import { noStore, OAuthError } from '#http/oauth/oauth-error.js';
import { presentedClient, unencodedClient, wrongClient } from '#http/oauth/present-client.js';
import { readScope } from '#http/oauth/read-scope.js';
import { errorSchema } from '#http/schemas/error-schema.js';
import {
  formBody,
  introspectionMembers,
  introspectionTimes,
  maybeNoStoreHeaders,
  noStoreHeaders,
  oauthRejections,
} from '#kit/describe/oauth-schemas.js';
import { endpoint } from '#kit/endpoint.js';
import { readBearerToken } from '../bearer-token.js';
import {
  describeToken,
  expiresAt,
  issuedTokens,
  oauthTokenSeconds,
  rememberToken,
  revokeToken,
  tokenFault,
} from './access-tokens.js';

export const knownScopes = ['read', 'write', 'profile', 'email'] as const;

const paths = {
  token: '/api/auth/oauth/token',
  introspect: '/api/auth/oauth/introspect',
  revoke: '/api/auth/oauth/revoke',
} as const;

const text = Type.String();
const texts = Type.Array(text);
const bearer = Type.Literal('Bearer');

const forClients = {
  security: [{ oauthClient: [] }, {}],
  responseHeaders: {
    200: noStoreHeaders,
    400: maybeNoStoreHeaders,
    401: noStoreHeaders,
    413: noStoreHeaders,
  },
};
const rejections = { ...oauthRejections, 413: errorSchema };

const notByBasic = Type.Optional(Type.String({ description: 'If not sent by Basic.' }));
const clientFields = { client_id: notByBasic, client_secret: notByBasic };
const tokenForm = formBody({
  token: Type.String({ description: 'The access token.' }),
  ...clientFields,
}).body;

/** Returns the endpoints, which only `client` may use. */
export const oauthEndpoints = (client: UserCredentials) => [
  grantToken(client),
  introspect(client),
  revoke(client),
  showProtected,
  showMetadata,
];

const grantToken = (client: UserCredentials) =>
  endpoint('POST', paths.token, {
    ...forClients,
    summary: 'Get an access token with client credentials',
    description:
      'The client authenticates with Basic, or with client_id and client_secret in the form.',
    bodies: formBody({
      grant_type: Type.Literal('client_credentials'),
      scope: Type.Optional(
        Type.String({
          description: `One or more of ${knownScopes.join(', ')}, separated by spaces. Default: all.`,
        }),
      ),
      ...clientFields,
    }).body,
    responses: {
      200: Type.Object({
        access_token: text,
        token_type: bearer,
        expires_in: Type.Integer({ description: 'In seconds.' }),
        scope: Type.String({ description: 'The granted scopes, separated by spaces.' }),
      }),
      ...rejections,
    },
    async handle(request, reply) {
      const form = await readClientForm(request, reply, client);
      if (needed(form, 'grant_type') !== 'client_credentials') {
        const message = 'grant_type must be client_credentials.';
        throw new OAuthError('unsupported_grant_type', message);
      }
      const fault = `The scope must be one or more of ${knownScopes.join(', ')}, separated by one space.`;
      const scope = readScope(form.get('scope'), { allowed: knownScopes, fault }).join(' ');
      const token = `oat_${randomBytes(20).toString('hex')}`;
      await request.sandbox.update(issuedTokens, keyOf(token), (_none, nowMs) =>
        rememberToken({ clientId: client.username, scope, issuedAtMs: nowMs }),
      );
      return { access_token: token, token_type: 'Bearer', expires_in: oauthTokenSeconds, scope };
    },
  });

const introspect = (client: UserCredentials) =>
  endpoint('POST', paths.introspect, {
    ...forClients,
    onlyReads: true,
    summary: 'Introspect an access token',
    description: 'The client authenticates in the same way as at the token endpoint.',
    bodies: tokenForm,
    responses: {
      200: Type.Object({
        ...introspectionMembers,
        token_type: Type.Optional(bearer),
        ...introspectionTimes,
      }),
      ...rejections,
    },
    async handle(request, reply) {
      const form = await readClientForm(request, reply, client);
      const { token, fault } = await findToken(request, needed(form, 'token'));
      if (token === undefined || fault !== undefined) return { active: false };
      return describeToken(token, request.baseUrl);
    },
  });

const revoke = (client: UserCredentials) =>
  endpoint('POST', paths.revoke, {
    ...forClients,
    summary: 'Revoke an access token',
    description:
      'The client authenticates in the same way as at the token endpoint. The response is the same for unknown tokens.',
    bodies: tokenForm,
    responses: { 200: Type.Object({}), ...rejections },
    async handle(request, reply) {
      const form = await readClientForm(request, reply, client);
      await request.sandbox.update(issuedTokens, keyOf(needed(form, 'token')), revokeToken);
      return {};
    },
  });

const showProtected = endpoint('GET', '/api/auth/oauth/protected', {
  summary: 'Get a resource with an OAuth 2.0 access token',
  description: 'Send the token in the Authorization header. Any scope is sufficient.',
  security: [{ oauth: [] }],
  responses: {
    200: Type.Object({
      message: text,
      client_id: text,
      sub: text,
      scope: text,
      expires_in: Type.Integer({ description: 'Seconds until the token expires.' }),
    }),
    401: errorSchema,
  },
  async handle(request) {
    const { token, fault, nowMs } = await findToken(request, readBearerToken(request));
    if (token === undefined || fault !== undefined) throw invalidToken(fault ?? '');
    return {
      message: 'The access token is valid.',
      client_id: token.clientId,
      sub: token.clientId,
      scope: token.scope,
      expires_in: Math.ceil((expiresAt(token) - nowMs) / 1000),
    };
  },
});

const showMetadata = endpoint('GET', '/.well-known/oauth-authorization-server', {
  summary: 'Get the metadata of the authorization server',
  description: 'The metadata of RFC 8414 for the endpoints above.',
  responses: {
    200: Type.Object({
      issuer: text,
      token_endpoint: text,
      introspection_endpoint: text,
      revocation_endpoint: text,
      scopes_supported: texts,
      response_types_supported: Type.Array(text, {
        description:
          'Only `none`, which returns neither code nor token: there is no authorization endpoint.',
      }),
      grant_types_supported: texts,
      token_endpoint_auth_methods_supported: texts,
      introspection_endpoint_auth_methods_supported: texts,
      revocation_endpoint_auth_methods_supported: texts,
    }),
  },
  handle({ baseUrl: issuer }) {
    const methods = ['client_secret_basic', 'client_secret_post'];
    return {
      issuer,
      token_endpoint: issuer + paths.token,
      introspection_endpoint: issuer + paths.introspect,
      revocation_endpoint: issuer + paths.revoke,
      scopes_supported: knownScopes,
      // Required and never empty, though there is no authorization endpoint.
      response_types_supported: ['none'],
      grant_types_supported: ['client_credentials'],
      token_endpoint_auth_methods_supported: methods,
      introspection_endpoint_auth_methods_supported: methods,
      revocation_endpoint_auth_methods_supported: methods,
    };
  },
});

async function findToken({ sandbox }: Request, text: string) {
  const token = await sandbox.read(issuedTokens, keyOf(text));
  const nowMs = await sandbox.now();
  return { token, fault: tokenFault(token, nowMs), nowMs };
}

/** Parses the form of a request, and authenticates the client. */
async function readClientForm(
  request: Request,
  reply: Reply,
  client: UserCredentials,
): Promise<Form> {
  reply.headers(noStore);
  const form = await readForm(request);
  const { clientId: username, secret: password, unencoded } = presentedClient(request, form);
  if (username === undefined || password === undefined) {
    const message =
      username === undefined && password === undefined
        ? 'Client authentication is missing. Send Authorization: Basic with client id and secret, or client_id and client_secret in the form.'
        : 'The form has only one of client_id and client_secret. Send both, or use Basic.';
    throw new OAuthError('invalid_client', message);
  }
  if (isSameUser({ username, password }, client)) return form;
  throw unencoded && isSameUser(unencoded, client) ? unencodedClient() : wrongClient();
}

/** A resource server for the issuer's access tokens, and its metadata (RFC 9728). */

import { Type } from 'typebox';
import {
  redirectedSpelling,
  redirectOtherSpelling,
  rejectOtherSpelling,
} from '#http/address/exact-url.js';
import { mediaType } from '#http/body/request-body.js';
import { failures } from '#http/schemas/error-schema.js';
import { challenge, optional } from '#http/schemas/header-schemas.js';
import { anyForm, oauthErrorSchema } from '#kit/describe/oauth-schemas.js';
import { proofAlgorithms } from '../clients/dpop.js';
import { type Exchange, formOf, issuerEndpoint } from '../exchange.js';
import type { ProtectedPart } from '../messages/issuer.js';
import { paths } from '../messages/paths.js';
import { openObject, text, texts } from '../messages/schemas.js';
import { misbehaviourAt, requestedMisbehaviour } from '../misbehaviour/choose-misbehaviour.js';
import { changed } from '../misbehaviour/misbehaviours.js';
import { noteEvent } from '../misbehaviour/runs.js';
import { findClient } from '../model/find-client.js';
import { mcpScopes } from '../model/scopes.js';
import { claimsOf, findUser } from '../model/users.js';
import { bearerHeaders, demandAccess } from '../token/access.js';

const orders = [
  { id: 1, item: 'A difference engine', price: 17_470 },
  { id: 2, item: 'Punched cards, a thousand', price: 12 },
];

async function useAccess(at: Exchange, path: 'me' | 'orders', scope: string) {
  const metadata = at.issuer.metadataOf(path);
  const { record, grant } = await demandAccess(at, { scope, path, metadata });
  const misbehaviour = requestedMisbehaviour(at.request) ?? grant.misbehaviour;
  await noteEvent(at, misbehaviour, 'used');
  return record;
}

export const resourceEndpoints = [
  issuerEndpoint('GET', 'me', {
    summary: 'Show the user of an access token',
    security: [{ oidc: ['profile'] }],
    before: redirectOtherSpelling,
    responses: {
      200: Type.Object({ sub: text, client_id: text, scope: text }),
      ...redirectedSpelling,
      ...failures(401, 403),
    },
    responseHeaders: bearerHeaders,
    async handle(at) {
      const { sub, clientId, scope } = await useAccess(at, 'me', 'profile');
      return { sub, client_id: clientId, scope };
    },
  }),
  issuerEndpoint('GET', 'orders', {
    summary: 'List orders, for access tokens with the scope orders',
    security: [{ oidc: ['orders'] }],
    before: redirectOtherSpelling,
    responses: {
      ...redirectedSpelling,
      200: Type.Object({
        sub: text,
        orders: Type.Array(Type.Object({ id: Type.Integer(), item: text, price: Type.Number() })),
      }),
      ...failures(401, 403),
    },
    responseHeaders: bearerHeaders,
    async handle(at) {
      const { sub } = await useAccess(at, 'orders', 'orders');
      return { sub, orders };
    },
  }),
  metadataEndpoint('resourceMetadata', 'resource', ['profile', 'orders']),
  metadataEndpoint('meMetadata', 'me', ['profile']),
  metadataEndpoint('ordersMetadata', 'orders', ['orders']),
  metadataEndpoint('mcpMetadata', 'mcp', mcpScopes),
];

/** One document for each URL: its `resource` is the requested URL (RFC 9728 section 3.3). */
function metadataEndpoint(
  document: 'resourceMetadata' | 'meMetadata' | 'ordersMetadata' | 'mcpMetadata',
  part: ProtectedPart,
  scopes: readonly string[],
) {
  return issuerEndpoint('GET', document, {
    summary: 'Show the issuer whose tokens the resource accepts',
    description: 'RFC 9728. Below it are the documents of /me and /orders.',
    describedAs: paths.resourceMetadata,
    before: rejectOtherSpelling,
    responses: {
      ...failures(404),
      200: Type.Object({
        resource: text,
        authorization_servers: texts,
        scopes_supported: texts,
        bearer_methods_supported: texts,
        dpop_signing_alg_values_supported: texts,
        resource_name: text,
      }),
    },
    handle: ({ issuer }) => ({
      resource: issuer.reached(part),
      authorization_servers: [issuer.url],
      scopes_supported: scopes,
      bearer_methods_supported: ['header'],
      dpop_signing_alg_values_supported: proofAlgorithms,
      resource_name: 'Practice API',
    }),
  });
}

const spec = {
  security: [{ oidc: ['openid'] }],
  responses: { 200: openObject('UserInfo', { sub: text }), ...failures(401, 403) },
  responseHeaders: bearerHeaders,
  handle: showUserinfo,
};

export const userinfoEndpoints = [
  issuerEndpoint('GET', 'userinfo', {
    ...spec,
    summary: 'Get claims about the user of an access token',
    description: 'A JWT for clients that registered an algorithm.',
  }),
  issuerEndpoint('POST', 'userinfo', {
    ...spec,
    onlyReads: true,
    summary: 'Get the same claims by POST',
    description: 'Send the token in the header, or as access_token in a form.',
    bodies: anyForm.body,
    isBodyOptional: true,
    responses: { ...spec.responses, 400: oauthErrorSchema },
    responseHeaders: { ...bearerHeaders, 400: optional({ ...challenge, Pragma: text }) },
  }),
];

async function showUserinfo(at: Exchange): Promise<object> {
  const { request, reply, sandbox, issuer, keys } = at;
  const token = await tokenInForm(at);
  const { record, grant } = await demandAccess(at, { scope: 'openid', path: 'userinfo', token });
  const { sub, scope, clientId } = record;
  const user = await findUser(sandbox, sub);
  const requested = requestedMisbehaviour(request);
  const misbehaviour = await misbehaviourAt(sandbox, requested, grant.misbehaviour);
  await noteEvent(at, misbehaviour, 'asked');
  const claims = await changed(misbehaviour, 'userinfo', {
    sub,
    ...(user && claimsOf(user, scope.split(' '), grant.userinfoClaims)),
  });
  const { userinfoAlg: alg } = (await findClient(sandbox, clientId)) ?? {};
  if (alg === undefined) return claims;
  const jwt = await keys.sign(sandbox, { ...claims, iss: issuer.url, aud: clientId }, { alg });
  return reply.type('application/jwt').serializer(String).send(jwt);
}

/** Parses the form of RFC 6750 section 2.2. */
async function tokenInForm(at: Exchange): Promise<string | undefined> {
  const { method, headers } = at.request;
  const type = mediaType(headers['content-type']);
  if (method !== 'POST' || type !== 'application/x-www-form-urlencoded') return undefined;
  return (await formOf(at)).get('access_token');
}

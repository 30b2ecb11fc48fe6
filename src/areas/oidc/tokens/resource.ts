/** A resource server for the issuer's access tokens, and its metadata (RFC 9728). */

import { Type } from 'typebox';
import { failures } from '../../../kit/describe/error-schema.js';
import { proofAlgorithms } from '../dpop/read-proof.js';
import { type Exchange, issuerEndpoint } from '../exchange.js';
import { requestedMisbehaviour } from '../misbehaviour/choose-misbehaviour.js';
import { noteEvent } from '../misbehaviour/runs.js';
import { text, texts } from '../schemas.js';
import { serviceScopes } from '../scopes.js';
import { bearerHeaders, demandAccess } from './bearer.js';

const orders = [
  { id: 1, item: 'A difference engine', price: 17_470 },
  { id: 2, item: 'Punched cards, a thousand', price: 12 },
];

async function useAccess(at: Exchange, path: 'me' | 'orders', scope: string) {
  const metadata = at.issuer.resourceMetadata;
  const { record, grant } = await demandAccess(at, { scope, path, metadata });
  const misbehaviour = requestedMisbehaviour(at.request) ?? grant.misbehaviour;
  await noteEvent(at.sandbox, misbehaviour, 'used');
  return record;
}

export const resourceEndpoints = [
  issuerEndpoint('GET', 'me', {
    summary: 'Show whose an access token is',
    security: [{ oidc: ['profile'] }],
    responses: {
      200: Type.Object({ sub: text, client_id: text, scope: text }),
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
    responses: {
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
  issuerEndpoint('GET', 'resourceMetadata', {
    summary: 'Show which issuer the resource accepts tokens of',
    description: 'RFC 9728.',
    responses: {
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
      resource: issuer.resource,
      authorization_servers: [issuer.url],
      scopes_supported: serviceScopes,
      bearer_methods_supported: ['header'],
      dpop_signing_alg_values_supported: proofAlgorithms,
      resource_name: 'Practice API',
    }),
  }),
];

/** A resource server for the issuer's access tokens, and its metadata (RFC 9728). */

import { proofAlgorithms } from '../dpop/read-proof.js';
import type { Exchange } from '../exchange.js';
import { requestedMisbehaviour } from '../misbehaviour/choose-misbehaviour.js';
import { noteEvent } from '../misbehaviour/runs.js';
import { serviceScopes } from '../scopes.js';
import { demandAccess } from '../tokens/bearer.js';

const orders = [
  { id: 1, item: 'A difference engine', price: 17_470 },
  { id: 2, item: 'Punched cards, a thousand', price: 12 },
] as const;

async function useAccess(at: Exchange, path: 'me' | 'orders', scope: string) {
  const metadata = at.issuer.resourceMetadata;
  const { record, grant } = await demandAccess(at, { scope, path, metadata });
  const misbehaviour = requestedMisbehaviour(at.request) ?? grant.misbehaviour;
  await noteEvent(at.sandbox, misbehaviour, 'used');
  return record;
}

export async function showMe(at: Exchange) {
  const { sub, clientId, scope } = await useAccess(at, 'me', 'profile');
  return { sub, client_id: clientId, scope };
}

export async function listOrders(at: Exchange) {
  const { sub } = await useAccess(at, 'orders', 'orders');
  return { sub, orders };
}

export function describeResource({ issuer }: Exchange) {
  return {
    resource: issuer.resource,
    authorization_servers: [issuer.url],
    scopes_supported: serviceScopes,
    bearer_methods_supported: ['header'],
    dpop_signing_alg_values_supported: proofAlgorithms,
    resource_name: 'Practice API',
  };
}

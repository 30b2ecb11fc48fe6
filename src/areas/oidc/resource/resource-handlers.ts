/** A resource server for the issuer's access tokens, and its metadata (RFC 9728). */

import type { Reply, Request } from '../../../http/exchange.js';
import type { Services } from '../../../kit/area.js';
import type { Proofs } from '../dpop/proofs.js';
import { proofAlgorithms } from '../dpop/read-proof.js';
import { issuerOf } from '../issuer.js';
import type { IssuerKeys } from '../keys/issuer-keys.js';
import { askedConduct } from '../misbehaviour/conduct.js';
import { noteEvent } from '../misbehaviour/runs.js';
import { serviceScopes } from '../scopes.js';
import { demandAccess } from '../tokens/bearer.js';

const orders = [
  { id: 1, item: 'A difference engine', price: 17_470 },
  { id: 2, item: 'Punched cards, a thousand', price: 12 },
] as const;

export function resourceHandlers(services: Services, keys: IssuerKeys, proofs: Proofs) {
  const demand = async (request: Request, reply: Reply, at: 'me' | 'orders', scope: string) => {
    const issuer = issuerOf(services, request);
    const signing = { keys, sandbox: services.sandboxOf(request), issuer };
    const demanded = { scope, at, proofs, metadata: issuer.resourceMetadata };
    const found = await demandAccess(request, reply, signing, demanded);
    await noteEvent(signing.sandbox, askedConduct(request) ?? found.grant.conduct, 'used');
    return found;
  };
  return {
    async me(request: Request, reply: Reply) {
      const { record } = await demand(request, reply, 'me', 'profile');
      const { sub, clientId, scope } = record;
      return { sub, client_id: clientId, scope };
    },
    async orders(request: Request, reply: Reply) {
      const { record } = await demand(request, reply, 'orders', 'orders');
      return { sub: record.sub, orders: [...orders] };
    },
    async metadata(request: Request) {
      const issuer = issuerOf(services, request);
      return {
        resource: issuer.resource,
        authorization_servers: [issuer.url],
        scopes_supported: [...serviceScopes],
        bearer_methods_supported: ['header'],
        dpop_signing_alg_values_supported: [...proofAlgorithms],
        resource_name: 'Practice API',
      };
    },
  };
}

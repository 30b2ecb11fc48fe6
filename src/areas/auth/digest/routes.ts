/** Digest authentication (RFC 7616), with the algorithm and qop that the query asks for. */

import { valuesIn } from '../../../config/setting.js';
import type { KeyedMac } from '../../../http/credentials/keyed-mac.js';
import { nonceSpace } from '../../../http/digest/nonce.js';
import { DigestVerifier } from '../../../http/digest/verify-digest.js';
import type { Reply, Request } from '../../../http/exchange.js';
import { singleHeader } from '../../../http/headers/header-values.js';
import type { App } from '../../../kit/app.js';
import type { Services } from '../../../kit/area.js';
import { readOffer } from './read-offer.js';
import { schema } from './schema.js';
import { digestSettings } from './settings.js';

const nonceUses = nonceSpace('auth');

export function addDigestRoutes(app: App, services: Services, mac: KeyedMac): void {
  const authenticate = createHandler(services, mac);
  app.get('/api/auth/digest', { schema }, (request, reply) =>
    authenticate(request, reply, request.query),
  );
}

function createHandler(services: Services, mac: KeyedMac) {
  const { digestUser: user } = valuesIn(services.config, digestSettings);
  const verifier = new DigestVerifier(mac, nonceUses);

  return async function authenticate(
    request: Request,
    reply: Reply,
    query: Parameters<typeof readOffer>[0],
  ) {
    const offer = readOffer(query);
    const given = await verifier.read(request, singleHeader(request, 'authorization'), offer);
    await verifier.verify(request, reply, { user, offer }, given);
    const { algorithm, qop = 'none' } = given;
    return { authenticated: true, scheme: 'digest', user: user.username, algorithm, qop } as const;
  };
}

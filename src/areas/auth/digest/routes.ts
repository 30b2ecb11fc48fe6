/** Digest authentication (RFC 7616), with the algorithm and qop that the query asks for. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App, Services } from '../../../server/area.js';
import { singleHeader } from '../../../server/header-values.js';
import { isFault } from '../fault.js';
import type { KeyedMac } from '../keyed-mac.js';
import { computeResponse } from './compute-response.js';
import { readOffer } from './digest-offer.js';
import { parseDigest } from './parse-digest.js';
import { schema } from './schema.js';
import { createVerifier } from './verify-digest.js';

export function addDigestRoutes(app: App, services: Services, mac: KeyedMac): void {
  const authenticate = createHandler(services, mac);
  app.get('/api/auth/digest', { schema }, (request, reply) =>
    authenticate(request, reply, request.query),
  );
}

function createHandler(services: Services, mac: KeyedMac) {
  const { username, verify, refusal } = createVerifier(services, mac);

  return async function authenticate(
    request: FastifyRequest,
    reply: FastifyReply,
    query: Parameters<typeof readOffer>[0],
  ) {
    const offer = readOffer(query);
    const sandbox = services.sandboxOf(request);
    const given = parseDigest(singleHeader(request, 'authorization'), offer);
    if (isFault(given)) throw await refusal(sandbox, offer, given.fault);
    const input = await verify(request, sandbox, offer, given);
    if (given.qop === 'auth') {
      const rspauth = computeResponse({ ...input, method: '' });
      const { qop, nc, cnonce } = given;
      reply.header(
        'authentication-info',
        `rspauth="${rspauth}", qop=${qop}, nc=${nc}, cnonce="${escaped(cnonce)}"`,
      );
    }
    const { algorithm, qop = 'none' } = given;
    return { authenticated: true, scheme: 'digest', user: username, algorithm, qop } as const;
  };
}

function escaped(text = ''): string {
  return text.replace(/["\\]/g, '\\$&');
}

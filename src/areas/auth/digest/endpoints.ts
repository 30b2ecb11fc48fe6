/** Digest authentication, with the algorithm and qop that the query asks for. */

import { Type } from 'typebox';
import { isFault } from '../../../http/credentials/fault.js';
import type { KeyedMac } from '../../../http/credentials/keyed-mac.js';
import type { UserCredentials } from '../../../http/credentials/user-credentials.js';
import { digestAlgorithms } from '../../../http/digest/digest-algorithm.js';
import { nonceSpace } from '../../../http/digest/nonce.js';
import { parseDigest } from '../../../http/digest/parse-digest.js';
import { proveToo } from '../../../http/digest/prove-too.js';
import { createVerifier } from '../../../http/digest/verify-digest.js';
import { singleHeader } from '../../../http/header-values.js';
import type { Services } from '../../../kit/area.js';
import { errorSchema } from '../../../kit/describe/error-schema.js';
import { endpoint, open } from '../../../kit/endpoint.js';
import { readOffer } from './read-offer.js';

const nonceUses = nonceSpace('auth');

export function authenticateByDigest(user: UserCredentials, services: Services, mac: KeyedMac) {
  const { verify, refusal: rejection } = createVerifier(services, mac, nonceUses);
  return endpoint('GET', '/api/auth/digest', {
    summary: 'Authenticate by Digest as the demo user',
    description:
      'The first request gets a challenge; the second answers it. A nonce lasts 300 seconds, and its count must grow with each use. GET /api/auth shows the user name and the password under digest.',
    security: [{ digest: [] }],
    query: open({
      algorithm: Type.Optional(
        Type.Array(Type.String(), {
          description: `What to offer, separated by commas: ${digestAlgorithms.join(', ')}. The default is MD5.`,
        }),
      ),
      qop: Type.Optional(
        Type.Array(Type.String(), {
          description:
            'What to offer: auth, auth-int, both separated by a comma, or none. The default is auth.',
        }),
      ),
    }),
    responses: {
      200: Type.Object({
        authenticated: Type.Boolean(),
        scheme: Type.Literal('digest'),
        user: Type.String(),
        algorithm: Type.String(),
        qop: Type.String({ description: 'none, when the challenge offered none.' }),
      }),
      400: errorSchema,
      401: errorSchema,
      413: errorSchema,
    },
    responseHeaders: {
      200: {
        'Authentication-Info': Type.Optional(
          Type.String({ description: 'Proves with qop=auth that we know the password, too.' }),
        ),
      },
    },
    async handle(request, reply) {
      const offer = readOffer(request.query);
      const { sandbox } = request;
      const given = parseDigest(singleHeader(request, 'authorization'), offer);
      if (isFault(given)) throw await rejection(sandbox, offer, given.fault);
      proveToo(reply, await verify(request, sandbox, { user, offer }, given));
      const { algorithm, qop = 'none' } = given;
      return { authenticated: true, scheme: 'digest', user: user.username, algorithm, qop };
    },
  });
}

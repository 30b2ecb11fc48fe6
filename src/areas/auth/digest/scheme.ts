/** Digest authentication (RFC 7616). */

import { Type } from 'typebox';
import { valuesIn } from '../../../config/setting.js';
import type { Config } from '../../../config/settings.js';
import type { KeyedMac } from '../../../http/credentials/keyed-mac.js';
import type { UserCredentials } from '../../../http/credentials/user-credentials.js';
import { digestAlgorithms } from '../../../http/digest/digest-algorithm.js';
import { nonceSpace } from '../../../http/digest/nonce.js';
import { DigestVerifier } from '../../../http/digest/verify-digest.js';
import { singleHeader } from '../../../http/headers/header-values.js';
import { errorSchema } from '../../../http/schemas/error-schema.js';
import { endpoint, open } from '../../../kit/endpoint.js';
import { type Scheme, seeIndex } from '../scheme.js';
import { userCard, userSchema, userSetting, userVariables } from '../user.js';
import { digestCollection } from './collection.js';
import { readOffer } from './read-offer.js';

const settings = {
  /** Who may use Digest, as `name:password`. */
  digestUser: userSetting('auth-digest-user', 'who may use Digest', 'demo:digest-secret'),
};

const userOf = (config: Config) => valuesIn(config, settings).digestUser;

const nonceUses = nonceSpace('auth');

function authenticateByDigest(user: UserCredentials, mac: KeyedMac) {
  const verifier = new DigestVerifier(mac, nonceUses);
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
      const given = await verifier.read(request, singleHeader(request, 'authorization'), offer);
      await verifier.verify(request, reply, { user, offer }, given);
      const { algorithm, qop = 'none' } = given;
      return { authenticated: true, scheme: 'digest', user: user.username, algorithm, qop };
    },
  });
}

export const digestScheme = {
  name: 'digest',
  title: 'Digest',
  settings,
  index: { schema: { digest: userSchema }, read: (config) => ({ digest: userOf(config) }) },
  credentials: (config) => [userCard('Digest', userOf(config))],
  securitySchemes: {
    digest: { type: 'http', scheme: 'digest', description: `RFC 7616. ${seeIndex}` },
  },
  collection: {
    ...digestCollection,
    variables: (config) => userVariables('digest', userOf(config)),
  },
  endpoints: ({ config }, mac) => [authenticateByDigest(userOf(config), mac)],
} satisfies Scheme;

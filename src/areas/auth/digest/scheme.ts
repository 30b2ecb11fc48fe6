import { Type } from 'typebox';
import { valuesIn } from '#config/setting.js';
import type { Config } from '#config/settings.js';
import { anyMethod } from '#http/any-method.js';
import { maxParsedBodyBytes } from '#http/body/request-body.js';
import type { KeyedMac } from '#http/credentials/keyed-mac.js';
import type { UserCredentials } from '#http/credentials/user-credentials.js';
import { digestAlgorithms } from '#http/digest/digest-algorithm.js';
import { nonceSpace } from '#http/digest/nonce.js';
import { DigestVerifier } from '#http/digest/verify-digest.js';
import type { Reply, Request } from '#http/exchange.js';
import { singleHeader } from '#http/headers/header-values.js';
import { jsonContentType } from '#http/http-error.js';
import { errorSchema } from '#http/schemas/error-schema.js';
import { endpoint, openExceptTypos } from '#kit/endpoint.js';
import { countedBody, countedError, isCounted, readCounted, withBodyBytes } from '../count-body.js';
import { type Scheme, seeIndex } from '../scheme.js';
import { userCard, userSchema, userSetting, userVariables } from '../user.js';
import { digestCollection } from './collection.js';
import { type OfferQuery, readOffer } from './read-offer.js';

const settings = {
  /** Credentials for Digest, as `name:password`. */
  digestUser: userSetting('auth-digest-user', 'credentials for Digest', 'demo:digest-secret'),
};

const userOf = (config: Config) => valuesIn(config, settings).digestUser;

const path = '/api/auth/digest';

const nonceUses = nonceSpace('auth');

const flag = (description: string) => Type.Optional(Type.Boolean({ description }));

const query = openExceptTypos({
  algorithm: Type.Optional(
    Type.Array(Type.String(), {
      description: `Algorithms to offer, separated by commas: ${digestAlgorithms.join(', ')}. The default is MD5.`,
    }),
  ),
  qop: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'Qualities of protection to offer: auth, auth-int, both separated by a comma, or none. The default is auth.',
    }),
  ),
  userhash: flag('Whether the challenge allows clients to hash the user name.'),
  nextnonce: flag('Whether a successful response has the next nonce to use.'),
});

const recordFields = {
  authenticated: Type.Boolean(),
  scheme: Type.Literal('digest'),
  user: Type.String(),
  algorithm: Type.String(),
  qop: Type.String({ description: 'none if the challenge had no qop.' }),
  ...countedBody,
  challengeBodyBytes: Type.Optional(
    Type.Integer({
      description: 'Size of the body, in bytes, of the request that got the challenge.',
    }),
  ),
};

type DigestRequest = Request<{ Querystring: OfferQuery & { readonly nextnonce?: boolean } }>;

function authenticateByDigest(user: UserCredentials, mac: KeyedMac) {
  const verifier = new DigestVerifier(mac, nonceUses);
  const authenticate = async (request: DigestRequest, reply: Reply) => {
    const hasCounts = isCounted(request as Request);
    const offer = readOffer(request.query);
    const keepBytes = offer.qops.includes('auth-int') ? maxParsedBodyBytes : 0;
    const body = await readCounted(request, keepBytes);
    try {
      const header = singleHeader(request, 'authorization');
      const given = await verifier.read(request, header, offer, body);
      const verified = await verifier.verify(request, reply, { user, offer, body }, given);
      const { algorithm, qop = 'none' } = given;
      const { challengeBodyBytes } = verified;
      const record = { authenticated: true, scheme: 'digest', user: user.username, algorithm, qop };
      const counts = { bodyBytes: body.size, challengeBodyBytes };
      const text = JSON.stringify({ ...record, ...(hasCounts && counts) });
      verified.prove({
        // A response to HEAD has no body to protect.
        responseBody: qop === 'auth-int' ? (request.method === 'HEAD' ? '' : text) : undefined,
        ...(request.query.nextnonce && {
          nextNonce: await verifier.issueNonce(request, algorithm),
        }),
      });
      return reply.header('content-type', jsonContentType).send(text);
    } catch (error) {
      throw hasCounts ? withBodyBytes(error, body.size) : error;
    }
  };
  return endpoint(anyMethod, path, {
    summary: 'Authenticate with Digest as the demo user',
    description:
      "The first request gets a challenge, and the second sends its credentials. A nonce is valid for 300 seconds, and its count must increase with each use. GET /api/auth shows the user name and the password under digest. Any method works. Responses have the sizes of this request's body and of the challenged request's.",
    security: [{ digest: [] }],
    query,
    responses: {
      200: Type.Object(recordFields),
      401: countedError,
      413: errorSchema,
    },
    responseHeaders: {
      200: {
        'Authentication-Info': Type.Optional(
          Type.String({
            description: 'Proves that the server knows the password, and may have a nextnonce.',
          }),
        ),
      },
    },
    handle: authenticate,
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

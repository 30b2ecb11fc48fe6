/** Authentication with credentials that the path or the caller chooses: Basic, bearer, and Digest (RFC 7616). */

import { Type } from 'typebox';
import { valuesIn } from '#config/setting.js';
import { sentCookies, setCookieHeader } from '#http/cookies/set-cookie.js';
import { basicChallenge, unauthorized } from '#http/credentials/challenge.js';
import { isFault } from '#http/credentials/fault.js';
import { keyedMac } from '#http/credentials/keyed-mac.js';
import { parseAuthorization } from '#http/credentials/parse-authorization.js';
import { parseBasic } from '#http/credentials/parse-basic.js';
import { isSameUser } from '#http/credentials/user-credentials.js';
import type { DigestAlgorithm } from '#http/digest/digest-algorithm.js';
import type { DigestOffer, Qop } from '#http/digest/digest-offer.js';
import { nonceSpace } from '#http/digest/nonce.js';
import { DigestVerifier } from '#http/digest/verify-digest.js';
import type { Reply, Request } from '#http/exchange.js';
import { headerValues, singleHeader } from '#http/headers/header-values.js';
import { HttpError, rejectField } from '#http/http-error.js';
import { failures } from '#http/schemas/error-schema.js';
import { challenge } from '#http/schemas/header-schemas.js';
import { optionalText, text } from '#kit/describe/value-schemas.js';
import { unvalidated } from '#kit/endpoint.js';
import type { Runtime } from '#kit/services.js';
import { httpbinSettings } from './settings.js';
import { ownPath, type Row, spec } from './spec.js';
import { sendJson } from './write-json.js';

const userParams = {
  user: text('The expected user name.'),
  passwd: text('The expected password.'),
};

const authenticated = {
  200: Type.Object({ authenticated: Type.Literal(true), user: Type.String() }),
};

const welcome = (reply: Reply, user: string) => sendJson(reply, { authenticated: true, user });

const basic = { params: userParams, security: [{ pathUser: [] }] };

export const basicAuth = spec({
  summary: 'Authenticate with Basic as the user in the path',
  ...basic,
  responses: authenticated,
  handle(request, reply) {
    const expected = expectedUser(request.params);
    const given = parseBasic(singleHeader(request, 'authorization'));
    if (isFault(given)) throw unauthorized(given.fault, basicChallenge);
    if (isSameUser(given, expected)) return welcome(reply, given.username);
    throw unauthorized('The user name or the password is wrong.', basicChallenge);
  },
});

/** Basic authentication that hides the endpoint from callers without credentials. */
export const hiddenBasicAuth = spec({
  summary: 'Authenticate with Basic, or get 404 without a challenge',
  ...basic,
  responses: { ...authenticated, 401: undefined, ...failures(404) },
  handle(request, reply) {
    const expected = expectedUser(request.params);
    const [value, ...others] = headerValues(request, 'authorization');
    const given = parseBasic(value);
    if (others.length === 0 && !isFault(given) && isSameUser(given, expected)) {
      return welcome(reply, given.username);
    }
    const message =
      'Not found. This path responds only to requests that send the Basic credentials in its URL preemptively.';
    throw new HttpError(404, message);
  },
});

function expectedUser({ user, passwd }: Readonly<Record<'user' | 'passwd', string>>) {
  if (!user.includes(':')) return { username: user, password: passwd };
  throw new HttpError(400, 'The user name in the path contains a colon, which Basic cannot send.');
}

export const bearerAuth = spec({
  summary: 'Authenticate with any bearer token',
  security: [{ anyBearer: [] }],
  responses: {
    200: Type.Object({ authenticated: Type.Literal(true), token: Type.String() }),
  },
  handle(request, reply) {
    const header = singleHeader(request, 'authorization') ?? '';
    const { scheme, credentials } = parseAuthorization(header);
    if (scheme === 'bearer' && credentials !== '') {
      return sendJson(reply, { authenticated: true, token: credentials });
    }
    throw unauthorized('Send Authorization: Bearer followed by any token.', 'Bearer');
  },
});

const nonces = nonceSpace('httpbin');
const algorithms = ['MD5', 'SHA-256', 'SHA-512'] as const satisfies readonly DigestAlgorithm[];
const qops = ['auth', 'auth-int'] as const satisfies readonly Qop[];

/** Required in the second request if the query has `require-cookie`. */
const cookie = { name: 'fake', value: 'fake_value' };
const cookieHeader = { 'Set-Cookie': optionalText('The cookie that require-cookie requires.') };

const path = '/digest-auth/:qop/:user/:passwd';

export async function digestAuth({ config, signingKey: keyOf }: Runtime): Promise<Row[]> {
  const { httpbinKey } = valuesIn(config, httpbinSettings);
  const mac = keyedMac(await keyOf('httpbin', httpbinKey));
  const verifier = new DigestVerifier(mac, nonces);
  const digest = (summary: string) =>
    spec({
      summary,
      description:
        'With require-cookie=true, the cookie set with the challenge is required too. The uri of the credentials is the target as sent.',
      params: {
        qop: text(
          'auth or auth-int; with any other value, the challenge offers both and requires neither.',
        ),
        ...userParams,
        algorithm: optionalText('MD5, SHA-256 or SHA-512; any other value means MD5.'),
        staleAfter: optionalText('How often a nonce may be used, or never for no limit.'),
      },
      security: [{ pathDigest: [] }],
      query: unvalidated({ 'require-cookie': Type.Optional(Type.String()) }),
      responses: { ...authenticated, ...failures(403) },
      responseHeaders: {
        200: {
          ...cookieHeader,
          'Authentication-Info': optionalText(
            'Proves with qop=auth that the server knows the password.',
          ),
        },
        400: cookieHeader,
        401: { ...cookieHeader, ...challenge },
        403: cookieHeader,
      },
      async handle(request, reply) {
        const { params, baseUrl } = request;
        const offer = offerOf(params.qop, params.algorithm);
        const attributes = { path: ownPath(request, ''), secure: baseUrl.startsWith('https:') };
        reply.header('set-cookie', setCookieHeader({ ...cookie, ...attributes }));
        const given = await verifier.read(request, singleHeader(request, 'authorization'), offer);
        checkCookie(request);
        const user = { username: params.user, password: params.passwd };
        const guard = { user, offer, maxUses: maxUsesOf(params.staleAfter) };
        (await verifier.verify(request, reply, guard, given)).prove();
        return welcome(reply, params.user);
      },
    });
  return [
    ['GET', path, digest('Authenticate with Digest as the user in the path')],
    ['GET', `${path}/:algorithm`, digest('Authenticate with Digest and the algorithm in the path')],
    [
      'GET',
      `${path}/:algorithm/:staleAfter`,
      digest('Authenticate with Digest and nonces that go stale'),
    ],
  ];
}

/** Any other qop offers both, and also accepts credentials of RFC 2069. */
function offerOf(qop: string, algorithm: string | undefined): DigestOffer {
  const known = qops.find((each) => each === qop);
  const asked = algorithms.find((each) => each === algorithm?.toUpperCase());
  const offer = { algorithms: [asked ?? 'MD5'] } as const;
  return known ? { ...offer, qops: [known] } : { ...offer, qops, isQopOptional: true };
}

function maxUsesOf(staleAfter = 'never'): number | undefined {
  if (staleAfter.toLowerCase() === 'never') return undefined;
  if (/^[1-9]\d{0,8}$/.test(staleAfter)) return Number(staleAfter);
  const message = 'stale_after must be an integer from 1, the uses of a nonce, or never.';
  return rejectField('staleAfter', message);
}

function checkCookie(request: Request): void {
  const { 'require-cookie': asked } = request.query as { readonly 'require-cookie'?: unknown };
  if (!/^(?:1|t|true)$/i.test(String(asked))) return;
  const sent = sentCookies(headerValues(request, 'cookie'));
  if (sent.some(({ name, value }) => name === cookie.name && value === cookie.value)) return;
  throw new HttpError(403, `The cookie ${cookie.name} from the challenge is missing.`, {
    body: { errors: [{ field: cookie.name, message: 'missing cookie set on challenge' }] },
  });
}

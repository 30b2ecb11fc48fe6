/** Digest authentication (RFC 7616) of the user that the path names, with the qop and algorithm that it names. */

import { Type } from 'typebox';
import { signingKey, valuesIn } from '../../config/setting.js';
import { rejectField } from '../../http/body/header-parameters.js';
import { sentCookies, setCookieHeader } from '../../http/cookies/set-cookie.js';
import { isFault } from '../../http/credentials/fault.js';
import { keyedMac } from '../../http/credentials/keyed-mac.js';
import type { DigestAlgorithm } from '../../http/digest/digest-algorithm.js';
import type { DigestOffer, Qop } from '../../http/digest/digest-offer.js';
import { nonceSpace } from '../../http/digest/nonce.js';
import { parseDigest } from '../../http/digest/parse-digest.js';
import { proveToo } from '../../http/digest/prove-too.js';
import { createVerifier } from '../../http/digest/verify-digest.js';
import type { Fields, Request } from '../../http/exchange.js';
import { headerValues, singleHeader } from '../../http/header-values.js';
import { HttpError } from '../../http/http-error.js';
import type { Services } from '../../kit/area.js';
import { failures } from '../../kit/describe/error-schema.js';
import { challenge } from '../../kit/describe/header-schemas.js';
import { optionalText, text } from '../../kit/describe/value-schemas.js';
import { unvalidated } from '../../kit/endpoint.js';
import { authenticated, userParams, welcome } from './auth.js';
import { ownPath, spec } from './spec.js';

interface DigestParams {
  readonly qop: string;
  readonly user: string;
  readonly passwd: string;
  readonly algorithm?: string;
  readonly staleAfter?: string;
}

export const httpbinSettings = {
  /** Signs nonces; at least 32 bytes, random by default. */
  httpbinKey: signingKey('httpbin-nonce-key', 'key that signs nonces of /httpbin/digest-auth'),
};

const nonces = nonceSpace('httpbin');
const algorithms = ['MD5', 'SHA-256', 'SHA-512'] as const satisfies readonly DigestAlgorithm[];
const qops = ['auth', 'auth-int'] as const satisfies readonly Qop[];

/** What suites with `require-cookie` look for: it must come back. */
const cookie = { name: 'fake', value: 'fake_value' };
const cookieHeader = { 'Set-Cookie': optionalText('What require-cookie asks for.') };

/** The algorithm and the life of nonces, where the path has them. */
export const digestParams = {
  algorithm: text('MD5, SHA-256 or SHA-512; anything else means MD5.'),
  staleAfter: text('How often a nonce may be used, or never.'),
};

/** Makes the function that makes an endpoint with further parameters. */
export async function digestAuth(services: Services) {
  const { httpbinKey } = valuesIn(services.config, httpbinSettings);
  const mac = keyedMac(await services.signingKey('httpbin', httpbinKey));
  const { verify, refusal } = createVerifier(services, mac, nonces);
  return (summary: string, more: Fields = {}) =>
    spec({
      summary,
      description:
        'With require-cookie=true the cookie that came with the challenge must come back as well. The uri of the credentials is the target as it was sent.',
      params: {
        qop: text('auth or auth-int; anything else offers both, and asks for neither.'),
        ...userParams,
        ...more,
      },
      security: [{ pathDigest: [] }],
      query: unvalidated({ 'require-cookie': Type.Optional(Type.String()) }),
      responses: { ...authenticated, ...failures(400, 401, 403) },
      responseHeaders: {
        200: {
          ...cookieHeader,
          'Authentication-Info': optionalText('Proves with qop=auth that we know it, too.'),
        },
        400: cookieHeader,
        401: { ...cookieHeader, ...challenge },
        403: cookieHeader,
      },
      async handle(request, reply) {
        const { sandbox, baseUrl } = request;
        const params = request.params as unknown as DigestParams;
        const offer = offerOf(params);
        const given = parseDigest(singleHeader(request, 'authorization'), offer);
        const attributes = { path: ownPath(request, ''), secure: baseUrl.startsWith('https:') };
        reply.header('set-cookie', setCookieHeader({ ...cookie, ...attributes }));
        if (isFault(given)) throw await refusal(sandbox, offer, given.fault);
        checkCookie(request);
        const user = { username: params.user, password: params.passwd };
        const maxUses = maxUsesOf(params);
        const guard = { user, offer, ...(maxUses !== undefined && { maxUses }) };
        proveToo(reply, await verify(request, sandbox, guard, given));
        return welcome(reply, params.user);
      },
    });
}

/** What is neither `auth` nor `auth-int` offers both, and accepts credentials of RFC 2069 as well. */
function offerOf({ qop, algorithm }: DigestParams): DigestOffer {
  const known = qops.find((each) => each === qop);
  const asked = algorithms.find((each) => each === algorithm?.toUpperCase());
  const offer = { algorithms: [asked ?? 'MD5'] } as const;
  return known ? { ...offer, qops: [known] } : { ...offer, qops, isQopOptional: true };
}

function maxUsesOf({ staleAfter = 'never' }: DigestParams): number | undefined {
  if (staleAfter.toLowerCase() === 'never') return undefined;
  if (/^[1-9]\d{0,8}$/.test(staleAfter)) return Number(staleAfter);
  const message = 'stale_after is how often a nonce may be used, from 1 on, or never.';
  return rejectField('staleAfter', message);
}

function checkCookie(request: Request): void {
  const { 'require-cookie': asked } = request.query as { readonly 'require-cookie'?: unknown };
  if (!/^(?:1|t|true)$/i.test(String(asked))) return;
  const sent = sentCookies(headerValues(request, 'cookie'));
  if (sent.some(({ name, value }) => name === cookie.name && value === cookie.value)) return;
  throw new HttpError(403, `The cookie ${cookie.name}, which the challenge set, is missing.`, {
    body: { errors: [{ field: cookie.name, message: 'missing cookie set on challenge' }] },
  });
}

/** Digest authentication (RFC 7616) of the user that the path names, with the qop and algorithm that it names. */

import { signingKey, valuesIn } from '../../config/setting.js';
import { sentCookies, setCookieHeader } from '../../http/cookies/set-cookie.js';
import { keyedMac } from '../../http/credentials/keyed-mac.js';
import type { DigestAlgorithm } from '../../http/digest/digest-algorithm.js';
import type { DigestOffer, Qop } from '../../http/digest/digest-offer.js';
import { nonceSpace } from '../../http/digest/nonce.js';
import { DigestVerifier } from '../../http/digest/verify-digest.js';
import type { Reply, Request } from '../../http/exchange.js';
import { headerValues, singleHeader } from '../../http/headers/header-values.js';
import { HttpError } from '../../http/http-error.js';
import type { Services } from '../../kit/area.js';
import type { Handler } from './lab.js';
import type { OwnPaths } from './own-paths.js';
import { sendJson } from './send-json.js';

/** Rejects, or tells who is there. */
export type DigestDoor = (request: Request, reply: Reply) => Promise<Reply>;

interface DigestParams {
  readonly qop: string;
  readonly user: string;
  readonly passwd: string;
  readonly algorithm?: string;
  readonly staleAfter?: string;
}

export const digestAuth: Handler = (request, reply, { digest }) => digest(request, reply);

export const httpbinSettings = {
  /** Signs nonces; at least 32 bytes, random by default. */
  httpbinKey: signingKey('httpbin-nonce-key', 'key that signs nonces of /httpbin/digest-auth'),
};

const nonces = nonceSpace('httpbin');
const algorithms = ['MD5', 'SHA-256', 'SHA-512'] as const satisfies readonly DigestAlgorithm[];
const qops = ['auth', 'auth-int'] as const satisfies readonly Qop[];

/** What suites with `require-cookie` look for: it must come back. */
const cookie = { name: 'fake', value: 'fake_value' };

export async function createDigestDoor(services: Services, paths: OwnPaths): Promise<DigestDoor> {
  const { httpbinKey } = valuesIn(services.config, httpbinSettings);
  const mac = keyedMac(await services.signingKey('httpbin', httpbinKey));
  const verifier = new DigestVerifier(mac, nonces);

  return async function enter(request, reply) {
    const params = request.params as DigestParams;
    const offer = offerOf(params);
    const authorization = singleHeader(request, 'authorization');
    const path = paths.path(request, '');
    const secure = paths.isHttps(request);
    reply.header('set-cookie', setCookieHeader({ ...cookie, path, secure }));
    const given = await verifier.read(request, authorization, offer);
    checkCookie(request);
    const user = { username: params.user, password: params.passwd };
    await verifier.verify(request, reply, { user, offer, maxUses: maxUsesOf(params) }, given);
    return sendJson(reply, { authenticated: true, user: params.user });
  };
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
  throw new HttpError(400, message, { body: { errors: [{ field: 'staleAfter', message }] } });
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

/** Verifies Digest credentials (RFC 7616); a rejection has the reason and the next challenge. */

import { normalizeText } from '#base/text/stream-safe.js';
import type { Change, Sandbox, Space } from '#state/state.js';
import { rootUrl, sentTargetOf } from '../address/sandbox-address.js';
import { maxParsedBodyBytes, type RequestBody, readBody } from '../body/request-body.js';
import { realm, unauthorized } from '../credentials/challenge.js';
import { isFault } from '../credentials/fault.js';
import { isSameSecret } from '../credentials/is-same-secret.js';
import type { KeyedMac } from '../credentials/keyed-mac.js';
import { issuedAt, issueTimedToken } from '../credentials/timed-token.js';
import type { UserCredentials } from '../credentials/user-credentials.js';
import type { Reply, Request } from '../exchange.js';
import type { HttpError } from '../http-error.js';
import {
  computeResponse,
  type DigestInput,
  type Proof,
  proveToClient,
} from './compute-response.js';
import {
  type DigestAlgorithm,
  digestAlgorithms,
  digestHash,
  isSession,
} from './digest-algorithm.js';
import { type DigestOffer, formatChallenges } from './digest-offer.js';
import { isSameTarget } from './is-same-target.js';
import {
  type CountOutcome,
  countUse,
  type NonceUse,
  nonceLifetimeMs,
  nonceScope,
} from './nonce.js';
import { type DigestCredentials, parseDigest } from './parse-digest.js';

interface DigestGuard {
  readonly user: UserCredentials;
  readonly offer: DigestOffer;
  /** Maximum number of uses, also without a qop, which otherwise allows one use. */
  readonly maxUses?: number | undefined;
  /** The body, if the caller has read it. */
  readonly body?: RequestBody;
}

/** Proof for the response after successful verification. */
export interface VerifiedDigest {
  /** Body size of the request that got the challenge. */
  readonly challengeBodyBytes: number;
  /** Sets Authentication-Info. */
  readonly prove: (proof?: Proof) => void;
}

/** Parses and verifies credentials, and rejects wrong ones with a fresh nonce. */
export class DigestVerifier {
  readonly #mac: KeyedMac;
  readonly #nonceUses: Space<NonceUse>;
  readonly #opaque: string;

  /** Nonces are stored in `nonceUses`, and recognised by their MAC. */
  constructor(mac: KeyedMac, nonceUses: Space<NonceUse>) {
    this.#mac = mac;
    this.#nonceUses = nonceUses;
    this.#opaque = mac('digest-opaque').subarray(0, 16).toString('hex');
  }

  async read(
    request: Request,
    authorization: string | undefined,
    offer: DigestOffer,
    body?: RequestBody,
  ): Promise<DigestCredentials> {
    const given = parseDigest(authorization, offer);
    if (isFault(given)) throw await this.#rejection({ request, offer, body }, given.fault);
    return given;
  }

  /** Throws 401 unless everything is right. */
  async verify(
    request: Request,
    reply: Reply,
    { user, offer, maxUses, body }: DigestGuard,
    given: DigestCredentials,
  ): Promise<VerifiedDigest> {
    const { sandbox } = request;
    const rejected = { request, offer, body };
    const reject = (message: string) => this.#rejection(rejected, message);
    const rejectAsStale = (why: string) => {
      const message = `${why} Repeat the request with the nonce of this response.`;
      return this.#rejection(rejected, message, true);
    };
    if (given.realm !== realm) throw await reject('The realm differs from the challenge.');
    const issuedAtMs = this.#issuedAt(sandbox, given.algorithm, given.nonce);
    // The opaque of an unknown nonce is lost with it, so it is not a separate fault.
    if (issuedAtMs !== undefined && given.opaque !== this.#opaque) {
      const what = given.opaque === undefined ? 'missing' : 'not the value of the challenge';
      throw await reject(`The opaque is ${what}; send it back unchanged.`);
    }
    const root = rootUrl(request.baseUrl, request.raw);
    if (!isSameTarget(given.uri, sentTargetOf(request.raw), root)) {
      throw await reject(
        'The uri must be the target of this request, with path and query exactly as sent.',
      );
    }
    const use = await sandbox.read(this.#nonceUses, given.nonce);
    const input = await rightInput({ request, body }, user, given, use?.cnonce);
    if (issuedAtMs === undefined) {
      const other = digestAlgorithms.find((each) => this.#issuedAt(sandbox, each, given.nonce));
      if (other !== undefined) {
        const { algorithm } = given;
        throw await reject(
          `This nonce belongs to the ${other} challenge; credentials of ${algorithm} need the nonce of the ${algorithm} challenge.`,
        );
      }
      const message = 'The nonce was not issued in this sandbox since the service started.';
      // With the right password, a client need not ask its user again (RFC 7616 section 3.3).
      throw await (input === undefined ? reject(message) : rejectAsStale(message));
    }
    if (input === undefined) {
      throw await reject(
        `The user name, the password or the response computed from them is wrong${hint(given)}.`,
      );
    }
    const outcome = await sandbox.update(this.#nonceUses, given.nonce, (current, nowMs) =>
      count(current, given, maxUses, issuedAtMs, nowMs),
    );
    if (outcome !== 'counted') {
      throw await rejectAsStale(whyStale(outcome, given, issuedAtMs, await sandbox.now()));
    }
    return {
      challengeBodyBytes: use?.bodyBytes ?? 0,
      prove: (proof) => proveToClient(reply, input, proof),
    };
  }

  /** Returns a nonce for the next request without another challenge. */
  async issueNonce(
    { sandbox }: Request,
    algorithm: DigestAlgorithm,
    bodyBytes = 0,
  ): Promise<string> {
    const nowMs = await sandbox.now();
    const nonce = issueTimedToken(this.#mac, nonceScope(sandbox.name, algorithm), nowMs);
    await sandbox.update(this.#nonceUses, nonce, () => ({
      value: { count: 0, ...(bodyBytes > 0 && { bodyBytes }) },
      expiresAtMs: nowMs + nonceLifetimeMs,
      result: undefined,
    }));
    return nonce;
  }

  #issuedAt(sandbox: Sandbox, algorithm: DigestAlgorithm, nonce: string): number | undefined {
    return issuedAt(this.#mac, nonceScope(sandbox.name, algorithm), nonce);
  }

  async #rejection(
    { request, offer, body }: Rejected,
    message: string,
    isStale = false,
  ): Promise<HttpError> {
    const nonces: string[] = [];
    for (const algorithm of offer.algorithms) {
      nonces.push(await this.issueNonce(request, algorithm, body?.size));
    }
    const values = { nonces, opaque: this.#opaque, isStale };
    return unauthorized(message, formatChallenges(offer, values));
  }
}

interface Rejected {
  readonly request: Request;
  readonly offer: DigestOffer;
  readonly body: RequestBody | undefined;
}

/**
 * Returns the input of the response if user and response are right. A session key is made from the
 * first cnonce of the nonce (RFC 7616 section 3.4.2), but curl and others use the cnonce of each
 * request: both are accepted.
 */
async function rightInput(
  { request, body: alreadyRead }: Pick<Rejected, 'request' | 'body'>,
  { username, password }: UserCredentials,
  given: DigestCredentials,
  sessionCnonce: string | undefined,
): Promise<DigestInput | undefined> {
  const { algorithm } = given;
  const body =
    given.qop === 'auth-int'
      ? (alreadyRead ?? (await readBody(request, maxParsedBodyBytes, maxParsedBodyBytes))).bytes
      : undefined;
  const input: DigestInput = { ...given, username, password, method: request.method, body };
  const inputs = isSession(algorithm) ? [input, { ...input, sessionCnonce }] : [input];
  const name = given.isUsernameHashed ? digestHash(algorithm, `${username}:${realm}`) : username;
  const isUser = isSameSecret(normalizeText(given.username), normalizeText(name));
  const right = inputs.find((each) => isSameSecret(given.response, computeResponse(each)));
  return isUser ? right : undefined;
}

/** Rejects nonces from the future, which were issued before the sandbox's clock was set back. */
function isLive(issuedAtMs: number, nowMs: number): boolean {
  return nowMs >= issuedAtMs && nowMs < issuedAtMs + nonceLifetimeMs;
}

/** Counts a use of a nonce. Without a qop, credentials have no count. */
function count(
  current: NonceUse | undefined,
  { nc, qop, cnonce }: DigestCredentials,
  maxUses: number | undefined,
  issuedAtMs: number,
  nowMs: number,
): Change<NonceUse, CountOutcome | 'worn out'> {
  const use = isLive(issuedAtMs, nowMs) ? current : undefined;
  const next = maxUses === undefined ? 1 : (use?.count ?? 0) + 1;
  const sent = nc !== undefined && qop !== undefined ? Number.parseInt(nc, 16) : next;
  if (use !== undefined && sent > (maxUses ?? sent)) {
    return { value: use, expiresAtMs: issuedAtMs + nonceLifetimeMs, result: 'worn out' };
  }
  return countUse(use, sent, cnonce, issuedAtMs);
}

function whyStale(
  outcome: CountOutcome | 'worn out',
  { qop }: DigestCredentials,
  issuedAtMs: number,
  nowMs: number,
): string {
  if (nowMs < issuedAtMs) {
    return 'The nonce was issued before the clock of this sandbox was set back.';
  }
  if (!isLive(issuedAtMs, nowMs)) {
    return `The nonce is older than ${nonceLifetimeMs / 1000} seconds.`;
  }
  if (outcome === 'worn out') return 'The nonce has reached the number of uses in the path.';
  if (outcome === 'forgotten') return 'The nonce is no longer stored.';
  if (qop === undefined) return 'Without a qop, a nonce can be used only once.';
  return 'The nonce count nc must increase with each request; it was used before or is too low.';
}

function hint({ qop, algorithm }: DigestCredentials): string {
  const parts = [
    `A1 is user:realm:password${isSession(algorithm) ? ' hashed, with nonce and cnonce' : ''}`,
    `A2 is method:uri${qop === 'auth-int' ? ':hash of the body' : ''}`,
  ];
  return ` (${algorithm}, ${parts.join(', ')})`;
}

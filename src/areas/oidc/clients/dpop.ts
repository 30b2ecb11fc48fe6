/**
 * Verifies DPoP proofs of requests: with a nonce of the server, and each only once (RFC 9449 sections 8, 9 and 11.1).
 */

import { hash } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { unixSeconds } from '#base/whole-seconds.js';
import { jose } from '#http/credentials/jose.js';
import { keyOf } from '#http/credentials/secret-text.js';
import { isRecent, issueTimedToken } from '#http/credentials/timed-token.js';
import { headerValues } from '#http/headers/header-values.js';
import { OAuthError } from '#http/oauth/oauth-error.js';
import type { Space } from '#state/state.js';
import { useOnce } from '#state/use-once.js';
import type { Exchange } from '../exchange.js';
import type { paths } from '../messages/paths.js';

export const proofAlgorithms = ['ES256', 'EdDSA', 'PS256', 'RS256'] as const;

/** How old a proof may be, and how far its clock may be ahead. */
const proofLifeSeconds = 300;
const aheadSeconds = 60;

const maxLength = 4096;

/** Used proofs, keyed by key and `jti`, until they expire. */
const usedProofs: Space<true> = { name: 'oidc-proofs', maxKeys: 10_000 };

const nonceMs = 5 * 60 * 1000;

/** A code of RFC 9449 section 12.2, and a sentence without the full stop. */
export class RejectedProof extends OAuthError {
  readonly reason: string;

  constructor(code: string, reason: string) {
    super(code, `${reason}.`);
    this.reason = reason;
  }
}

/** Returns the key of a request's proof, or `undefined` without a proof. Throws {@link RejectedProof}. */
export async function provedKey(
  { request, reply, sandbox, issuer, mac }: Exchange,
  part: keyof typeof paths,
  accessToken?: string,
): Promise<{ readonly jkt: string } | undefined> {
  const [text, ...others] = headerValues(request, 'dpop');
  if (text === undefined) return undefined;
  const nowMs = await sandbox.now();
  const scope = { purpose: 'oidc-dpop-nonce', sandbox: sandbox.name };
  reply.header('dpop-nonce', issueTimedToken(mac, scope, nowMs));
  if (others.length > 0) throw invalid('There is more than one DPoP header');
  const { method } = request;
  const proof = await readProof(text, { method, url: issuer.reached(part), nowMs, accessToken });
  if (typeof proof === 'string') throw invalid(proof);
  const { jkt, jti, iat, nonce } = proof;
  if (!isRecent(mac, scope, nonce, { nowMs, lifeMs: nonceMs })) {
    const what = nonce === undefined ? 'needs a nonce' : 'has a nonce that has expired';
    throw new RejectedProof(
      'use_dpop_nonce',
      `The DPoP proof ${what}: sign one with the nonce in the DPoP-Nonce header`,
    );
  }
  const expiresAtMs = (iat + proofLifeSeconds) * 1000 + 1;
  if (await useOnce(sandbox, usedProofs, keyOf(`${jkt} ${jti}`), expiresAtMs)) return { jkt };
  throw invalid('The jti of the DPoP proof was already used: sign a new proof for each request');
}

function invalid(reason: string): RejectedProof {
  return new RejectedProof('invalid_dpop_proof', reason);
}

export interface ProvedRequest {
  readonly method: string;
  readonly url: string;
  readonly accessToken?: string | undefined;
  readonly nowMs: number;
}

/** Returns the proof, or what is wrong with it, as a sentence without the full stop. Does not check reuse. */
export async function readProof(text: string, request: ProvedRequest) {
  if (text.length > maxLength) return `The DPoP proof has more than ${maxLength} characters`;
  const { calculateJwkThumbprint, EmbeddedJWK, errors, jwtVerify } = await jose();
  try {
    const { payload, protectedHeader } = await jwtVerify(text, EmbeddedJWK, {
      typ: 'dpop+jwt',
      algorithms: [...proofAlgorithms],
      currentDate: new Date(request.nowMs),
      requiredClaims: ['jti', 'htm', 'htu', 'iat'],
    });
    const fault = claimsFault(payload, request);
    if (fault !== undefined) return fault;
    const { jti = '', iat = 0 } = payload;
    const nonce = typeof payload.nonce === 'string' ? payload.nonce : undefined;
    const jkt = await calculateJwkThumbprint(protectedHeader.jwk ?? {});
    return { jkt, jti, iat, nonce };
  } catch (error) {
    if (error instanceof errors.JOSEError) return `The DPoP proof is invalid: ${error.message}`;
    // The key cannot verify any signature.
    if (error instanceof TypeError || error instanceof DOMException) {
      return 'The DPoP proof has a jwk that does not match its alg';
    }
    throw error;
  }
}

function claimsFault(
  { jti, htm, htu, iat = 0, ath }: JWTPayload,
  { method, url, accessToken, nowMs }: ProvedRequest,
): string | undefined {
  if (typeof jti !== 'string' || jti === '') return 'The jti of the DPoP proof must be a string';
  if (htm !== method) return `The htm of the DPoP proof must be ${method}`;
  if (typeof htu !== 'string' || addressOf(htu) !== addressOf(url)) {
    return `The htu of the DPoP proof must be ${url}`;
  }
  const age = nowMs / 1000 - iat;
  if (age > proofLifeSeconds || age < -aheadSeconds) {
    const now = unixSeconds(nowMs);
    return `The iat of the DPoP proof must be at most ${proofLifeSeconds} seconds before ${now}, the server's time, and ${aheadSeconds} after`;
  }
  if (accessToken === undefined || ath === hashOfToken(accessToken)) return undefined;
  return 'The ath of the DPoP proof must be the SHA-256 of the access token in base64url';
}

export function hashOfToken(accessToken: string): string {
  return hash('sha256', accessToken, 'base64url');
}

/** Normalizes a URL, without query and fragment. */
function addressOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { origin, pathname } = new URL(text);
  // Unnecessary percent-encoding and the case of its digits are ignored (RFC 3986 section 6.2.2).
  const path = pathname.replace(/%[\da-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : code.toUpperCase();
  });
  return origin + path;
}

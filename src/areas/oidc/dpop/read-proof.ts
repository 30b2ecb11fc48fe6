/** What a DPoP proof says, once its signature and all that is in it have been checked: RFC 9449 section 4.3. */

import { hash } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { unixSeconds } from '../../../base/whole-seconds.js';
import { jose } from '../../../http/credentials/jose.js';

export const proofAlgorithms = ['ES256', 'EdDSA', 'PS256', 'RS256'] as const;

/** How old a proof may be, and how far its clock may be ahead. */
export const proofLifeSeconds = 300;
const aheadSeconds = 60;

const maxLength = 4096;

interface Proof {
  /** The thumbprint of its key (RFC 7638). */
  readonly jkt: string;
  readonly jti: string;
  readonly iat: number;
  readonly nonce: string | undefined;
}

export interface ProvedRequest {
  readonly method: string;
  /** As clients know it. */
  readonly url: string;
  /** The token that comes with it. */
  readonly accessToken?: string | undefined;
  readonly nowMs: number;
}

/** Returns the proof, or what is wrong with it: a sentence without the full stop. Ignores whether it was used before. */
export async function readProof(text: string, request: ProvedRequest): Promise<Proof | string> {
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
    const { jti = '', iat = 0, nonce } = payload;
    const jkt = await calculateJwkThumbprint(protectedHeader.jwk ?? {});
    return { jkt, jti, iat, nonce: typeof nonce === 'string' ? nonce : undefined };
  } catch (error) {
    if (error instanceof errors.JOSEError) return `The DPoP proof is invalid: ${error.message}`;
    // A key that no signature can be verified by.
    if (error instanceof TypeError || error instanceof DOMException) {
      return 'The DPoP proof has a jwk that does not fit its alg';
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
    return `The iat of the DPoP proof must be at most ${proofLifeSeconds} seconds before ${now}, which it is here, and ${aheadSeconds} after`;
  }
  if (accessToken === undefined || ath === hashOfToken(accessToken)) return undefined;
  return 'The ath of the DPoP proof must be the SHA-256 of the access token in base64url';
}

export function hashOfToken(accessToken: string): string {
  return hash('sha256', accessToken, 'base64url');
}

/** Normalized, without query and fragment. */
function addressOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { origin, pathname } = new URL(text);
  // Percent signs of what needs none, and the case of their digits, make no difference (RFC 3986 section 6.2.2).
  const path = pathname.replace(/%[\da-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : code.toUpperCase();
  });
  return origin + path;
}

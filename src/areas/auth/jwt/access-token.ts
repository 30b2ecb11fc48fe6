/** Access tokens: JWTs (RFC 7519). As RFC 8725 demands, the token's header never chooses the algorithm. */

import { randomUUID } from 'node:crypto';
import type { JWTPayload } from 'jose';
import type { Fault } from '#http/credentials/fault.js';
import { jose } from '#http/credentials/jose.js';
import type { JwtUser } from './users.js';

export const accessTokenSeconds = 900;

/** Claim names that .NET services write and expect. */
export const claimNames = {
  nameIdentifier: 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/nameidentifier',
  role: 'http://schemas.microsoft.com/ws/2008/06/identity/claims/role',
  email: 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
} as const;

const algorithm = 'HS256';

export type SigningKey = Awaited<ReturnType<typeof importKey>>;

export function importKey(bytes: Uint8Array) {
  const use = { name: 'HMAC', hash: 'SHA-256' };
  return crypto.subtle.importKey('raw', new Uint8Array(bytes), use, false, ['sign', 'verify']);
}

/** Signs a token that is valid from `notBeforeSeconds` (Unix time) for {@link accessTokenSeconds}. */
export async function issueAccessToken(
  key: SigningKey,
  user: Pick<JwtUser, 'username' | 'role' | 'email'>,
  baseUrl: string,
  notBeforeSeconds: number,
): Promise<string> {
  const { SignJWT } = await jose();
  return new SignJWT({
    [claimNames.nameIdentifier]: user.username,
    [claimNames.role]: user.role,
    [claimNames.email]: user.email,
    jti: randomUUID(),
    nbf: notBeforeSeconds,
    exp: notBeforeSeconds + accessTokenSeconds,
    iss: baseUrl,
    aud: baseUrl,
  })
    .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
    .sign(key);
}

/**
 * Returns the claims of a token that this service signed for this base URL and that is valid now. Does not check that
 * the user still exists. Allows no clock skew: the issuer and the verifier are the same server.
 */
export async function verifyAccessToken(
  key: SigningKey,
  token: string,
  baseUrl: string,
  nowMs: number,
): Promise<JWTPayload | Fault> {
  const library = await jose();
  try {
    const { payload } = await library.jwtVerify(token, key, {
      algorithms: [algorithm],
      issuer: baseUrl,
      audience: baseUrl,
      requiredClaims: ['jti', 'nbf', 'exp'],
      currentDate: new Date(nowMs),
      clockTolerance: 0,
    });
    return isCanonical(token.slice(token.lastIndexOf('.') + 1))
      ? payload
      : { fault: invalidSignature };
  } catch (error) {
    const fault = faultOf(error, token, baseUrl, library);
    if (fault === undefined) throw error;
    return { fault };
  }
}

/**
 * Whether no other base64url text decodes to the same bytes (RFC 4648 section 3.5). Decoding drops bits of a
 * signature's last character, so that a changed character could otherwise pass.
 */
function isCanonical(base64url: string): boolean {
  return Buffer.from(base64url, 'base64url').toString('base64url') === base64url;
}

const invalidSignature =
  'The signature is invalid: the token was changed, or signed with another key';

function faultOf(
  error: unknown,
  token: string,
  baseUrl: string,
  { decodeProtectedHeader, errors }: Awaited<ReturnType<typeof jose>>,
): string | undefined {
  if (error instanceof errors.JWTExpired) {
    return `The token expired at '${isoTime(error.payload.exp)}'`;
  }
  if (error instanceof errors.JWTClaimValidationFailed) {
    return claimFault(error.claim, error.payload, baseUrl);
  }
  if (error instanceof errors.JWSSignatureVerificationFailed) return invalidSignature;
  if (error instanceof errors.JOSEAlgNotAllowed) {
    const { alg = '' } = decodeProtectedHeader(token);
    return `The token's algorithm is '${alg.slice(0, 40)}'; only ${algorithm} is accepted`;
  }
  if (error instanceof errors.JOSENotSupported) {
    return "The token's header requires an extension (crit) that is not supported";
  }
  if (error instanceof errors.JOSEError) {
    return 'The token is not a JWT: JSON header, JSON payload and signature, each in base64url, joined by dots';
  }
  return undefined;
}

function claimFault(claim: string, payload: JWTPayload, baseUrl: string): string {
  const value = payload[claim];
  if (value === undefined) return `The token has no claim ${claim}`;
  if (claim === 'nbf' && typeof value === 'number') {
    return `The token is not valid before '${isoTime(value)}'`;
  }
  if (claim === 'iss') return `The token was issued by '${value}', but this is '${baseUrl}'`;
  if (claim === 'aud') return `The token is meant for '${value}', but this is '${baseUrl}'`;
  return `The token's claim ${claim} is malformed`;
}

/** Accepts any number, since a signed time may be beyond the range of dates. */
function isoTime(seconds: number | undefined): string {
  const date = new Date((seconds ?? Number.NaN) * 1000);
  return Number.isNaN(date.getTime()) ? String(seconds) : date.toISOString();
}

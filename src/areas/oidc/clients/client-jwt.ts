/** Verifies a JWT that a client signed, with its registered keys or with its secret (RFC 7515). */

import type { JWTPayload, JWTVerifyOptions } from 'jose';
import { jose } from '#http/credentials/jose.js';
import { keyOf } from '#http/credentials/secret-text.js';
import type { Sandbox, Space } from '#state/state.js';
import { useOnce } from '#state/use-once.js';
import type { Client } from '../model/client.js';

export const secretAlgorithms = ['HS256', 'HS384', 'HS512'] as const;
export const keyAlgorithms = ['RS256', 'PS256', 'ES256', 'EdDSA'] as const;

/** A JWT must be remembered until it expires, so its lifetime is limited. */
const maxLifeSeconds = 3600;

const usedAssertions: Space<true> = { name: 'oidc-assertions', maxKeys: 10_000 };

/** Returns its claims, or what is wrong with it, as a clause. A client with keys cannot use its secret. */
export async function verifyClientJwt(
  jwt: string,
  { clientId: issuer, jwks, secret }: Pick<Client, 'clientId' | 'jwks' | 'secret'>,
  nowMs: number,
  more: JWTVerifyOptions,
): Promise<JWTPayload | string> {
  const { createLocalJWKSet, errors, jwtVerify } = await jose();
  const options = { issuer, currentDate: new Date(nowMs), ...more };
  try {
    if (jwks === undefined && secret === undefined) {
      return 'the client has neither keys nor a secret to sign with';
    }
    const { payload } =
      jwks === undefined
        ? await jwtVerify(jwt, new TextEncoder().encode(secret), {
            ...options,
            algorithms: [...secretAlgorithms],
          })
        : await jwtVerify(jwt, createLocalJWKSet({ keys: [...jwks.keys] }), {
            ...options,
            algorithms: [...keyAlgorithms],
          });
    if ((payload.exp ?? 0) * 1000 <= nowMs + maxLifeSeconds * 1000) return payload;
    return `its exp is more than ${maxLifeSeconds} seconds ahead`;
  } catch (error) {
    if (error instanceof errors.JOSEError) return error.message;
    // The key does not match the algorithm.
    if (error instanceof TypeError) return 'its alg does not match the key';
    throw error;
  }
}

/** Whether the JWT was not used before. Marks it as used. */
export async function isFirstUse(sandbox: Sandbox, clientId: string, claims: JWTPayload) {
  const { jti = '', exp = 0 } = claims;
  return useOnce(sandbox, usedAssertions, keyOf(JSON.stringify([clientId, jti])), exp * 1000);
}

/** Returns a claim that names the subject, before verification. */
export async function unverifiedClaim(jwt: string, name: 'iss' | 'sub') {
  const { decodeJwt } = await jose();
  try {
    const { [name]: value } = decodeJwt(jwt);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A JWT that a client signed, with its registered keys or with its secret (RFC 7515). */

import type { JWTPayload, JWTVerifyOptions } from 'jose';
import { jose } from '../../../http/credentials/jose.js';
import type { Client } from './client.js';

export const secretAlgorithms = ['HS256', 'HS384', 'HS512'] as const;
export const keyAlgorithms = ['RS256', 'PS256', 'ES256', 'EdDSA'] as const;

/** Its claims, or what is wrong with it: half a sentence. With keys, a secret does not count. */
export async function verifyClientJwt(
  jwt: string,
  { jwks, secret }: Pick<Client, 'jwks' | 'secret'>,
  options: JWTVerifyOptions,
): Promise<JWTPayload | string> {
  const { createLocalJWKSet, errors, jwtVerify } = await jose();
  try {
    if (jwks !== undefined) {
      const keys = createLocalJWKSet({ keys: [...jwks.keys] });
      return (await jwtVerify(jwt, keys, { ...options, algorithms: [...keyAlgorithms] })).payload;
    }
    if (secret === undefined) return 'the client has neither keys nor a secret to sign it by';
    const key = new TextEncoder().encode(secret);
    return (await jwtVerify(jwt, key, { ...options, algorithms: [...secretAlgorithms] })).payload;
  } catch (error) {
    if (error instanceof errors.JOSEError) return error.message;
    // A key that does not fit the algorithm.
    if (error instanceof TypeError) return 'its alg does not fit the key';
    throw error;
  }
}

/** A claim that says who it is about, before anything is verified. */
export async function unverifiedClaim(
  jwt: string,
  name: 'iss' | 'sub',
): Promise<string | undefined> {
  const { decodeJwt } = await jose();
  try {
    const { [name]: value } = decodeJwt(jwt);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

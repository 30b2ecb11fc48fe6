/** A key of a client, and the proofs that it signs (RFC 9449). */

import { createHash, generateKeyPairSync, randomUUID } from 'node:crypto';
import { calculateJwkThumbprint, SignJWT } from 'jose';

export function dpopKey() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = publicKey.export({ format: 'jwk' });
  return {
    thumbprint: () => calculateJwkThumbprint(jwk),
    /** `target` is "METHOD URL"; undefined members of `claims` are omitted. */
    proof(target: string, claims: object = {}, accessToken?: string): Promise<string> {
      const [htm = '', htu = ''] = target.split(' ');
      const ath =
        accessToken && createHash('sha256').update(accessToken).digest().toString('base64url');
      const iat = Math.floor(Date.now() / 1000);
      const payload = { jti: randomUUID(), htm, htu, iat, ...(ath && { ath }), ...claims };
      return new SignJWT(payload)
        .setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk })
        .sign(privateKey);
    },
  };
}

/** Tokens that logins issue: JWT with HS256, by the clock of the sandbox. */

import type { JWTPayload } from 'jose';
import { jose } from '#http/credentials/jose.js';
import type { Call } from './call.js';

const keyOf = ({ services }: Call) => services.runtime.signingKey('practice-apis', undefined);

/** Without `seconds`, the token never expires. */
export async function issueToken(
  call: Call,
  claims: JWTPayload,
  seconds?: number,
): Promise<string> {
  const { SignJWT } = await jose();
  const issuedAt = Math.floor((await call.now()) / 1000);
  const token = new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuedAt(issuedAt);
  if (seconds !== undefined) token.setExpirationTime(issuedAt + seconds);
  return token.sign(await keyOf(call));
}

type TokenFault = 'expired' | 'malformed' | 'forged';

export async function readToken(call: Call, token: string): Promise<JWTPayload | TokenFault> {
  const { jwtVerify, errors } = await jose();
  try {
    const currentDate = new Date(await call.now());
    const { payload } = await jwtVerify(token, await keyOf(call), {
      algorithms: ['HS256'],
      currentDate,
    });
    return payload;
  } catch (error) {
    if (error instanceof errors.JWTExpired) return 'expired';
    return error instanceof errors.JWSSignatureVerificationFailed ? 'forged' : 'malformed';
  }
}

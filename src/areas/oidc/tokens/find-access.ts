/** Finds what an access token stands for: of a JWT after its signature, and of each in the state. */

import { jose } from '../../../http/credentials/jose.js';
import { keyOf } from '../../../http/credentials/secret-text.js';
import type { Signing } from '../exchange.js';
import { signingAlgorithms } from '../keys/key-ring.js';
import { targetsOf } from '../resource/targets.js';
import { type AccessRecord, accessTokens, type Grant, grants } from '../token/grants.js';

export interface FoundAccess {
  readonly record: AccessRecord;
  readonly grant: Grant;
  /** The key that the state has it under. */
  readonly key: string;
}

/** Returns the token, or why it does not count: a sentence without the full stop. */
export async function findAccess(signing: Signing, token: string): Promise<FoundAccess | string> {
  const { sandbox } = signing;
  const id = token.includes('.') ? await idOfJwt(signing, token) : { id: token };
  if (typeof id === 'string') return id;
  const key = keyOf(id.id);
  const record = await sandbox.read(accessTokens, key);
  if (record === undefined) {
    return 'The token is not one that this issuer gave out lately, has expired, or was revoked';
  }
  const grant = await sandbox.read(grants, record.grantId);
  return grant === undefined ? 'The token was revoked' : { record, grant, key };
}

async function idOfJwt(
  { keys, sandbox, issuer }: Signing,
  token: string,
): Promise<{ readonly id: string } | string> {
  try {
    const { jti } = await keys.verify(sandbox, token, {
      issuer: issuer.url,
      audience: [...targetsOf(issuer)],
      typ: 'at+jwt',
      algorithms: [...signingAlgorithms],
      requiredClaims: ['jti', 'exp'],
    });
    return { id: String(jti) };
  } catch (error) {
    const { errors } = await jose();
    if (error instanceof errors.JWTExpired) {
      const { exp = 0 } = error.payload;
      return `The token expired at '${new Date(exp * 1000).toISOString()}'`;
    }
    if (error instanceof errors.JOSEError) return `The token is invalid: ${error.message}`;
    throw error;
  }
}

/** Finds what an access token stands for: of a JWT after its signature, and of each in the state. */

import type { errors } from 'jose';
import { keyOf } from '../../../http/credentials/secret-text.js';
import type { Signing } from '../exchange.js';
import { targetsOf } from '../scopes.js';
import { type AccessRecord, accessTokens, type Grant, grants } from '../token/grants.js';

export interface FoundAccess {
  readonly record: AccessRecord;
  readonly grant: Grant;
  readonly key: string;
}

/** Returns the token, or why it does not count: a sentence without the full stop. */
export async function findAccess(signing: Signing, token: string): Promise<FoundAccess | string> {
  const { sandbox } = signing;
  const id = token.includes('.') ? await idOfJwt(signing, token) : { jti: token };
  if (typeof id === 'string') return id;
  const key = keyOf(String(id.jti));
  const record = await sandbox.read(accessTokens, key);
  if (record === undefined) {
    return 'The token is not one that this issuer gave out lately, has expired, or was revoked';
  }
  const grant = await sandbox.read(grants, record.grantId);
  return grant === undefined ? 'The token was revoked' : { record, grant, key };
}

async function idOfJwt({ keys, sandbox, issuer }: Signing, token: string) {
  const claims = await keys.verify(sandbox, token, {
    issuer: issuer.url,
    audience: [...targetsOf(issuer)],
    typ: 'at+jwt',
    requiredClaims: ['jti', 'exp'],
  });
  if (!(claims instanceof Error)) return claims;
  if (claims.code !== 'ERR_JWT_EXPIRED') return `The token is invalid: ${claims.message}`;
  const { exp = 0 } = (claims as errors.JWTExpired).payload;
  return `The token expired at '${new Date(exp * 1000).toISOString()}'`;
}

/** What tokens say: JWT access tokens (RFC 9068 section 2.2) and ID tokens (OpenID Connect Core section 2). */

import { hash } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { unixSeconds } from '../../../base/whole-seconds.js';
import type { Sandbox } from '../../../state/state.js';
import type { Client } from '../clients/client.js';
import type { Issuer } from '../issuer.js';
import type { IssuerKeys } from '../keys/issuer-keys.js';
import type { SigningAlgorithm } from '../keys/key-ring.js';
import { signIdToken } from '../misbehaviour/spoil-id-token.js';
import { settingsOf } from '../settings/issuer-settings.js';
import { claimsOf } from '../users/claims-of.js';
import type { User } from '../users/ready-users.js';
import type { Issued } from './redeem.js';

export interface Signing {
  readonly keys: IssuerKeys;
  readonly sandbox: Sandbox;
  readonly issuer: Issuer;
}

/** The access token as the client gets it: itself, or a JWT that has it as `jti`. */
export async function writeAccessToken(
  { keys, sandbox, issuer }: Signing,
  client: Client,
  { grant, scopes, access, cnf, act, targets = [], expiresAtMs, isJwt, nowMs }: Issued,
): Promise<string> {
  if (client.accessToken === 'opaque' && !isJwt) return access;
  const { authTimeMs, acr, amr } = grant;
  const { lifetimes } = await settingsOf(sandbox);
  const iat = unixSeconds(nowMs);
  const claims: JWTPayload = {
    iss: issuer.url,
    sub: grant.sub,
    aud: targets.length > 1 ? [...targets] : (targets[0] ?? issuer.resource),
    client_id: grant.clientId,
    scope: scopes.join(' '),
    iat,
    exp: expiresAtMs === undefined ? iat + lifetimes.access : unixSeconds(expiresAtMs),
    jti: access,
    ...(cnf !== undefined && { cnf }),
    ...(act !== undefined && { act }),
    ...(authTimeMs !== undefined && { auth_time: unixSeconds(authTimeMs), acr, amr }),
  };
  return keys.sign(sandbox, claims, { typ: 'at+jwt' });
}

/** `nonce` is that of the request, which a refresh has none of (OpenID Connect Core section 12.2). */
export async function writeIdToken(
  { keys, sandbox, issuer }: Signing,
  client: Client,
  { grant, nowMs, conduct }: Issued,
  { user, accessToken, nonce }: { user: User; accessToken: string; nonce: string | undefined },
): Promise<string> {
  const iat = unixSeconds(nowMs);
  const { idTokenAlg: alg } = client;
  const { lifetimes } = await settingsOf(sandbox);
  const claims: JWTPayload = {
    ...claimsOf(user, [], grant.idTokenClaims),
    iss: issuer.url,
    sub: grant.sub,
    aud: client.clientId,
    iat,
    exp: iat + lifetimes.id,
    auth_time: unixSeconds(grant.authTimeMs ?? nowMs),
    acr: grant.acr,
    amr: grant.amr,
    sid: grant.sid,
    at_hash: tokenHash(alg, accessToken),
    ...(nonce !== undefined && { nonce }),
  };
  return signIdToken(keys, sandbox, claims, { alg, misbehaviour: conduct?.misbehaviour });
}

/** The left half of the hash of the signature's algorithm (section 3.1.3.6); Ed25519 has SHA-512. */
export function tokenHash(alg: SigningAlgorithm, token: string): string {
  const digest = hash(alg === 'EdDSA' ? 'sha512' : 'sha256', token, 'buffer');
  return digest.subarray(0, digest.length / 2).toString('base64url');
}

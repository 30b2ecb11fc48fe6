/** A JWT by which a client authenticates: RFC 7523 section 3, with the client's secret or its registered keys. */

import type { JWTPayload } from 'jose';
import type { Form } from '../../../http/credentials/oauth-form.js';
import type { Sandbox, Space } from '../../../state/state.js';
import type { Issuer } from '../issuer.js';
import { oauthError } from '../oauth-error.js';
import { keyOf } from '../random-text.js';
import type { Client } from './client.js';
import { unverifiedClaim, verifyClientJwt } from './client-jwt.js';
import { findClient } from './find-client.js';

export const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** Assertions that were used, until they expire. */
const usedAssertions: Space<true> = { name: 'oidc-assertions', maxKeys: 10_000 };

/** One that lives longer would have to be remembered for as long. */
export const maxLifeSeconds = 3600;

export async function verifyAssertion(
  form: Form,
  sandbox: Sandbox,
  issuer: Issuer,
): Promise<Client> {
  if (form.get('client_assertion_type') !== assertionType) {
    throw oauthError('invalid_request', `The client_assertion_type must be ${assertionType}.`);
  }
  const assertion = form.get('client_assertion') ?? '';
  const clientId = await unverifiedClaim(assertion, 'sub');
  if (clientId === undefined) throw rejected('it is no JWT with a sub');
  const named = form.get('client_id');
  if (named !== undefined && named !== clientId) {
    throw oauthError(
      'invalid_request',
      'The client_id in the form is not the sub of the assertion.',
    );
  }
  const client = await findClient(sandbox, clientId);
  if (client === undefined) throw rejected('its sub is no client');
  const nowMs = await sandbox.now();
  const { exp = 0, jti = '' } = await verify(assertion, client, issuer, nowMs);
  if (exp * 1000 > nowMs + maxLifeSeconds * 1000) {
    throw rejected(`its exp is more than ${maxLifeSeconds} seconds ahead`);
  }
  if (!(await isFirstUse(sandbox, clientId, { jti, exp })))
    throw rejected('its jti was used before');
  return client;
}

/** Whether the assertion was not used before; it is from now on. */
export async function isFirstUse(
  sandbox: Sandbox,
  clientId: string,
  { jti = '', exp = 0 }: JWTPayload,
): Promise<boolean> {
  return sandbox.update(usedAssertions, keyOf(`${clientId} ${jti}`), (used: true | undefined) => ({
    value: true as const,
    expiresAtMs: exp * 1000,
    result: !used,
  }));
}

async function verify(
  assertion: string,
  { clientId, secret, jwks, authMethods }: Client,
  issuer: Issuer,
  nowMs: number,
): Promise<JWTPayload> {
  const signs = {
    ...(authMethods.includes('private_key_jwt') && jwks !== undefined && { jwks }),
    ...(authMethods.includes('client_secret_jwt') && secret !== undefined && { secret }),
  };
  if (Object.keys(signs).length === 0) {
    throw oauthError('invalid_client', `This client authenticates by ${authMethods.join(' or ')}.`);
  }
  const verified = await verifyClientJwt(assertion, signs, {
    issuer: clientId,
    subject: clientId,
    audience: [issuer.url, issuer.at('token'), issuer.at('par')],
    currentDate: new Date(nowMs),
    requiredClaims: ['exp', 'jti'],
  });
  if (typeof verified === 'string') throw rejected(verified);
  return verified;
}

function rejected(reason: string) {
  return oauthError('invalid_client', `The client_assertion is invalid: ${reason}.`);
}

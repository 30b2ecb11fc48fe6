/** A JWT by which a client authenticates: RFC 7523 section 3, with the client's secret or its registered keys. */

import { createLocalJWKSet, decodeJwt, errors, type JWTPayload, jwtVerify } from 'jose';
import type { Form } from '../../../http/oauth-form.js';
import type { Sandbox, Space } from '../../../state/state.js';
import type { Issuer } from '../issuer.js';
import { oauthError } from '../oauth-error.js';
import { keyOf } from '../random-text.js';
import type { Client } from './client.js';
import { findClient } from './find-client.js';

export const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

export const secretAlgorithms = ['HS256', 'HS384', 'HS512'] as const;
export const keyAlgorithms = ['RS256', 'PS256', 'ES256', 'EdDSA'] as const;

/** Assertions that were used, until they expire. */
const usedAssertions: Space<true> = { name: 'oidc-assertions', maxKeys: 10_000 };

/** One that lives longer would have to be remembered for as long. */
const maxLifeSeconds = 3600;

export async function verifyAssertion(
  form: Form,
  sandbox: Sandbox,
  issuer: Issuer,
): Promise<Client> {
  if (form.get('client_assertion_type') !== assertionType) {
    throw oauthError('invalid_request', `The client_assertion_type must be ${assertionType}.`);
  }
  const assertion = form.get('client_assertion') ?? '';
  const clientId = subjectOf(assertion);
  const named = form.get('client_id');
  if (named !== undefined && named !== clientId) {
    throw oauthError(
      'invalid_request',
      'The client_id in the form is not the sub of the assertion.',
    );
  }
  const client = await findClient(sandbox, clientId);
  if (client === undefined) throw refused('its sub is no client');
  const nowMs = await sandbox.now();
  const { exp = 0, jti = '' } = await verify(assertion, client, issuer, nowMs);
  if (exp * 1000 > nowMs + maxLifeSeconds * 1000) {
    throw refused(`its exp is more than ${maxLifeSeconds} seconds ahead`);
  }
  const isNew = await sandbox.update(
    usedAssertions,
    keyOf(`${clientId} ${jti}`),
    (used: true | undefined) => ({ value: true as const, expiresAtMs: exp * 1000, result: !used }),
  );
  if (!isNew) throw refused('its jti was used before');
  return client;
}

function subjectOf(assertion: string): string {
  try {
    const { sub } = decodeJwt(assertion);
    if (typeof sub === 'string') return sub;
  } catch {}
  throw refused('it is no JWT with a sub');
}

async function verify(
  assertion: string,
  client: Client,
  issuer: Issuer,
  nowMs: number,
): Promise<JWTPayload> {
  const options = {
    issuer: client.clientId,
    subject: client.clientId,
    audience: [issuer.url, issuer.at('token')],
    currentDate: new Date(nowMs),
    requiredClaims: ['exp', 'jti'],
  };
  const { secret, jwks, authMethods } = client;
  try {
    if (authMethods.includes('private_key_jwt') && jwks !== undefined) {
      const keys = createLocalJWKSet({ keys: [...jwks.keys] });
      const algorithms = [...keyAlgorithms];
      return (await jwtVerify(assertion, keys, { ...options, algorithms })).payload;
    }
    if (authMethods.includes('client_secret_jwt') && secret !== undefined) {
      const algorithms = [...secretAlgorithms];
      const key = new TextEncoder().encode(secret);
      return (await jwtVerify(assertion, key, { ...options, algorithms })).payload;
    }
  } catch (error) {
    if (error instanceof errors.JOSEError) throw refused(error.message);
    // A key that does not fit the algorithm.
    if (error instanceof TypeError) throw refused('its alg does not fit the key');
    throw error;
  }
  throw oauthError('invalid_client', `This client authenticates by ${authMethods.join(' or ')}.`);
}

function refused(reason: string) {
  return oauthError('invalid_client', `The client_assertion does not count: ${reason}.`);
}

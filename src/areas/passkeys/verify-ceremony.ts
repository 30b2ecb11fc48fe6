/**
 * The cryptography of WebAuthn (Level 3, sections 7.1 and 7.2), by @simplewebauthn/server. Loaded when the
 * first ceremony ends: with its parsers of certificates it is large.
 */

import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { HttpError } from '../../http/http-error.js';
import type { Passkey } from './passkey.js';

/** EdDSA, ES256, RS256. */
export const algorithms = [-8, -7, -257];

const maxIdBytes = 1023;
/** An RSA key of 4096 bits has half of it. */
const maxKeyBytes = 1024;

interface Expected {
  readonly challenge: string;
  readonly origin: string;
  readonly rpId: string;
}

/** The challenge that a browser says it signed; empty where it says nothing sensible. */
export function challengeIn(clientDataJSON: string): string {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'));
    return typeof challenge === 'string' ? challenge : '';
  } catch {
    return '';
  }
}

export async function verifyRegistration(
  response: RegistrationResponseJSON,
  { challenge, origin, rpId }: Expected,
): Promise<Pick<Passkey, 'id' | 'publicKey' | 'counter'>> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  return telling(400, 'The registration is rejected', async () => {
    await checkAttestation(response.response.attestationObject);
    const { registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: false,
      supportedAlgorithmIDs: algorithms,
    });
    if (registrationInfo === undefined) throw new Error('the attestation is not right');
    const { id, publicKey, counter } = registrationInfo.credential;
    if (id !== response.id) throw new Error('id is not that of the attestation');
    if (Buffer.from(id, 'base64url').length > maxIdBytes) throw new Error('the id is too long');
    if (publicKey.length > maxKeyBytes) throw new Error('the public key is too long');
    return { id, publicKey: Buffer.from(publicKey).toString('base64url'), counter };
  });
}

/**
 * Certificates are not looked at: their makers' lists of revoked ones would have to be fetched, and this service
 * calls nobody. The options ask for no attestation, so browsers send none, or one by the new key itself.
 */
async function checkAttestation(attestationObject: string): Promise<void> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  const decoded = decodeAttestationObject(
    new Uint8Array(Buffer.from(attestationObject, 'base64url')),
  );
  const format = decoded.get('fmt');
  const isOwn = format === 'packed' && decoded.get('attStmt').get('x5c') === undefined;
  if (format === 'none' || isOwn) return;
  throw new Error('its attestation is neither none nor packed by the key itself');
}

/** Returns the counter that came along, which has been compared with that of the passkey. */
export async function verifyLogin(
  response: AuthenticationResponseJSON,
  { challenge, origin, rpId }: Expected,
  { id, publicKey, counter }: Passkey,
): Promise<number> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  return telling(401, 'The login is rejected', async () => {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: false,
      credential: { id, counter, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')) },
    });
    if (!verified) throw new Error('the signature is not by the key of this passkey');
    return authenticationInfo.newCounter;
  });
}

/** What the library throws says what is wrong with what was sent, with parts of it. */
async function telling<Result>(
  status: 400 | 401,
  what: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const why = String((error as Error).message)
      .replace(/[^\x20-\x7e]/g, '?')
      .slice(0, 200);
    throw new HttpError(status, `${what}: ${why}`, {
      headers: status === 401 ? { 'www-authenticate': passkeyChallenge } : {},
    });
  }
}

/** No scheme is registered for passkeys; a 401 needs a challenge all the same. */
export const passkeyChallenge = 'Passkey realm="Practice API"';

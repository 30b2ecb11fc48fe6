/** Registration of passkeys: WebAuthn Level 3, section 7.1. */

import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { Type } from 'typebox';
import { gotValue } from '#base/text/got-value.js';
import { keyOf } from '#http/credentials/secret-text.js';
import { HttpError } from '#http/http-error.js';
import { failures } from '#http/schemas/error-schema.js';
import { endpoint } from '#kit/endpoint.js';
import {
  begin,
  ceremonyMs,
  credential,
  encoded,
  end,
  explaining,
  optionsSchema,
  username,
  verifiedSchema,
} from './ceremony.js';
import { checkAuthenticatorData, checkClientData, ProofFault } from './check-proof.js';
import { type Passkey, passkeys, userHandle } from './passkey.js';
import { path } from './path.js';

/** EdDSA, ES256, RS256. */
const algorithms = [-8, -7, -257];

const transports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'];

export const registerOptions = endpoint('POST', `${path}/register/options`, {
  summary: 'Get the options to create a passkey',
  description:
    'Pass the response to PublicKeyCredential.parseCreationOptionsFromJSON. The challenge can be used once, within five minutes.',
  body: Type.Object({ username }),
  responses: { 200: optionsSchema },
  async handle(request) {
    const { username: name } = request.body;
    const { rpId, challenge, listed } = await begin(request, { kind: 'register', username: name });
    return {
      challenge,
      rp: { id: rpId, name: 'Practice API' },
      user: { id: userHandle(request.sandbox.name, name), name, displayName: name },
      pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
      timeout: ceremonyMs,
      excludeCredentials: listed,
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
      attestation: 'none',
    };
  },
});

export const verifyRegistration = endpoint('POST', `${path}/register/verify`, {
  summary: 'Store a passkey that a browser has created',
  description: 'The toJSON() of the credential from navigator.credentials.create().',
  body: Type.Unsafe<RegistrationResponseJSON>(credential({ attestationObject: encoded(16_000) })),
  responses: { 201: verifiedSchema, ...failures(409) },
  async handle(request, reply) {
    const { body } = request;
    const { username: name = '', expected } = await end(request, 'register', body.response);
    const created = await verify(body, expected);
    const sent: unknown = body.response.transports;
    await request.sandbox.update(
      passkeys,
      keyOf(created.id),
      (known: Passkey | undefined, nowMs) => {
        if (known !== undefined) throw new HttpError(409, 'This passkey is already registered.');
        const kept = transports.filter((each) => Array.isArray(sent) && sent.includes(each));
        const value = { ...created, username: name, transports: kept, createdAtMs: nowMs };
        return { value, result: undefined };
      },
    );
    const { id, counter } = created;
    return reply.code(201).send({ verified: true, username: name, id, counter });
  },
});

const maxIdBytes = 1023;
/** Twice the size of an RSA key of 4096 bits. */
const maxKeyBytes = 1024;

async function verify(
  response: RegistrationResponseJSON,
  expected: Awaited<ReturnType<typeof end>>['expected'],
): Promise<Pick<Passkey, 'id' | 'publicKey' | 'counter' | 'isBackupEligible'>> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const reject = (why: string) => new HttpError(400, `The registration is rejected: ${why}.`);
  return explaining(reject, async () => {
    if (response.rawId !== response.id) throw new ProofFault('rawId differs from id');
    const { clientDataJSON, attestationObject } = response.response;
    checkClientData(clientDataJSON, { kind: 'register', origin: expected.expectedOrigin });
    const data = await authenticatorDataIn(attestationObject);
    const isBackupEligible = checkAuthenticatorData(data, expected.expectedRPID);
    await checkAlgorithm(data);
    const { registrationInfo } = await verifyRegistrationResponse({
      response,
      ...expected,
      supportedAlgorithmIDs: algorithms,
    });
    if (registrationInfo === undefined) throw new ProofFault('the attestation is invalid');
    const { id, publicKey, counter } = registrationInfo.credential;
    if (id !== response.id) throw new ProofFault('id differs from the id in the attestation');
    if (Buffer.from(id, 'base64url').length > maxIdBytes)
      throw new ProofFault('the id is too long');
    if (publicKey.length > maxKeyBytes) throw new ProofFault('the public key is too long');
    const encodedKey = Buffer.from(publicKey).toString('base64url');
    return { id, publicKey: encodedKey, counter, isBackupEligible };
  });
}

/**
 * Returns the authenticator's data. Rejects attestations with certificates: their revocation lists would have to be fetched, and this service calls no
 * other servers. The options request no attestation, so browsers send none, or one signed by the new key itself.
 */
async function authenticatorDataIn(attestationObject: string): Promise<Uint8Array> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  const bytes = new Uint8Array(Buffer.from(attestationObject, 'base64url'));
  const decoded = decodeAttestationObject(bytes);
  const format = decoded.get('fmt');
  const statement = decoded.get('attStmt');
  if (format === 'none' && statement.size > 0) {
    throw new ProofFault('its attestation is none, and must not have a statement');
  }
  const isOwn = format === 'packed' && statement.get('x5c') === undefined;
  if (format === 'none' || isOwn) return decoded.get('authData');
  throw new ProofFault('its attestation must be none, or packed and signed by the key itself');
}

async function checkAlgorithm(data: Uint8Array): Promise<void> {
  const { decodeCredentialPublicKey, parseAuthenticatorData } = await import(
    '@simplewebauthn/server/helpers'
  );
  // The library changes bytes of old browsers in place.
  const { credentialPublicKey } = parseAuthenticatorData(new Uint8Array(data));
  if (credentialPublicKey === undefined) throw new ProofFault('it has no public key');
  const algorithm = decodeCredentialPublicKey(new Uint8Array(credentialPublicKey)).get(3);
  if (algorithms.includes(Number(algorithm))) return;
  const got = gotValue('alg', algorithm);
  throw new ProofFault(`the alg of its key must be one of ${algorithms.join(', ')}${got}`);
}

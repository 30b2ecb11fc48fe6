/** Registration of passkeys: WebAuthn Level 3, section 7.1. */

import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { Type } from 'typebox';
import { keyOf } from '../../http/credentials/secret-text.js';
import { HttpError } from '../../http/http-error.js';
import { failures } from '../../http/schemas/error-schema.js';
import { endpoint } from '../../kit/endpoint.js';
import {
  begin,
  ceremonyMs,
  credential,
  encoded,
  end,
  explaining,
  optionsSchema,
  path,
  username,
  verifiedSchema,
} from './ceremony.js';
import { type Passkey, passkeys, userHandle } from './passkey.js';

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
): Promise<Pick<Passkey, 'id' | 'publicKey' | 'counter'>> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const reject = (why: string) => new HttpError(400, `The registration is rejected: ${why}`);
  return explaining(reject, async () => {
    await checkAttestation(response.response.attestationObject);
    const { registrationInfo } = await verifyRegistrationResponse({
      response,
      ...expected,
      supportedAlgorithmIDs: algorithms,
    });
    if (registrationInfo === undefined) throw new Error('the attestation is invalid');
    const { id, publicKey, counter } = registrationInfo.credential;
    if (id !== response.id) throw new Error('id differs from the id in the attestation');
    if (Buffer.from(id, 'base64url').length > maxIdBytes) throw new Error('the id is too long');
    if (publicKey.length > maxKeyBytes) throw new Error('the public key is too long');
    return { id, publicKey: Buffer.from(publicKey).toString('base64url'), counter };
  });
}

/**
 * Rejects attestations with certificates: their revocation lists would have to be fetched, and this service calls no
 * other servers. The options request no attestation, so browsers send none, or one signed by the new key itself.
 */
async function checkAttestation(attestationObject: string): Promise<void> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  const bytes = new Uint8Array(Buffer.from(attestationObject, 'base64url'));
  const decoded = decodeAttestationObject(bytes);
  const format = decoded.get('fmt');
  const isOwn = format === 'packed' && decoded.get('attStmt').get('x5c') === undefined;
  if (format === 'none' || isOwn) return;
  throw new Error('its attestation must be none, or packed and signed by the key itself');
}

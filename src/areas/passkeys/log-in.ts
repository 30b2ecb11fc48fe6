/** Logins with passkeys: WebAuthn Level 3, section 7.2. */

import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { Type } from 'typebox';
import { unauthorized } from '#http/credentials/challenge.js';
import { keyOf } from '#http/credentials/secret-text.js';
import { failures } from '#http/schemas/error-schema.js';
import { challenge } from '#http/schemas/header-schemas.js';
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
import { mayFollow, type Passkey, passkeys, userHandle } from './passkey.js';
import { path } from './path.js';

export const loginOptions = endpoint('POST', `${path}/login/options`, {
  summary: 'Get the options to log in with a passkey',
  description:
    'Without a user name, the browser offers all its passkeys for this host. Pass the response to PublicKeyCredential.parseRequestOptionsFromJSON.',
  body: Type.Object({ username: Type.Optional(username) }, { default: {} }),
  responses: { 200: optionsSchema },
  async handle(request) {
    const ceremony = { kind: 'login', username: request.body.username } as const;
    const { rpId, challenge, listed: allowCredentials } = await begin(request, ceremony);
    const timeout = ceremonyMs;
    return { challenge, rpId, timeout, allowCredentials, userVerification: 'preferred' };
  },
});

export const verifyLogin = endpoint('POST', `${path}/login/verify`, {
  summary: 'Log in with data that a passkey has signed',
  description: 'The toJSON() of the credential from navigator.credentials.get().',
  body: Type.Unsafe<AuthenticationResponseJSON>(
    credential({ authenticatorData: encoded(4000), signature: encoded(2000) }),
  ),
  responses: { 200: verifiedSchema, ...failures(401) },
  responseHeaders: { 401: challenge },
  async handle(request) {
    const { sandbox, body } = request;
    const { username: expectedName, expected } = await end(request, 'login', body.response);
    const key = keyOf(body.id);
    const passkey = await sandbox.read(passkeys, key);
    if (passkey === undefined) throw rejected('it is unknown in this sandbox');
    const { username: name, id } = passkey;
    if (expectedName !== undefined && expectedName !== name) {
      throw rejected('it belongs to another user than the login');
    }
    const handle: unknown = body.response.userHandle;
    if (handle != null && handle !== userHandle(sandbox.name, name)) {
      throw rejected('its userHandle is not the handle of its user');
    }
    const { expectedOrigin: origin, expectedRPID: rpId } = expected;
    const publicKey = new Uint8Array(Buffer.from(passkey.publicKey, 'base64url'));
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
    const counter = await explaining(rejectedLogin, async () => {
      if (body.rawId !== body.id) throw new ProofFault('rawId differs from id');
      const { clientDataJSON, authenticatorData } = body.response;
      checkClientData(clientDataJSON, { kind: 'login', origin });
      const isEligible = checkAuthenticatorData(Buffer.from(authenticatorData, 'base64url'), rpId);
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: body,
        ...expected,
        // Compared below, after the signature.
        credential: { id, counter: 0, publicKey },
      });
      if (!verified) throw new ProofFault('the signature does not match the key of this passkey');
      if (isEligible !== passkey.isBackupEligible)
        throw new ProofFault(otherEligibility(isEligible));
      return authenticationInfo.newCounter;
    });
    await sandbox.update(passkeys, key, (now: Passkey | undefined) => {
      // Another login may have used the passkey meanwhile.
      if (now === undefined) throw rejected('it is unknown in this sandbox');
      if (!mayFollow(counter, now.counter)) throw rejected(stuckCounter(counter, now.counter));
      return { value: { ...now, counter }, result: undefined };
    });
    return { verified: true, username: name, id, counter };
  },
});

const otherEligibility = (isEligible: boolean) =>
  `the flag BE is ${Number(isEligible)}, but was ${Number(!isEligible)} at registration; it never changes`;

const stuckCounter = (counter: number, before: number) =>
  `its counter is ${counter}, but must be more than ${before}, as at its last login; it may be a copy`;

/** HTTP has no registered scheme for passkeys, but a 401 needs a challenge. */
const passkeyChallenge = 'Passkey realm="Practice API"';

const rejected = (why: string) =>
  unauthorized(`The passkey is rejected: ${why}.`, passkeyChallenge);
const rejectedLogin = (why: string) =>
  unauthorized(`The login is rejected: ${why}.`, passkeyChallenge);

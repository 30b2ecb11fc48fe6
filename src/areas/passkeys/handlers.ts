/** The ceremonies of passkeys: registration and login, each with options first and a proof after them. */

import { randomBytes } from 'node:crypto';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { unauthorized } from '../../http/credentials/challenge.js';
import { keyOf } from '../../http/credentials/secret-text.js';
import type { Reply, Request } from '../../http/exchange.js';
import { HttpError } from '../../http/http-error.js';
import type { Services } from '../../kit/area.js';
import type { Sandbox } from '../../state/state.js';
import {
  type Ceremony,
  ceremonies,
  ceremonyMs,
  mayFollow,
  type Passkey,
  passkeys,
  userHandle,
} from './passkey.js';
import { namedParty } from './relying-party.js';
import {
  algorithms,
  challengeIn,
  passkeyChallenge,
  verifyLogin,
  verifyRegistration,
} from './verify-ceremony.js';

const transports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'];

export function passkeyHandlers({ sandboxOf, baseUrlOf }: Services) {
  const placeOf = (request: Request) => ({
    sandbox: sandboxOf(request),
    party: namedParty(baseUrlOf(request)),
  });
  return {
    async registerOptions(
      request: Request,
      username: string,
    ): Promise<PublicKeyCredentialCreationOptionsJSON> {
      const { sandbox, party } = placeOf(request);
      const own = await passkeysOf(sandbox, username);
      const challenge = await begin(sandbox, { kind: 'register', username });
      return {
        challenge,
        rp: { id: party.id, name: 'Practice API' },
        user: { id: userHandle(sandbox.name, username), name: username, displayName: username },
        pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key' as const, alg })),
        timeout: ceremonyMs,
        excludeCredentials: own.map(described),
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
        attestation: 'none',
      };
    },

    async registerVerify(request: Request, reply: Reply, response: RegistrationResponseJSON) {
      const { sandbox, party } = placeOf(request);
      const { challenge, ceremony } = await end(sandbox, 'register', response);
      const { username = '' } = ceremony;
      const expected = { challenge, origin: party.origin, rpId: party.id };
      const made = await verifyRegistration(response, expected);
      const sent: readonly unknown[] = response.response.transports ?? [];
      await sandbox.update(passkeys, keyOf(made.id), (known: Passkey | undefined, nowMs) => {
        if (known !== undefined) throw new HttpError(409, 'This passkey is registered already.');
        const kept = transports.filter((each) => Array.isArray(sent) && sent.includes(each));
        const value = { ...made, username, transports: kept, createdAtMs: nowMs };
        return { value, result: undefined };
      });
      reply.code(201);
      return { verified: true as const, username, id: made.id, counter: made.counter };
    },

    async loginOptions(
      request: Request,
      username: string | undefined,
    ): Promise<PublicKeyCredentialRequestOptionsJSON> {
      const { sandbox, party } = placeOf(request);
      const own = username === undefined ? [] : await passkeysOf(sandbox, username);
      const challenge = await begin(sandbox, {
        kind: 'login',
        ...(username !== undefined && { username }),
      });
      return {
        challenge,
        rpId: party.id,
        timeout: ceremonyMs,
        allowCredentials: own.map(described),
        userVerification: 'preferred',
      };
    },

    async loginVerify(request: Request, response: AuthenticationResponseJSON) {
      const { sandbox, party } = placeOf(request);
      const { challenge, ceremony } = await end(sandbox, 'login', response);
      const key = keyOf(response.id);
      const passkey = await sandbox.read(passkeys, key);
      if (passkey === undefined) throw rejected('it is unknown in this sandbox');
      const { username, id } = passkey;
      if (ceremony.username !== undefined && ceremony.username !== username) {
        throw rejected('it is another user’s than the one who wanted to log in');
      }
      const { userHandle: handle } = response.response as { userHandle?: unknown };
      if (handle != null && handle !== userHandle(sandbox.name, username)) {
        throw rejected('its userHandle is not that of its user');
      }
      const expected = { challenge, origin: party.origin, rpId: party.id };
      const counter = await verifyLogin(response, expected, passkey);
      await sandbox.update(passkeys, key, (now: Passkey | undefined) => {
        // Another login may have come between.
        if (now === undefined) throw rejected('it is unknown in this sandbox');
        if (!mayFollow(counter, now.counter)) throw rejected('its counter did not grow');
        return { value: { ...now, counter }, result: undefined };
      });
      return { verified: true as const, username, id, counter };
    },
  };
}

function described({ id, transports: known }: Passkey) {
  return { type: 'public-key' as const, id, transports: [...known] as never[] };
}

async function passkeysOf(sandbox: Sandbox, username: string): Promise<readonly Passkey[]> {
  const all = await sandbox.entries(passkeys);
  return all.flatMap(([, passkey]) => (passkey.username === username ? [passkey] : []));
}

/** Remembers a challenge, and gives it out. */
async function begin(sandbox: Sandbox, ceremony: Ceremony): Promise<string> {
  const challenge = randomBytes(32).toString('base64url');
  await sandbox.update(ceremonies, keyOf(challenge), (_none, nowMs) => ({
    value: ceremony,
    expiresAtMs: nowMs + ceremonyMs,
    result: undefined,
  }));
  return challenge;
}

/** A challenge is forgotten by whatever comes of it, so that none can be tried twice. */
async function end(
  sandbox: Sandbox,
  kind: Ceremony['kind'],
  { response }: { readonly response: { readonly clientDataJSON: string } },
) {
  const challenge = challengeIn(response.clientDataJSON);
  const key = keyOf(challenge);
  const ceremony = await sandbox.transact((view) => {
    const found = view.read(ceremonies, key);
    if (found !== undefined) view.write(ceremonies, key, undefined);
    return found;
  });
  if (ceremony?.kind === kind) return { challenge, ceremony };
  throw new HttpError(
    400,
    `The challenge in clientDataJSON is none that POST ${kind}/options gave in this sandbox within five minutes, or was used before.`,
  );
}

function rejected(why: string): HttpError {
  return unauthorized(`The passkey is rejected: ${why}.`, passkeyChallenge);
}

/** Ceremonies: the server sends a challenge with options, and verifies the response to it. */

import { randomBytes } from 'node:crypto';
import { Type } from 'typebox';
import { notBlankPattern } from '#base/text/text-patterns.js';
import { keyOf } from '#http/credentials/secret-text.js';
import type { Request } from '#http/exchange.js';
import { HttpError } from '#http/http-error.js';
import type { Space } from '#state/state.js';
import { ProofFault } from './check-proof.js';
import { passkeys } from './passkey.js';
import { namedParty } from './relying-party.js';

interface Ceremony {
  readonly kind: 'register' | 'login';
  /** The user that the client named, if any. */
  readonly username?: string | undefined;
}

/** Keyed by the hash of their challenge. */
const ceremonies: Space<Ceremony> = { name: 'passkey-challenges', maxKeys: 1000 };

export const ceremonyMs = 5 * 60 * 1000;

export const username = Type.String({ maxLength: 64, pattern: notBlankPattern });

const open = { additionalProperties: true };

export const optionsSchema = Type.Unsafe({
  type: 'object',
  properties: { challenge: { type: 'string' } },
  required: ['challenge'],
  ...open,
});

export const encoded = (maxLength: number) =>
  Type.String({
    maxLength,
    pattern: '^[\\w-]+$',
    description: 'Bytes in base64url, without padding.',
  });

/** A credential as browsers send it (WebAuthn Level 3). Members that clients add are ignored. */
export function credential(members: Readonly<Record<string, ReturnType<typeof encoded>>>) {
  const response = Type.Object({ clientDataJSON: encoded(4000), ...members }, open);
  const type = Type.Literal('public-key');
  return Type.Object({ id: encoded(1400), rawId: encoded(1400), type, response }, open);
}

export const verifiedSchema = Type.Object({
  verified: Type.Literal(true),
  username: Type.String(),
  id: Type.String(),
  counter: Type.Integer({
    description: 'Number of signatures so far; 0 if the authenticator does not count.',
  }),
});

/** Begins a ceremony. Returns its challenge, the host, and the passkeys of the user in the form browsers accept. */
export async function begin({ sandbox, baseUrl }: Request, ceremony: Ceremony) {
  const { id: rpId } = namedParty(baseUrl);
  const all = await sandbox.entries(passkeys);
  const own = all.filter(([, { username }]) => username === ceremony.username);
  const challenge = randomBytes(32).toString('base64url');
  await sandbox.update(ceremonies, keyOf(challenge), (_none, nowMs) => ({
    value: ceremony,
    expiresAtMs: nowMs + ceremonyMs,
    result: undefined,
  }));
  const listed = own.map(([, { id, transports }]) => ({ type: 'public-key', id, transports }));
  return { rpId, challenge, listed };
}

/** Ends a ceremony. Its challenge cannot be used again, whatever the outcome. */
export async function end(
  { sandbox, baseUrl }: Request,
  kind: Ceremony['kind'],
  { clientDataJSON }: { readonly clientDataJSON: string },
) {
  const { id, origin } = namedParty(baseUrl);
  const challenge = challengeIn(clientDataJSON);
  const key = keyOf(challenge);
  const ceremony = await sandbox.transact((view) => {
    const found = view.read(ceremonies, key);
    if (found !== undefined) view.write(ceremonies, key, undefined);
    return found;
  });
  if (ceremony?.kind !== kind) {
    throw new HttpError(
      400,
      `The challenge in clientDataJSON is unknown, used, or older than five minutes. POST ${kind}/options returns a new one.`,
    );
  }
  return {
    username: ceremony.username,
    expected: {
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: false,
    },
  };
}

function challengeIn(clientDataJSON: string): string {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'));
    return typeof challenge === 'string' ? challenge : '';
  } catch {
    return '';
  }
}

const reasonCharacters = 300;

/**
 * Rejects with our words, or for malformed data with the library's, which quote parts of the request. Handlers load
 * the library on demand, because it is large.
 */
export async function explaining<Result>(
  reject: (why: string) => HttpError,
  verify: () => Promise<Result>,
): Promise<Result> {
  try {
    return await verify();
  } catch (error) {
    const words = String((error as Error).message).replace(/[^\x20-\x7e]/g, '?');
    const why = words.slice(0, reasonCharacters);
    throw reject(error instanceof ProofFault ? why : `it is malformed: ${why}`);
  }
}

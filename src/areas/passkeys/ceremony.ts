/** Ceremonies: a challenge with options first, and then a response that proves them. */

import { randomBytes } from 'node:crypto';
import { Type } from 'typebox';
import { notBlankPattern } from '../../base/text/text-patterns.js';
import { keyOf } from '../../http/credentials/secret-text.js';
import type { Request } from '../../http/exchange.js';
import { HttpError } from '../../http/http-error.js';
import type { Space } from '../../state/state.js';
import { passkeys } from './passkey.js';
import { namedParty } from './relying-party.js';

export const path = '/api/auth/passkeys';

interface Ceremony {
  readonly kind: 'register' | 'login';
  /** Whose passkey it is about, if the client named a user. */
  readonly username?: string | undefined;
}

/** By the hash of their challenge. */
const ceremonies: Space<Ceremony> = { name: 'passkey-challenges', maxKeys: 1000 };

/** By the sandbox's clock. */
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

/** A response as browsers make it (WebAuthn Level 3). Members that clients add are ignored. */
export function credential(members: Readonly<Record<string, ReturnType<typeof encoded>>>) {
  const response = Type.Object({ clientDataJSON: encoded(4000), ...members }, open);
  const type = Type.Literal('public-key');
  return Type.Object({ id: encoded(1400), rawId: encoded(1400), type, response }, open);
}

export const verifiedSchema = Type.Object({
  verified: Type.Literal(true),
  username: Type.String(),
  id: Type.String(),
  counter: Type.Integer({ description: 'How often it has signed; 0 where it is not counted.' }),
});

/** Begins a ceremony. Returns its challenge, the host, and the passkeys of the user as browsers list them. */
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

/** Ends the ceremony of a response. Its challenge cannot be used again, whatever the outcome. */
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
      `The challenge in clientDataJSON is none that POST ${kind}/options gave in this sandbox within five minutes, or was used before.`,
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

/** Rejects with what the library says, which quotes parts of the request. The library is large: handlers load it. */
export async function explaining<Result>(
  reject: (why: string) => HttpError,
  verify: () => Promise<Result>,
): Promise<Result> {
  try {
    return await verify();
  } catch (error) {
    const why = String((error as Error).message).replace(/[^\x20-\x7e]/g, '?');
    throw reject(why.slice(0, 200));
  }
}

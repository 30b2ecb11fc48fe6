/** The keys of issuers: generated once for each sandbox, stored in its state, shared by replicas. */

import { createPrivateKey, generateKeyPair, type JsonWebKey, type KeyObject } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { errors, JWK, JWTPayload, JWTVerifyOptions } from 'jose';
import { createBoundedCache } from '#base/bounded-cache.js';
import { FairQueue } from '#base/shares/fair-queue.js';
import { jose } from '#http/credentials/jose.js';
import { HttpError } from '#http/http-error.js';
import { type Sandbox, shareOf } from '#state/state.js';
import type { Issuer } from '../messages/issuer.js';
import { settingsOf } from './issuer-settings.js';
import {
  type KeyPair,
  type KeyRing,
  keyFor,
  keyRings,
  publishedKeys,
  type Rotated,
  ringKey,
  rotateRing,
  type SigningAlgorithm,
  signingAlgorithms,
} from './key-ring.js';

/** An issuer and its keys, which sign and verify its tokens. */
export interface Signing {
  readonly keys: IssuerKeys;
  readonly sandbox: Sandbox;
  readonly issuer: Issuer;
}

/** Limit of key sets that wait for generation; each uses a processor for a tenth of a second. */
const maxWaiting = 32;

/** Rotations within this time count as simultaneous, however fast a key is generated. */
const togetherMs = 300;

export class IssuerKeys {
  /**
   * Generates one set at a time, and callers take turns, so that one caller with many new sandboxes does not block the
   * others.
   */
  readonly #queue = new FairQueue(maxWaiting, tooManyKeys);
  readonly #beginning = new Map<string, Promise<KeyRing>>();
  /**
   * Keyed by sandbox name. Without it, fifty simultaneous rotations would generate fifty sets, of which one remains.
   */
  readonly #rotating = new Map<string, Promise<Rotated>>();
  /** Keyed by key id. The first signature of a key takes longer than all later ones. */
  readonly #imported = createBoundedCache<KeyObject>({ maxEntries: 300 });

  async ringOf(sandbox: Sandbox): Promise<KeyRing> {
    const known = await sandbox.read(keyRings, ringKey);
    if (known !== undefined) return known;
    // Callers of the same sandbox share a turn.
    const asked = `${sandbox.caller()} ${sandbox.name}`;
    const underWay = this.#beginning.get(asked);
    if (underWay !== undefined) return underWay;
    const beginning = this.#queue
      .run(shareOf(sandbox), () => begin(sandbox))
      .finally(() => this.#beginning.delete(asked));
    this.#beginning.set(asked, beginning);
    return beginning;
  }

  /** Allows one rotation at a time: throws 409 while another is in progress, in this process or a replica. */
  async rotate(sandbox: Sandbox): Promise<KeyRing> {
    const underWay = this.#rotating.get(sandbox.name);
    if (underWay !== undefined) throw rotatedAlready((await underWay).ring);
    const rotating = this.#rotate(sandbox).finally(() => this.#rotating.delete(sandbox.name));
    this.#rotating.set(sandbox.name, rotating);
    const { ring, isFirst } = await rotating;
    if (!isFirst) throw rotatedAlready(ring);
    return ring;
  }

  async #rotate(sandbox: Sandbox): Promise<Rotated> {
    const after = (await sandbox.read(keyRings, ringKey))?.rotations ?? 0;
    const [fresh] = await Promise.all([
      this.#queue.run(shareOf(sandbox), makeKeys),
      setTimeout(togetherMs),
    ]);
    const { lifetimes, signedBeforeUntilMs = 0 } = await settingsOf(sandbox);
    const longestMs = Math.max(lifetimes.access, lifetimes.id) * 1000;
    return sandbox.update(keyRings, ringKey, (ring: KeyRing | undefined, nowMs) => {
      const untilMs = Math.max(nowMs + longestMs, signedBeforeUntilMs);
      return rotateRing(ring, fresh, after, untilMs, nowMs);
    });
  }

  async sign(
    sandbox: Sandbox,
    claims: JWTPayload,
    { alg = 'RS256', typ = 'JWT' }: { alg?: SigningAlgorithm | undefined; typ?: string | null },
  ): Promise<string> {
    const { current } = await this.ringOf(sandbox);
    const { kid, privateJwk } = keyFor(alg, current);
    const key = this.#imported.get(kid, () => importKey(privateJwk));
    const { SignJWT } = await jose();
    return new SignJWT(claims)
      .setProtectedHeader({ alg, ...(typ !== null && { typ }), kid })
      .sign(key);
  }

  /** Returns the claims of a token that this issuer signed, or what is wrong with it. */
  async verify(
    sandbox: Sandbox,
    token: string,
    options: JWTVerifyOptions,
  ): Promise<JWTPayload | errors.JOSEError> {
    const nowMs = await sandbox.now();
    const keys = publishedKeys(await this.ringOf(sandbox), nowMs);
    const { createLocalJWKSet, errors, jwtVerify } = await jose();
    const usual = { currentDate: new Date(nowMs), algorithms: [...signingAlgorithms] };
    try {
      const set = createLocalJWKSet({ keys: [...keys] });
      return (await jwtVerify(token, set, { ...usual, ...options })).payload;
    } catch (error) {
      if (error instanceof errors.JOSEError) return error;
      throw error;
    }
  }
}

export function importKey(privateJwk: JWK): KeyObject {
  return createPrivateKey({ key: privateJwk as JsonWebKey, format: 'jwk' });
}

async function begin(sandbox: Sandbox): Promise<KeyRing> {
  const known = await sandbox.read(keyRings, ringKey);
  if (known !== undefined) return known;
  const fresh = await makeKeys();
  return sandbox.update(keyRings, ringKey, (ring: KeyRing | undefined) => {
    const value = ring ?? { current: fresh, retired: [] };
    return { value, result: value };
  });
}

const generate = promisify(generateKeyPair);

const makers: Readonly<
  Record<SigningAlgorithm, () => Promise<{ publicKey: KeyObject; privateKey: KeyObject }>>
> = {
  RS256: () => generate('rsa', { modulusLength: 2048 }),
  ES256: () => generate('ec', { namedCurve: 'P-256' }),
  EdDSA: () => generate('ed25519'),
};

/** Generates a key for every algorithm in Node's thread pool: an RSA key takes a tenth of a second or more. */
export async function makeKeys(): Promise<readonly KeyPair[]> {
  const { calculateJwkThumbprint } = await jose();
  const pairs: KeyPair[] = [];
  for (const alg of signingAlgorithms) {
    const { publicKey, privateKey } = await makers[alg]();
    const publicPart = publicKey.export({ format: 'jwk' }) as JWK;
    const kid = await calculateJwkThumbprint(publicPart);
    const publicJwk: JWK = { ...publicPart, kid, alg, use: 'sig' };
    pairs.push({ kid, alg, publicJwk, privateJwk: privateKey.export({ format: 'jwk' }) as JWK });
  }
  return pairs;
}

function tooManyKeys(): HttpError {
  return new HttpError(503, 'Too many keys are being generated. Try again in a moment.', {
    headers: { 'retry-after': '2' },
  });
}

function rotatedAlready({ current }: KeyRing): HttpError {
  const kids = current.map(({ kid }) => kid).join(', ');
  return new HttpError(
    409,
    `Another rotation of this sandbox came first. Its keys are now current: ${kids}.`,
  );
}

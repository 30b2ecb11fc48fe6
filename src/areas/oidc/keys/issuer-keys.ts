/** The keys of the issuers of a service: made once for each sandbox, kept in its state, shared by replicas. */

import { createPrivateKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { JWTPayload, JWTVerifyOptions } from 'jose';
import { FairQueue } from '../../../base/shares/fair-queue.js';
import { jose } from '../../../http/credentials/jose.js';
import { HttpError } from '../../../http/http-error.js';
import type { Sandbox } from '../../../state/state.js';
import { settingsOf } from '../settings/issuer-settings.js';
import {
  beginRing,
  type KeyPair,
  type KeyRing,
  keyRings,
  publishedKeys,
  type Rotated,
  ringKey,
  rotateRing,
  type SigningAlgorithm,
} from './key-ring.js';
import { makeKeys } from './make-keys.js';

/** At most so many sets of keys wait to be made; each takes a processor for a tenth of a second. */
const maxWaiting = 32;
const maxImported = 300;

/** Rotations that come within this time are at the same time, however soon a key is found. */
const togetherMs = 300;

export class IssuerKeys {
  /** One set is made at a time, for each caller in turn: many new sandboxes of one leave the thread pool to others. */
  readonly #queue = new FairQueue(maxWaiting, tooManyKeys);
  /** By the caller and the name of the sandbox. */
  readonly #beginning = new Map<string, Promise<KeyRing>>();
  /** Rotations by the name of the sandbox: fifty at once would make fifty sets for one to stay. */
  readonly #rotating = new Map<string, Promise<Rotated>>();
  /** By key id. */
  readonly #imported = new Map<string, KeyObject>();

  /** The keys of a sandbox; made when they are first asked for. */
  async ringOf(sandbox: Sandbox): Promise<KeyRing> {
    const known = await sandbox.read(keyRings, ringKey);
    if (known !== undefined) return known;
    // Callers that want the same keys wait in turns of their own.
    const asked = `${sandbox.caller()} ${sandbox.name}`;
    const underWay = this.#beginning.get(asked);
    if (underWay !== undefined) return underWay;
    const beginning = this.#queue
      .run(sandbox.caller(), () => begin(sandbox))
      .finally(() => this.#beginning.delete(asked));
    this.#beginning.set(asked, beginning);
    return beginning;
  }

  /** One rotation at a time: throws 409 to those that come while another is under way, here or in a replica. */
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
      this.#queue.run(sandbox.caller(), makeKeys),
      setTimeout(togetherMs),
    ]);
    const { lifetimes, signedBeforeUntilMs = 0 } = await settingsOf(sandbox);
    const longestMs = Math.max(lifetimes.access, lifetimes.id) * 1000;
    return sandbox.update(keyRings, ringKey, (ring: KeyRing | undefined, nowMs) => {
      const lifeMs = Math.max(longestMs, signedBeforeUntilMs - nowMs);
      return rotateRing(ring, { fresh, after, nowMs, lifeMs });
    });
  }

  async sign(
    sandbox: Sandbox,
    claims: JWTPayload,
    { alg = 'RS256', typ = 'JWT' }: { alg?: SigningAlgorithm; typ?: string } = {},
  ): Promise<string> {
    const pair = await this.pairOf(sandbox, alg);
    const { SignJWT } = await jose();
    return new SignJWT(claims)
      .setProtectedHeader({ alg, typ, kid: pair.kid })
      .sign(this.#importOf(pair));
  }

  /** The key that signs by an algorithm now. */
  async pairOf(sandbox: Sandbox, alg: SigningAlgorithm): Promise<KeyPair> {
    const { current } = await this.ringOf(sandbox);
    const pair = current.find((each) => each.alg === alg);
    if (pair === undefined) throw new Error(`There is no key for ${alg}.`);
    return pair;
  }

  /** The claims of a token that this issuer signed; throws what is wrong with it. */
  async verify(sandbox: Sandbox, token: string, options: JWTVerifyOptions): Promise<JWTPayload> {
    const nowMs = await sandbox.now();
    const keys = publishedKeys(await this.ringOf(sandbox), nowMs);
    const { createLocalJWKSet, jwtVerify } = await jose();
    const set = createLocalJWKSet({ keys: [...keys] });
    const { payload } = await jwtVerify(token, set, { currentDate: new Date(nowMs), ...options });
    return payload;
  }

  #importOf({ kid, privateJwk }: KeyPair): KeyObject {
    const known = this.#imported.get(kid);
    if (known !== undefined) return known;
    const key = createPrivateKey({ key: privateJwk as JsonWebKey, format: 'jwk' });
    const [oldest] = this.#imported.keys();
    if (this.#imported.size >= maxImported && oldest !== undefined) this.#imported.delete(oldest);
    this.#imported.set(kid, key);
    return key;
  }
}

async function begin(sandbox: Sandbox): Promise<KeyRing> {
  const known = await sandbox.read(keyRings, ringKey);
  if (known !== undefined) return known;
  const fresh = await makeKeys();
  return sandbox.update(keyRings, ringKey, (ring) => beginRing(ring, fresh));
}

function tooManyKeys(): HttpError {
  return new HttpError(503, 'Keys are being made for many others. Try again in a moment.', {
    headers: { 'retry-after': '2' },
  });
}

function rotatedAlready({ current }: KeyRing): HttpError {
  const kids = current.map(({ kid }) => kid).join(', ');
  return new HttpError(
    409,
    `Another rotation of this sandbox came first. Its keys are the current ones: ${kids}.`,
  );
}

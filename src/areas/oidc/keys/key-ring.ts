/** The keys of one issuer: a current one of each algorithm, and those before until what they signed ends. */

import type { JWK } from 'jose';
import type { Change, Space } from '../../../state/state.js';

export const signingAlgorithms = ['RS256', 'ES256', 'EdDSA'] as const;
export type SigningAlgorithm = (typeof signingAlgorithms)[number];

export interface KeyPair {
  readonly kid: string;
  readonly alg: SigningAlgorithm;
  readonly publicJwk: JWK;
  readonly privateJwk: JWK;
}

interface RetiredKey {
  readonly publicJwk: JWK;
  /** Until then something that it signed may count. */
  readonly untilMs: number;
}

export interface KeyRing {
  readonly current: readonly KeyPair[];
  /** The youngest first. */
  readonly retired: readonly RetiredKey[];
  /** How often it was rotated; never, without it. */
  readonly rotations?: number;
}

export const keyRings: Space<KeyRing> = { name: 'oidc-keys', maxKeys: 1 };
export const ringKey = 'all';

/** Ten rotations within the life of a token; those before are forgotten sooner. */
const maxRetired = 10 * signingAlgorithms.length;

/** The ring that is there, or the fresh keys as the first ones. */
export function beginRing(
  ring: KeyRing | undefined,
  fresh: readonly KeyPair[],
): Change<KeyRing, KeyRing> {
  const value = ring ?? { current: fresh, retired: [] };
  return { value, result: value };
}

interface Rotation {
  readonly fresh: readonly KeyPair[];
  /** How often the ring had been rotated when this one began. */
  readonly after: number;
  readonly nowMs: number;
  readonly lifeMs: number;
}

export interface Rotated {
  readonly ring: KeyRing;
  /** Of those that began together, the first; the others leave the ring as it is. */
  readonly isFirst: boolean;
}

/** Every algorithm gets its fresh key; what the others signed is valid for `lifeMs` more. */
export function rotateRing(
  ring: KeyRing | undefined,
  { fresh, after, nowMs, lifeMs }: Rotation,
): Change<KeyRing, Rotated> {
  const rotations = ring?.rotations ?? 0;
  if (ring !== undefined && rotations !== after) {
    return { value: ring, result: { ring, isFirst: false } };
  }
  const untilMs = nowMs + lifeMs;
  const replaced = (ring?.current ?? []).map(({ publicJwk }) => ({ publicJwk, untilMs }));
  const still = (ring?.retired ?? []).filter((key) => nowMs < key.untilMs);
  const retired = [...replaced, ...still].slice(0, maxRetired);
  const value = { current: fresh, retired, rotations: rotations + 1 };
  return { value, result: { ring: value, isFirst: true } };
}

/** What the JWKS shows (RFC 7517 section 5). */
export function publishedKeys({ current, retired }: KeyRing, nowMs: number): readonly JWK[] {
  const still = retired.filter(({ untilMs }) => nowMs < untilMs);
  return [...current, ...still].map(({ publicJwk }) => publicJwk);
}

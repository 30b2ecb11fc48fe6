/**
 * The keys of one issuer: a current key for each algorithm, and retired keys until everything they signed has expired.
 */

import type { JWK } from 'jose';
import type { Change, Space } from '#state/state.js';

export const signingAlgorithms = ['RS256', 'ES256', 'EdDSA'] as const;
export type SigningAlgorithm = (typeof signingAlgorithms)[number];

export interface KeyPair {
  readonly kid: string;
  readonly alg: SigningAlgorithm;
  readonly publicJwk: JWK;
  readonly privateJwk: JWK;
}

export interface KeyRing {
  readonly current: readonly KeyPair[];
  /** The newest first, each until everything it signed has expired. */
  readonly retired: readonly { readonly publicJwk: JWK; readonly untilMs: number }[];
  /** Number of rotations; absent if there were none. */
  readonly rotations?: number;
}

export const keyRings: Space<KeyRing> = { name: 'oidc-keys', maxKeys: 1 };
export const ringKey = 'all';

/** Ten rotations within the life of a token; earlier keys are dropped. */
const maxRetired = 10 * signingAlgorithms.length;

export interface Rotated {
  readonly ring: KeyRing;
  /** True for the first of simultaneous rotations; the others do not change the ring. */
  readonly isFirst: boolean;
}

/** Replaces the keys, unless there were more than `after` rotations. The previous keys are valid until `untilMs`. */
export function rotateRing(
  ring: KeyRing = { current: [], retired: [] },
  fresh: readonly KeyPair[],
  after: number,
  untilMs: number,
  nowMs: number,
): Change<KeyRing, Rotated> {
  const { rotations = 0 } = ring;
  if (ring.current.length > 0 && rotations !== after) {
    return { value: ring, result: { ring, isFirst: false } };
  }
  const replaced = ring.current.map(({ publicJwk }) => ({ publicJwk, untilMs }));
  const still = ring.retired.filter((key) => nowMs < key.untilMs);
  const retired = [...replaced, ...still].slice(0, maxRetired);
  const value = { current: fresh, retired, rotations: rotations + 1 };
  return { value, result: { ring: value, isFirst: true } };
}

/** Returns the keys in the JWKS (RFC 7517 section 5). */
export function publishedKeys({ current, retired }: KeyRing, nowMs: number): readonly JWK[] {
  const still = retired.filter(({ untilMs }) => nowMs < untilMs);
  return [...current, ...still].map(({ publicJwk }) => publicJwk);
}

export function keyFor(alg: SigningAlgorithm, pairs: readonly KeyPair[]): KeyPair {
  const pair = pairs.find((each) => each.alg === alg);
  if (pair === undefined) throw new Error(`There is no key for ${alg}.`);
  return pair;
}

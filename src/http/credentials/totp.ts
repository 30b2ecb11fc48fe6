/**
 * Time-based codes: RFC 6238 over RFC 4226, with SHA-1, six digits and 30 seconds, as in
 * authenticator apps.
 */

import { createHmac } from 'node:crypto';
import type { Change } from '#state/state.js';
import { isSameSecret } from './is-same-secret.js';

const stepMs = 30_000;
const digits = 6;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Returns the code at a time. `secret` is base32 (RFC 4648 section 6) without padding. */
export function totpAt(secret: string, nowMs: number): string {
  return codeOf(secret, Math.floor(nowMs / stepMs));
}

/**
 * Returns the time step of a code: the current one, or the one before or after, for inaccurate
 * clocks.
 */
export function totpStep(secret: string, code: string, nowMs: number): number | undefined {
  const now = Math.floor(nowMs / stepMs);
  return [now, now - 1, now + 1].find((step) => isSameSecret(code, codeOf(secret, step)));
}

/** Longer than codes are valid. */
const rememberedMs = 5 * 60 * 1000;

/** Accepts a code once, and no code of the same or an earlier step again (RFC 6238 section 5.2). */
export function takeTotp(
  secret: string | undefined,
  code: string,
  last: number | undefined,
  nowMs: number,
): Change<number, boolean> {
  const step = secret === undefined ? undefined : totpStep(secret, code, nowMs);
  const isNew = step !== undefined && step > (last ?? -1);
  return { value: isNew ? step : last, expiresAtMs: nowMs + rememberedMs, result: isNew };
}

function codeOf(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.max(0, step)));
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  const number = (mac.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** digits;
  return String(number).padStart(digits, '0');
}

function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0'));
  const bytes = bits.join('').match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
}

/** Codes by time: RFC 6238 over RFC 4226, with SHA-1, six digits and 30 seconds, as authenticator apps have them. */

import { createHmac } from 'node:crypto';
import type { Change } from '../../state/state.js';
import { isSameSecret } from './is-same-secret.js';

const stepMs = 30_000;
const digits = 6;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The code of a moment. `secret` is base32 (RFC 4648 section 6) without padding. */
export function totpAt(secret: string, nowMs: number): string {
  return codeOf(secret, Math.floor(nowMs / stepMs));
}

/** The step that a code is of: that of now, or the one before or after, for clocks that are a little off. */
export function totpStep(secret: string, code: string, nowMs: number): number | undefined {
  const now = Math.floor(nowMs / stepMs);
  return [now, now - 1, now + 1].find((step) => isSameSecret(code, codeOf(secret, step)));
}

/** A code is right for as long as clocks may differ. */
const rememberedMs = 5 * 60 * 1000;

/** Accepts a code once: none of its step, nor of one before, is accepted again (RFC 6238 section 5.2). */
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

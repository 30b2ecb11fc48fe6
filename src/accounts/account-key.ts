/** The keys of accounts: `psk_`, the account's id, `_`, and 256 random bits with a checksum. */

import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** A key as it was sent; whether it opens an account is for the account to say. */
export interface AccountKey {
  readonly accountId: string;
  /** What is stored of a key. */
  readonly hash: string;
}

const idBytes = 12;
const secretBytes = 32;
const form = /^psk_([0-9a-f]{24})_[0-9a-f]{64}([0-9a-f]{8})$/;

export const accountKeyLength = 101;

export function newAccountId(): string {
  return randomBytes(idBytes).toString('hex');
}

/** Digits and letters that a double click selects as one word. */
export function newAccountKey(accountId: string): string {
  const start = `psk_${accountId}_${randomBytes(secretBytes).toString('hex')}`;
  return start + checksumOf(start);
}

/**
 * `undefined` for what was never a key, such as one cut short, which needs no look into the state.
 */
export function parseAccountKey(text: string): AccountKey | undefined {
  if (text.length !== accountKeyLength) return undefined;
  const [, accountId, checksum] = form.exec(text) ?? [];
  if (accountId === undefined || checksumOf(text.slice(0, -8)) !== checksum) return undefined;
  return { accountId, hash: hashOf(text) };
}

/**
 * A fast hash is right here: the slow ones make up for passwords that can be guessed, and nobody
 * guesses 256 random bits.
 */
export function hashOf(key: string): string {
  return hash('sha256', key, 'base64url');
}

/** It keeps nobody out; it tells a mistyped key from an unknown one, and a key from other text. */
function checksumOf(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}

/** The keys of accounts: `psk_`, the account's id, `_`, and 256 random bits with a checksum. */

import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** A well-formed key, which may belong to no account. */
export interface AccountKey {
  readonly accountId: string;
  readonly hash: string;
}

const idBytes = 12;
const secretBytes = 32;
const form = /^psk_([0-9a-f]{24})_[0-9a-f]{64}([0-9a-f]{8})$/;

export const accountKeyLength = 101;

export function newAccountId(): string {
  return randomBytes(idBytes).toString('hex');
}

/** A double click selects the whole key. */
export function newAccountKey(accountId: string): string {
  const start = `psk_${accountId}_${randomBytes(secretBytes).toString('hex')}`;
  return start + checksumOf(start);
}

/** Returns `undefined` for a malformed key, without reading the state. */
export function parseAccountKey(text: string): AccountKey | undefined {
  if (text.length !== accountKeyLength) return undefined;
  const [, accountId, checksum] = form.exec(text) ?? [];
  if (accountId === undefined || checksumOf(text.slice(0, -8)) !== checksum) return undefined;
  return { accountId, hash: hashOf(text) };
}

/**
 * A fast hash is sufficient, because keys are random; slow hashes are for passwords, which can be
 * guessed.
 */
export function hashOf(key: string): string {
  return hash('sha256', key, 'base64url');
}

/** Distinguishes a mistyped key from an unknown one. */
function checksumOf(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}

/**
 * Detects common mistakes with PasswordDigest, which is base64 of SHA-1 of nonce, created and
 * password.
 */

import { hash } from 'node:crypto';

export interface DigestParts {
  readonly nonce: Buffer;
  /** In base64. */
  readonly nonceText: string;
  readonly created: string;
  /** Includes surrounding white space. */
  readonly sentCreated: string;
}

type Part = string | Buffer;
type Mistake = readonly [parts: readonly Part[], message: string];

/** Computes about 25 hashes. */
export function findMistake(
  digest: string,
  password: string,
  parts: DigestParts,
  timestampCreated = '',
): string | undefined {
  const { nonce, created } = parts;
  if (digest === password) return 'It is the password itself, but Type is PasswordDigest.';
  const right = joined([nonce, created, password]);
  if (digest.toLowerCase() === hash('sha1', right, 'hex')) return 'It is in hex, not in base64.';
  if (digest === Buffer.from(hash('sha1', right, 'hex')).toString('base64')) {
    return 'It is base64 of the hex digits. Encode the bytes of the hash instead.';
  }
  for (const algorithm of ['sha256', 'sha512', 'md5']) {
    if (digest === hash(algorithm, right, 'base64')) {
      return `It was computed with ${algorithm}, not with SHA-1.`;
    }
  }
  const mistakes = mistakesOf(password, parts, timestampCreated);
  return mistakes.find(([tried]) => digest === hash('sha1', joined(tried), 'base64'))?.[1];
}

function joined(parts: readonly Part[]): Buffer {
  return Buffer.concat(parts.map((part) => Buffer.from(part as string)));
}

function mistakesOf(
  password: string,
  { nonce, nonceText, created, sentCreated }: DigestParts,
  timestampCreated: string,
): readonly Mistake[] {
  const named = { nonce, created, password };
  const orders = [
    ['nonce', 'password', 'created'],
    ['created', 'nonce', 'password'],
    ['created', 'password', 'nonce'],
    ['password', 'nonce', 'created'],
    ['password', 'created', 'nonce'],
  ] as const;
  const hashedFirst = 'The password was hashed twice. Hash it once.';
  return [
    [[nonceText, created, password], 'The nonce was hashed as base64 text. Decode it first.'],
    ...orders.map(
      (order): Mistake => [
        order.map((part) => named[part]),
        `The order was ${order.join(', ')}. It must be nonce, created, password.`,
      ],
    ),
    [
      [created, nonceText, password],
      'The order was created, nonce, password, with the nonce as text.',
    ],
    [[nonce, password], 'Created was left out.'],
    [[nonceText, password], 'Created was left out, and the nonce was hashed as text.'],
    [[created, password], 'The nonce was left out.'],
    [[password], 'Only the password was hashed.'],
    [
      [nonce, timestampCreated, password],
      'It uses Created of the Timestamp. Use Created of the token.',
    ],
    [[nonce, sentCreated, password], 'Created was hashed with surrounding white space.'],
    [[nonce, created, `${password}\n`], 'The password has a line break at its end.'],
    [[nonce, created, hash('sha1', password, 'buffer')], hashedFirst],
    [[nonce, created, hash('sha1', password, 'hex')], hashedFirst],
    [[nonce, created, hash('sha1', password, 'base64')], hashedFirst],
    [[Buffer.from(nonce.toString('hex')), created, password], 'The nonce was hashed as hex text.'],
    [
      [Buffer.from(nonce.toString('latin1')), created, password],
      'The nonce was hashed as UTF-8 text. Hash its bytes instead.',
    ],
    [
      [Buffer.from(nonce.toString('utf8')), created, password],
      'The nonce was hashed as UTF-8 text. Hash its bytes instead.',
    ],
  ];
}

/** Signing deliveries, and falsifying them. */

import { digest, type SchemeName, schemes } from './schemes.js';

/** What a delivery can be falsified in after it was signed. */
export const tamperings = ['body', 'signature', 'timestamp'] as const;
export type Tampering = (typeof tamperings)[number];

export interface SigningOptions {
  /** Several while a secret is being replaced. */
  readonly secrets: readonly string[];
  readonly timestampSeconds: number;
  /** The id of the message, where the scheme signs one. */
  readonly id: string;
  readonly tampering?: Tampering | undefined;
}

/** How much later a tampered time is: well inside every tolerance, so that only the MAC gives it away. */
const timestampShiftSeconds = 60;

/** Signs a body, and then falsifies the delivery if requested. The headers are those that carry the signature. */
export function signDelivery(
  name: SchemeName,
  body: Buffer,
  { secrets, timestampSeconds, id, tampering }: SigningOptions,
) {
  const { key, prefix, encoding, headers } = schemes[name];
  const signedParts = { timestamp: String(timestampSeconds), id };
  const signatures = secrets.map((secret) => {
    const right = digest(key(secret), prefix(signedParts), body, encoding);
    return tampering === 'signature' ? otherSignature(right) : right;
  });
  const shift = tampering === 'timestamp' ? timestampShiftSeconds : 0;
  const timestamp = String(timestampSeconds + shift);
  return {
    headers: headers(signatures, { timestamp, id }),
    body: tampering === 'body' ? otherBody(body) : body,
  };
}

/** As well-formed as the right one, and wrong. */
function otherSignature(signature: string): string {
  return (signature[0] === '0' ? '1' : '0') + signature.slice(1);
}

/** The first digit becomes another one, never zero: JSON stays JSON, with another figure or id in it. */
function otherBody(body: Buffer): Buffer {
  const changed = Buffer.from(body);
  const place = changed.findIndex((byte) => byte >= 0x30 && byte <= 0x39);
  if (place < 0) return Buffer.concat([body, Buffer.from(' ')]);
  changed[place] = 0x31 + (((changed[place] ?? 0x30) - 0x30) % 9);
  return changed;
}

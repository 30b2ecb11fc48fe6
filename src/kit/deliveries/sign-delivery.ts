/** Signs deliveries, and tampers with them. */

import { type DeliveryScheme, digest, schemes } from './schemes.js';

/** The parts of a delivery that can be tampered with after signing. */
export const tamperings = ['body', 'signature', 'timestamp'] as const;
export type Tampering = (typeof tamperings)[number];

export interface SigningOptions {
  /** Several during a rotation of the secret. */
  readonly secrets: readonly string[];
  readonly timestampSeconds: number;
  /** The id of the message, if the scheme signs one. */
  readonly id: string;
  readonly tampering?: Tampering | undefined;
}

/** The shift of a tampered time: within every tolerance, so that only the MAC reveals it. */
const timestampShiftSeconds = 60;

/** Signs a body, then tampers with the delivery if requested. Returns the signature headers. */
export function signDelivery(
  name: DeliveryScheme,
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

/** Returns a well-formed but wrong signature. */
function otherSignature(signature: string): string {
  return (signature[0] === '0' ? '1' : '0') + signature.slice(1);
}

/** Replaces the first digit by another, never zero. JSON stays valid, with another number or id. */
function otherBody(body: Buffer): Buffer {
  const changed = Buffer.from(body);
  const index = changed.findIndex((byte) => byte >= 0x30 && byte <= 0x39);
  if (index < 0) return Buffer.concat([body, Buffer.from(' ')]);
  changed[index] = 0x31 + (((changed[index] ?? 0x30) - 0x30) % 9);
  return changed;
}

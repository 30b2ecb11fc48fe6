/**
 * Signatures of webhook deliveries as four schemes have them: Stripe's, GitHub's, Shopify's, and
 * Standard Webhooks (standardwebhooks.com), which many others share. All are HMAC-SHA256 (RFC 2104).
 */

import { createHmac } from 'node:crypto';

export const schemeNames = ['stripe', 'github', 'shopify', 'standard-webhooks'] as const;
export type SchemeName = (typeof schemeNames)[number];

/** The one secret of the samples; the form is the one that Stripe and Standard Webhooks use. */
export const signingSecret = `whsec_${Buffer.from('practice-api-demo-signing-secret').toString('base64')}`;

/** What a delivery can be falsified in after it was signed. */
export const tamperings = ['body', 'signature', 'timestamp'] as const;
export type Tampering = (typeof tamperings)[number];

export interface Scheme {
  readonly title: string;
  /** In lower case, as Node has header names. */
  readonly signatureHeader: string;
  /** The header with the time; `undefined` where the signature carries it or no time is signed. */
  readonly timestampHeader?: string;
  readonly signsTimestamp: boolean;
  readonly encoding: 'hex' | 'base64';
  /** How far, in seconds, the signed time may be from now: in the past, and in the future. */
  readonly tolerance?: { readonly pastSeconds: number; readonly futureSeconds: number };
  readonly key: (secret: string) => Buffer;
  /** What precedes the body in what is signed. */
  readonly prefix: (part: SignedParts) => string;
  /** How to verify one, in words. */
  readonly verification: string;
}

export interface SignedParts {
  /** Unix seconds, as text, exactly as sent. */
  readonly timestamp: string;
  /** The id of the message, where the scheme signs one. */
  readonly id: string;
}

const wholeSecret = (secret: string) => Buffer.from(secret);

/** The bytes that a Standard Webhooks secret stands for: base64 after an optional `whsec_`. */
export function decodedSecret(secret: string): Buffer {
  return Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
}

export const schemes: Readonly<Record<SchemeName, Scheme>> = {
  stripe: {
    title: 'Stripe',
    signatureHeader: 'stripe-signature',
    signsTimestamp: true,
    encoding: 'hex',
    // Stripe's libraries look at the age alone.
    tolerance: { pastSeconds: 300, futureSeconds: Number.POSITIVE_INFINITY },
    key: wholeSecret,
    prefix: ({ timestamp }) => `${timestamp}.`,
    verification:
      'Take t and v1 out of Stripe-Signature. Compute HMAC-SHA256 over t + "." + the raw body, keyed with the whole secret (whsec_ included), as hex. Compare it with v1 in constant time, then reject a t older than 300 seconds.',
  },
  github: {
    title: 'GitHub',
    signatureHeader: 'x-hub-signature-256',
    signsTimestamp: false,
    encoding: 'hex',
    key: wholeSecret,
    prefix: () => '',
    verification:
      'Compute HMAC-SHA256 over the raw body, keyed with the whole secret, as hex with sha256= in front. Compare it with X-Hub-Signature-256 in constant time.',
  },
  shopify: {
    title: 'Shopify',
    signatureHeader: 'x-shopify-hmac-sha256',
    signsTimestamp: false,
    encoding: 'base64',
    key: wholeSecret,
    prefix: () => '',
    verification:
      'Compute HMAC-SHA256 over the raw body, keyed with the whole secret, as base64. Compare it with X-Shopify-Hmac-Sha256 in constant time.',
  },
  'standard-webhooks': {
    title: 'Standard Webhooks',
    signatureHeader: 'webhook-signature',
    timestampHeader: 'webhook-timestamp',
    signsTimestamp: true,
    encoding: 'base64',
    tolerance: { pastSeconds: 300, futureSeconds: 300 },
    key: decodedSecret,
    prefix: ({ id, timestamp }) => `${id}.${timestamp}.`,
    verification:
      'Compute HMAC-SHA256 over webhook-id + "." + webhook-timestamp + "." + the raw body, keyed with the bytes that the base64 after whsec_ stands for, as base64 with v1, in front. Compare it with each signature in webhook-signature (separated by spaces) in constant time, then reject a time further than 300 seconds from now.',
  },
};

/** The HMAC-SHA256 of a prefix and a body, encoded as the scheme does. */
export function digest(
  key: Buffer,
  prefix: string,
  body: Uint8Array,
  encoding: 'hex' | 'base64',
): string {
  return createHmac('sha256', key).update(prefix).update(body).digest(encoding);
}

export interface SigningOptions {
  readonly secret: string;
  /** Unix seconds. */
  readonly timestampSeconds: number;
  /** The id of the message, where the scheme signs one. */
  readonly id: string;
  readonly tampering?: Tampering | undefined;
}

export interface SignedDelivery {
  /** The headers that carry the signature, and only those. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** How much later a tampered time is: well inside every tolerance, so that only the MAC gives it away. */
const timestampShiftSeconds = 60;

/** Signs a body, and then falsifies the delivery where that is asked for. */
export function signDelivery(
  name: SchemeName,
  body: Buffer,
  { secret, timestampSeconds, id, tampering }: SigningOptions,
): SignedDelivery {
  const scheme = schemes[name];
  const signedParts = { timestamp: String(timestampSeconds), id };
  const right = digest(scheme.key(secret), scheme.prefix(signedParts), body, scheme.encoding);
  const signature = tampering === 'signature' ? otherSignature(right) : right;
  const shift = tampering === 'timestamp' ? timestampShiftSeconds : 0;
  const timestamp = String(timestampSeconds + shift);
  return {
    headers: signatureHeaders(name, signature, { timestamp, id }),
    body: tampering === 'body' ? otherBody(body) : body,
  };
}

function signatureHeaders(
  name: SchemeName,
  signature: string,
  { timestamp, id }: SignedParts,
): Record<string, string> {
  switch (name) {
    case 'stripe':
      return { 'Stripe-Signature': `t=${timestamp},v1=${signature}` };
    case 'github':
      return { 'X-Hub-Signature-256': `sha256=${signature}` };
    case 'shopify':
      return { 'X-Shopify-Hmac-Sha256': signature };
    case 'standard-webhooks':
      return {
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${signature}`,
      };
  }
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

/** Signatures of deliveries by Stripe, GitHub, Shopify, Standard Webhooks and Slack: all HMAC-SHA256 (RFC 2104). */

import { createHmac } from 'node:crypto';

export const schemeNames = ['stripe', 'github', 'shopify', 'standard-webhooks'] as const;
export type SchemeName = (typeof schemeNames)[number];

/** Schemes of subscriptions; there are samples and explanations for the first four. */
export const deliverySchemes = [
  'standard-webhooks',
  'stripe',
  'github',
  'shopify',
  'slack',
] as const;
export type DeliveryScheme = (typeof deliverySchemes)[number];

/** The secret of the samples, in the format of Stripe and Standard Webhooks. */
export const signingSecret = `whsec_${Buffer.from('practice-api-demo-signing-secret').toString('base64')}`;

/** The headers of a delivery, by name in lower case. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

export interface SignedParts {
  /** Unix seconds as text, exactly as sent. */
  readonly timestamp: string;
  /** The id of the message, if the scheme signs one. */
  readonly id: string;
}

export interface Scheme {
  readonly title: string;
  readonly signatureHeader: string;
  readonly signsTimestamp: boolean;
  /** Whether a delivery has several signatures during a rotation of the secret. */
  readonly hasManySignatures: boolean;
  readonly encoding: 'hex' | 'base64';
  /** How far, in seconds, the signed time may be from now: in the past, and in the future. */
  readonly tolerance?: { readonly pastSeconds: number; readonly futureSeconds: number };
  readonly key: (secret: string) => Buffer;
  /** Returns the signed text before the body. */
  readonly prefix: (part: SignedParts) => string;
  /** The headers that carry the signatures. */
  readonly headers: (
    signatures: readonly string[],
    part: SignedParts,
  ) => Readonly<Record<string, string>>;
  /** How to verify a signature. */
  readonly verification: string;
}

const wholeSecret = (secret: string) => Buffer.from(secret);

/** Decodes a Standard Webhooks secret: base64 after an optional `whsec_`. */
export function decodedSecret(secret: string): Buffer {
  return Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
}

export const schemes: Readonly<Record<DeliveryScheme, Scheme>> = {
  stripe: {
    title: 'Stripe',
    signatureHeader: 'Stripe-Signature',
    signsTimestamp: true,
    hasManySignatures: true,
    encoding: 'hex',
    // Some of its libraries check only the age.
    tolerance: { pastSeconds: 300, futureSeconds: Number.POSITIVE_INFINITY },
    key: wholeSecret,
    prefix: ({ timestamp }) => `${timestamp}.`,
    headers: (signatures, { timestamp }) => ({
      'Stripe-Signature': [`t=${timestamp}`, ...signatures.map((each) => `v1=${each}`)].join(','),
    }),
    verification:
      'Get t and each v1 from Stripe-Signature. Compute the HMAC-SHA256 of t + "." + the raw body as hex. The key is the complete secret, including whsec_. Compare it with each v1 in constant time, then reject a t older than 300 seconds.',
  },
  github: {
    title: 'GitHub',
    signatureHeader: 'X-Hub-Signature-256',
    signsTimestamp: false,
    hasManySignatures: false,
    encoding: 'hex',
    key: wholeSecret,
    prefix: () => '',
    headers: ([signature]) => ({ 'X-Hub-Signature-256': `sha256=${signature}` }),
    verification:
      'Compute the HMAC-SHA256 of the raw body as hex, with the prefix sha256=. The key is the complete secret. Compare it with X-Hub-Signature-256 in constant time.',
  },
  shopify: {
    title: 'Shopify',
    signatureHeader: 'X-Shopify-Hmac-Sha256',
    signsTimestamp: false,
    hasManySignatures: false,
    encoding: 'base64',
    key: wholeSecret,
    prefix: () => '',
    headers: ([signature = '']) => ({ 'X-Shopify-Hmac-Sha256': signature }),
    verification:
      'Compute the HMAC-SHA256 of the raw body as base64. The key is the complete secret. Compare it with X-Shopify-Hmac-Sha256 in constant time.',
  },
  'standard-webhooks': {
    title: 'Standard Webhooks',
    signatureHeader: 'webhook-signature',
    signsTimestamp: true,
    hasManySignatures: true,
    encoding: 'base64',
    tolerance: { pastSeconds: 300, futureSeconds: 300 },
    key: decodedSecret,
    prefix: ({ id, timestamp }) => `${id}.${timestamp}.`,
    headers: (signatures, { timestamp, id }) => ({
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signatures.map((each) => `v1,${each}`).join(' '),
    }),
    verification:
      'Compute the HMAC-SHA256 of webhook-id + "." + webhook-timestamp + "." + the raw body as base64, with the prefix v1 and a comma. The key is the base64 after whsec_, decoded. Compare it with each signature in webhook-signature (separated by spaces) in constant time, then reject a time more than 300 seconds from now.',
  },
  slack: {
    title: 'Slack',
    signatureHeader: 'X-Slack-Signature',
    signsTimestamp: true,
    hasManySignatures: false,
    encoding: 'hex',
    tolerance: { pastSeconds: 300, futureSeconds: 300 },
    key: wholeSecret,
    prefix: ({ timestamp }) => `v0:${timestamp}:`,
    headers: ([signature], { timestamp }) => ({
      'X-Slack-Request-Timestamp': timestamp,
      'X-Slack-Signature': `v0=${signature}`,
    }),
    verification:
      'Compute the HMAC-SHA256 of v0: + X-Slack-Request-Timestamp + ":" + the raw body as hex, with the prefix v0=. The key is the complete secret. Compare it with X-Slack-Signature in constant time, then reject a time more than 300 seconds from now.',
  },
};

/** Returns the HMAC-SHA256 of a prefix and a body, in the encoding of the scheme. */
export function digest(
  key: Buffer,
  prefix: string,
  body: Uint8Array,
  encoding: Scheme['encoding'],
): string {
  return createHmac('sha256', key).update(prefix).update(body).digest(encoding);
}

/** The sample deliveries: a fixed body for each provider, with its structure and white space. */

import { readPackageFile } from '#base/package/package-files.js';
import type { SchemeName } from '#kit/deliveries/schemes.js';

export type Provider = Exclude<SchemeName, 'standard-webhooks'>;

export interface Sample {
  readonly eventType: string;
  /** The exact bytes that are signed. */
  readonly body: Buffer;
  /** Headers that the provider sends in addition to the signature. */
  readonly headers: Readonly<Record<string, string>>;
}

export const samples: Readonly<Record<Provider, Sample>> = {
  stripe: { eventType: 'payment_intent.succeeded', body: bodyOf('stripe'), headers: {} },
  github: {
    eventType: 'push',
    body: bodyOf('github'),
    headers: {
      'X-GitHub-Event': 'push',
      'X-GitHub-Delivery': '72d3162e-cc78-11ef-81ab-4c9367dc0958',
      'X-GitHub-Hook-ID': '292430182',
    },
  },
  shopify: {
    eventType: 'orders/create',
    body: bodyOf('shopify'),
    headers: {
      'X-Shopify-Topic': 'orders/create',
      'X-Shopify-Shop-Domain': 'practice-paper.myshopify.com',
      'X-Shopify-API-Version': '2024-07',
      'X-Shopify-Webhook-Id': 'b54557e4-bdd9-4b37-8a5f-bf7d70bcd043',
    },
  },
};

export const providers = Object.keys(samples) as readonly Provider[];

/** Removes the line break at the end of the file, which providers do not send. */
function bodyOf(provider: Provider): Buffer {
  return Buffer.from(String(readPackageFile(`data/webhooks/${provider}.json`)).trimEnd());
}

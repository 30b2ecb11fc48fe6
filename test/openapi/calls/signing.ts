/** Calls of the signed samples, and of signing and verification. */

import type { CallTable } from '../caller.js';

export const callSigning: CallTable = async (caller) => {
  await caller.call('getWebhooksSamples', 'All samples');
  const sample = 'getWebhooksSamplesByProvider';
  for (const provider of ['stripe', 'github', 'shopify']) {
    await caller.call(sample, `From ${provider}`, {
      path: { provider },
      ...(provider !== 'github' && { isNoExample: true }),
    });
  }
  await caller.call(sample, 'The sample', {
    path: { provider: 'github' },
    query: { format: 'envelope' },
  });
  await caller.call(sample, 'No time to change', {
    path: { provider: 'github' },
    query: { tamper: 'timestamp' },
  });
  await caller.call(sample, 'An unknown provider', { path: { provider: 'acme' } });

  const json = { event: 'paid' };
  const signed = await caller.call('postWebhooksSamplesByProvider', "The caller's body", {
    path: { provider: 'stripe' },
    json,
  });
  await caller.call('postWebhooksSamplesByProvider', 'No time to change', {
    path: { provider: 'github' },
    query: { tamper: 'timestamp' },
    json,
  });
  const provider = { provider: 'acme' };
  await caller.call('postWebhooksSamplesByProvider', 'An unknown provider', { path: provider });
  const verify = 'postWebhooksVerifyByProvider';
  const headers = { 'Stripe-Signature': signed.json.headers['Stripe-Signature'] };
  const path = { provider: 'stripe' };
  await caller.call(verify, 'A delivery that verifies', { path, headers, json });
  await caller.call(verify, 'Another body', { path, headers, json: { event: 'refunded' } });
  await caller.call(verify, 'No time', { path, query: { at: 'now' }, json });
  await caller.call(verify, 'An unknown provider', { path: provider, json });
};

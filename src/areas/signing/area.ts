/** Signed webhook samples, signatures for bodies of the caller, and explanations of wrong signatures. */

import type { Area } from '#kit/area.js';
import { signingSecret } from '#kit/deliveries/schemes.js';
import { signDelivery } from '#kit/deliveries/sign-delivery.js';
import type { Example } from '#kit/example.js';
import { member } from '#kit/request-collection.js';
import { judgeDeliveryToken } from '#kit/verdict/delivery-verdict.js';
import { judgeToken } from '#kit/verdict/judge.js';

const loaded = () => import('./loaded.js');

function examples(): readonly Example[] {
  const body = '{"action":"opened","number":42}';
  // GitHub signs no time, so this delivery stays valid.
  const options = { secrets: [signingSecret], timestampSeconds: 0, id: '' };
  const { headers } = signDelivery('github', Buffer.from(body), options);
  return [
    {
      title: 'Receive a payment event, signed as by Stripe',
      method: 'GET',
      path: '/api/webhooks/samples/stripe',
      response: { status: 200, headers: ['Stripe-Signature'], has: 'payment_intent.succeeded' },
    },
    {
      title: 'Verify a signature',
      method: 'POST',
      path: '/api/webhooks/verify/github',
      headers: { 'Content-Type': 'application/json', ...headers },
      body,
      response: { status: 200, has: '"verified":true' },
    },
  ];
}

export const signingArea: Area = {
  name: 'signing',
  title: 'Webhook signatures',
  guide: 'webhooks',
  summary: 'Signed samples of Stripe, GitHub and Shopify, and verification of your signatures.',
  front: { group: 'events', start: '/api/webhooks/samples', index: '/api/webhooks', examples },
  postman: [
    {
      adaptations: {
        postWebhooksSamplesByProvider: {
          keeps: { stripeSignature: member('headers', 'Stripe-Signature') },
        },
        postWebhooksVerifyByProvider: { headers: { 'Stripe-Signature': '{{stripeSignature}}' } },
      },
    },
  ],
  offers: [
    judgeDeliveryToken.of(async () => (await loaded()).judgeDelivery),
    judgeToken.of(async () => (await loaded()).deliveriesJudge),
  ],
  isLate: true,
  endpoints: async () => (await loaded()).endpoints,
};

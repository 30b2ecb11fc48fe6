/** What the front page shows of this area. */

import type { Example } from '../../kit/example.js';
import { signDelivery, signingSecret } from './sign-delivery.js';

const body = '{"action":"opened","number":42}';

export function signingExamples(): readonly Example[] {
  // GitHub signs no time, so that this delivery stays good.
  const { headers } = signDelivery('github', Buffer.from(body), {
    secret: signingSecret,
    timestampSeconds: 0,
    id: '',
  });
  return [
    {
      title: 'Receive a payment event, signed as Stripe signs it',
      method: 'GET',
      path: '/api/webhooks/samples/stripe',
      answer: { status: 200, headers: ['Stripe-Signature'], has: 'payment_intent.succeeded' },
    },
    {
      title: 'Ask whether a signature is right',
      method: 'POST',
      path: '/api/webhooks/verify/github',
      headers: { 'Content-Type': 'application/json', ...headers },
      body,
      answer: { status: 200, has: '"verified":true' },
    },
  ];
}

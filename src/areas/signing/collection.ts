/** What collections of requests have to know of signed samples. */

import { member, type RequestCollection } from '../../kit/request-collection.js';

export const signingCollection: RequestCollection = {
  adaptations: {
    postWebhooksSamplesByProvider: {
      keeps: { stripeSignature: member('headers', 'Stripe-Signature') },
    },
    postWebhooksVerifyByProvider: { headers: { 'Stripe-Signature': '{{stripeSignature}}' } },
  },
};

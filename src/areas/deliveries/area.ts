/** Deliveries of webhooks, which wait until a program brings them to the receiver; and a judge of receivers. */

import type { Area } from '#kit/area.js';
import { subscriptionsToken } from '#kit/offers/subscriptions.js';
import { judgeToken } from '#kit/verdict/judge.js';
import { deliveriesCollection } from './collection.js';

const loaded = () => import('./loaded.js');

export const deliveriesArea: Area = {
  name: 'deliveries',
  title: 'Webhook deliveries',
  guide: 'handle-webhooks',
  summary: 'Subscriptions to changes, signed deliveries with retries, and a test of your receiver.',
  front: {
    group: 'events',
    start: '/api/webhooks/receiver-plan',
    purposes: [
      {
        purpose: 'test',
        title: 'Webhook receivers',
        says: 'Signed deliveries to your receiver, with retries, and a test of it.',
        base: '',
        line: 'practice-api listen --verify --url {base} --forward http://localhost:8000/hook',
        links: [
          ['Deliveries', '/bins#deliveries'],
          ['Test plan', '/guides/test-a-webhook-receiver'],
          ['Guide', '/guides/handle-webhooks'],
        ],
      },
    ],
    examples: () => [
      {
        title: 'List the cases that test your webhook receiver',
        method: 'GET',
        path: '/api/webhooks/receiver-plan',
        response: { status: 200, has: 'valid' },
      },
    ],
  },
  offers: [
    subscriptionsToken.of(async () => (await loaded()).subscriptionSteering),
    judgeToken.of(async () => (await loaded()).receiverJudge),
  ],
  postman: [deliveriesCollection],
  isLate: true,
  endpoints: async (services) => (await loaded()).endpoints(services),
};

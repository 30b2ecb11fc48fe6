/** Bins: URLs that capture every request sent to them. */

import type { Area } from '#kit/area.js';
import { binsToken } from '#kit/offers/steering.js';
import { judgeDeliveryToken } from '#kit/verdict/delivery-verdict.js';
import { binsCollection } from './collection.js';

const loaded = () => import('./loaded.js');

export const binsArea: Area = {
  name: 'bins',
  title: 'Webhook bins',
  guide: 'webhooks',
  summary: 'URLs that capture any request sent to them, and send the response you choose.',
  front: {
    group: 'events',
    start: '/api/webhooks',
    index: '/api/webhooks',
    page: { path: '/bins' },
    purposes: [
      {
        purpose: 'test',
        title: 'Webhooks',
        says: 'A URL that captures what is sent to it; signed samples.',
        base: '/api/webhooks',
        line: 'curl -s -X POST {base}/api/webhooks/bins',
        links: [
          ['Inspector', '/bins'],
          ['Test plan', '/verdicts#deliveries'],
          ['Guide', '/guides/webhooks'],
        ],
      },
    ],
    banner: (baseUrl) => ['Webhook bins', `${baseUrl}/bins`],
    examples: () => [
      {
        title: 'Create a URL that captures requests',
        method: 'POST',
        path: '/api/webhooks/bins',
        json: { name: 'Order hooks' },
        response: { status: 201, has: '"inspectUrl"' },
      },
    ],
  },
  postman: [binsCollection],
  needs: [judgeDeliveryToken],
  offers: [binsToken.of(async () => (await loaded()).binSteering)],
  isLate: true,
  endpoints: async (services, offered) => (await loaded()).endpoints(services, offered),
};

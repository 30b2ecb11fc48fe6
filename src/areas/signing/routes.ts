/** Signed webhook samples, signatures for the caller's own, and what is wrong with a faulty one. */

import type { Area } from '../../server/area.js';
import { signingCollection } from './collection.js';
import { signingExamples } from './examples.js';
import { judgeDelivery } from './judge-delivery.js';
import { addSampleRoutes } from './sample-routes.js';

export const signingArea: Area = {
  name: 'signing',
  title: 'Webhook signatures',
  start: '/api/webhooks/samples',
  index: '/api/webhooks',
  summary: 'Signed samples as Stripe, GitHub and Shopify send them, and a check of yours.',
  examples: signingExamples,
  collections: [signingCollection],
  judgeDelivery,
  addRoutes: addSampleRoutes,
};

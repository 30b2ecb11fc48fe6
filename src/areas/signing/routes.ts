/** Signed webhook samples, signatures for the caller's own, and what is wrong with a faulty one. */

import type { Area } from '../../kit/area.js';
import { signingCollection } from './collection.js';
import { signingExamples } from './examples.js';
import { signingHandlers } from './handlers.js';
import { judgeDelivery } from './judge-delivery.js';
import * as schemas from './route-schemas.js';

const samples = '/api/webhooks/samples';
const sample = `${samples}/:provider`;

export const signingArea: Area = {
  name: 'signing',
  title: 'Webhook signatures',
  guide: 'webhooks',
  front: {
    start: '/api/webhooks/samples',
    index: '/api/webhooks',
    examples: signingExamples,
  },
  summary: 'Signed samples as Stripe, GitHub and Shopify send them, and a check of yours.',
  postman: [signingCollection],
  provides: {
    judgeDelivery,
  },
  addRoutes(app, services) {
    const handle = signingHandlers(services);
    app.get(samples, { schema: schemas.listSamples }, handle.list);
    app.get(sample, { schema: schemas.giveSample }, handle.give);
    app.post(sample, { schema: schemas.sign }, handle.sign);
    app.post('/api/webhooks/verify/:provider', { schema: schemas.verify }, handle.verify);
  },
};

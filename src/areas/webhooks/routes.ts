/** Webhooks from both ends: bins that capture what is sent to them, and signed samples to receive. */

import type { Area } from '../../server/area.js';
import { addBinRoutes } from './bin-routes.js';
import { addCaptureRoute } from './capture-route.js';
import { webhookExamples } from './examples.js';
import { addSampleRoutes } from './sample-routes.js';

export const webhooksArea: Area = {
  name: 'webhooks',
  title: 'Webhooks',
  isAnyQueryTaken: true,
  start: '/api/webhooks/samples',
  page: '/bins',
  summary: 'Bins that capture any request sent to them, and signed samples to verify.',
  examples: webhookExamples,
  addRoutes(app, services) {
    addBinRoutes(app, services);
    addSampleRoutes(app, services);
    addCaptureRoute(app, services);
  },
};

/** Bins: addresses that capture whatever is sent to them. */

import type { Area } from '../../server/area.js';
import { addBinRoutes } from './bin-routes.js';
import { addCaptureRoute } from './capture-route.js';
import { binsCollection } from './collection.js';
import { binExamples } from './examples.js';

export const binsArea: Area = {
  name: 'bins',
  title: 'Webhook bins',
  isAnyQueryTaken: true,
  start: '/api/webhooks/bins',
  page: { path: '/bins', way: ['Webhook inspector', 'See requests as they arrive'] },
  banner: (baseUrl) => ['Webhook bins', `${baseUrl}/bins`],
  summary: 'Addresses that capture any request sent to them, and answer as you like.',
  examples: binExamples,
  collections: [binsCollection],
  addRoutes(app, services) {
    addBinRoutes(app, services);
    addCaptureRoute(app, services);
  },
};

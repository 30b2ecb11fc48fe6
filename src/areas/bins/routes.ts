/** Bins: addresses that capture whatever is sent to them. */

import { METHODS } from 'node:http';
import type { Area } from '../../kit/area.js';
import { binHandlers } from './bin-handlers.js';
import { captureHandler } from './capture-handler.js';
import { binsCollection } from './collection.js';
import { binExamples } from './examples.js';
import { readingHandlers } from './reading-handlers.js';
import * as schemas from './route-schemas.js';

const bins = '/api/webhooks/bins';
const bin = `${bins}/:id`;
const requests = `${bin}/requests`;
const captured = `${requests}/:requestId`;

export const binsArea: Area = {
  name: 'bins',
  title: 'Webhook bins',
  guide: 'webhooks',
  front: {
    start: '/api/webhooks',
    index: '/api/webhooks',
    page: { path: '/bins', way: ['Webhook inspector', 'See requests as they arrive'] },
    banner: (baseUrl) => ['Webhook bins', `${baseUrl}/bins`],
    examples: binExamples,
  },
  summary: 'Addresses that capture any request sent to them, and send the response you choose.',
  postman: [binsCollection],
  addRoutes(app, services) {
    const ofBin = binHandlers(services);
    app.post(bins, { schema: schemas.makeBin }, ofBin.make);
    app.get(bins, { schema: schemas.listBins }, ofBin.list);
    app.get(bin, { schema: schemas.showBin }, ofBin.show);
    app.patch(bin, { schema: schemas.changeBin }, ofBin.change);
    app.delete(bin, { schema: schemas.removeBin }, ofBin.remove);

    const ofCaptured = readingHandlers(services);
    app.get(requests, { schema: schemas.listCaptures }, ofCaptured.list);
    app.delete(requests, { schema: schemas.clearCaptures }, ofCaptured.clear);
    app.get(captured, { schema: schemas.showCapture }, ofCaptured.show);
    app.delete(captured, { schema: schemas.removeCapture }, ofCaptured.remove);
    app.get(`${captured}/body`, { schema: schemas.giveBody }, ofCaptured.giveBody);
    app.get(`${bin}/events`, { schema: schemas.streamCaptures }, ofCaptured.stream);

    for (const url of ['/api/webhooks/:binId', '/api/webhooks/:binId/*']) {
      app.route(
        METHODS,
        url,
        { config: { isOpen: true, takesEverything: true }, schema: schemas.capture },
        captureHandler(services),
      );
    }
  },
};

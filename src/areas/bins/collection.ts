/** Bins in exported request collections. */

import {
  type Flow,
  json,
  jsonText,
  member,
  type RequestCollection,
} from '#kit/request-collection.js';

const ordersBin = { path: { id: '{{ordersBinId}}' } };
const delivery = (text: string) => ({ path: { binId: '{{ordersBinId}}' }, ...jsonText(text) });

const flow: Flow = {
  title: 'Webhook bin',
  description:
    'Creates a bin that captures two requests, lists them, sends a custom response, and is deleted.',
  steps: [
    {
      id: 'binCreated',
      title: 'A bin',
      operationId: 'postWebhooksBins',
      request: { body: json({ name: 'Orders' }) },
      status: 201,
      keeps: { ordersBinId: member('id') },
    },
    {
      id: 'binPosted',
      title: 'A POST is captured',
      operationId: 'postWebhooksByBinId',
      request: delivery('{"order":  42 }'),
      status: 200,
      keeps: { orderRequestId: member('requestId') },
    },
    {
      id: 'binPut',
      title: 'A PUT is captured',
      operationId: 'postWebhooksByBinId',
      method: 'PUT',
      request: delivery('{"order": 43}'),
      status: 200,
    },
    {
      id: 'binListed',
      title: 'Both are listed',
      operationId: 'getWebhooksBinsByIdRequests',
      request: ordersBin,
      status: 200,
      tests: `pm.test('only these two', () => {
  const methods = pm.response.json().map(({ method }) => method);
  pm.expect(methods).to.have.members(['POST', 'PUT']);
});`,
    },
    {
      id: 'binBody',
      title: 'The exact bytes of the first',
      operationId: 'getWebhooksBinsByIdRequestsByRequestIdBody',
      request: { path: { id: '{{ordersBinId}}', requestId: '{{orderRequestId}}' } },
      status: 200,
      tests: `pm.test('including every space', () => {
  pm.expect(pm.response.text()).to.eql('{"order":  42 }');
});`,
    },
    {
      id: 'binReply',
      title: 'Another response is set',
      operationId: 'patchWebhooksBinsById',
      request: {
        ...ordersBin,
        body: json({
          response: { status: 202, headers: { 'Content-Type': 'text/plain' }, body: 'Later' },
        }),
      },
      status: 200,
    },
    {
      id: 'binReplied',
      title: 'A capture shows it',
      operationId: 'postWebhooksByBinId',
      request: delivery('{"order": 44}'),
      status: 202,
      tests: `pm.test('the custom response', () => {
  pm.expect(pm.response.headers.get('Content-Type')).to.match(/^text\\/plain/);
  pm.expect(pm.response.text()).to.eql('Later');
});`,
    },
    {
      id: 'binDeleted',
      title: 'The bin is deleted',
      operationId: 'deleteWebhooksBinsById',
      request: ordersBin,
      status: 204,
    },
    {
      id: 'binGone',
      title: 'Nothing is captured any more',
      operationId: 'postWebhooksByBinId',
      request: delivery('{"order": 45}'),
      status: 404,
    },
  ],
};

const bin = { path: { id: '{{binId}}' } };
const capture = { path: { id: '{{binId}}', requestId: '{{requestId}}' } };

export const binsCollection: RequestCollection = {
  adaptations: {
    postWebhooksBins: { call: 'A name', keeps: { binId: member('id') } },
    getWebhooksBinsById: bin,
    patchWebhooksBinsById: bin,
    deleteWebhooksBinsById: bin,
    getWebhooksBinsByIdRequests: bin,
    deleteWebhooksBinsByIdRequests: bin,
    postWebhooksByBinId: { keeps: { requestId: member('requestId') } },
    getWebhooksBinsByIdRequestsByRequestId: capture,
    getWebhooksBinsByIdRequestsByRequestIdBody: capture,
    deleteWebhooksBinsByIdRequestsByRequestId: capture,
  },
  // Captures share only the name of the path parameter.
  pathValues: { binId: '{{binId}}' },
  endings: [
    'patchWebhooksBinsById',
    'deleteWebhooksBinsByIdRequestsByRequestId',
    'deleteWebhooksBinsByIdRequests',
    'deleteWebhooksBinsById',
  ],
  leftOut: {
    getWebhooksBinsByIdEvents:
      'Its response does not end while the client listens, but a collection waits for the end.',
  },
  flows: [flow],
};

/** Calls of the webhook bins. */

import type { Caller, CallTable } from '../caller.js';

const unknown = { id: 'AAAAAAAAAAAAAAAAAAAAAA' };

export const callBins: CallTable = async (caller) => {
  const id = await makeBins(caller);
  await callCapture(caller, id);
  await callCaptures(caller, id);
  await callReaders(caller, id);

  const { json } = await caller.send('postWebhooksBins');
  const path = { id: json.id };
  const { json: captured } = await caller.send('postWebhooksByBinId', {
    path: { binId: json.id },
    json: { event: 'paid' },
  });
  const capture = { ...path, requestId: captured.requestId };
  await caller.call('deleteWebhooksBinsByIdRequestsByRequestId', 'A capture', { path: capture });
  await caller.call('deleteWebhooksBinsByIdRequests', 'All captures', { path });
  await caller.call('deleteWebhooksBinsById', 'A bin', { path });
};

/** The id of a bin that is not deleted. */
async function makeBins(caller: Caller): Promise<string> {
  await caller.call('postWebhooksBins', 'No name');
  const named = await caller.call('postWebhooksBins', 'A name', { json: { name: 'Payments' } });
  const { id } = named.json;
  await caller.call('postWebhooksBins', 'Too long a name', { json: { name: 'x'.repeat(101) } });
  const headers = { 'X-Sandbox': 'mine' };
  await caller.send('postWebhooksBins', { headers, json: { name: 'Orders' } });
  await caller.call('getWebhooksBins', 'The bins of a sandbox', { headers });
  await caller.call('getWebhooksBins', 'Without a sandbox');
  await caller.call('patchWebhooksBinsById', 'Another response', {
    path: { id },
    json: {
      response: { status: 202, headers: { 'Content-Type': 'text/plain' }, body: 'A later capture' },
    },
  });
  await caller.call('patchWebhooksBinsById', 'The default response', {
    path: { id },
    json: { response: null },
  });
  await caller.call('patchWebhooksBinsById', 'A forbidden header', {
    path: { id },
    json: { response: { headers: { Server: 'mine' } } },
  });
  return id;
}

async function callCapture(caller: Caller, binId: string): Promise<void> {
  const { json } = await caller.send('postWebhooksBins', {
    json: { response: { headers: { 'Content-Type': 'text/plain' }, body: 'Thank you' } },
  });
  const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;
  for (const method of methods) {
    for (const [suffix, path] of [
      ['', {}],
      ['BySubPath', { subPath: 'orders' }],
    ] as const) {
      const operationId = `${method}WebhooksByBinId${suffix}`;
      const hasBody = ['put', 'post', 'patch'].includes(method);
      await caller.call(operationId, 'A request', {
        path: { binId, ...path },
        query: { page: 1 },
        ...(hasBody && { json: { event: 'paid' } }),
      });
      await caller.call(operationId, 'Another status', {
        path: { binId, ...path },
        query: { status: 201 },
      });
      await caller.call(operationId, 'A configured response', {
        path: { binId: json.id, ...path },
      });
      await caller.call(operationId, 'An unknown bin', { path: { binId: unknown.id, ...path } });
    }
  }
}

async function callCaptures(caller: Caller, id: string): Promise<void> {
  const { json } = await caller.send('postWebhooksBins', { json: { name: 'Orders' } });
  const path = { id: json.id };
  await caller.send('postWebhooksByBinId', { path: { binId: json.id }, json: { event: 'paid' } });
  await caller.call('getWebhooksBinsById', 'A bin', { path });
  const requests = 'getWebhooksBinsByIdRequests';
  await caller.call(requests, 'The captures', { path, query: { limit: 1 } });
  await caller.call(requests, 'A wait without a capture', {
    path: { id },
    query: { wait: 0.01, limit: 1, after: 999 },
  });
  await caller.call(requests, 'Too long a wait', { path, query: { wait: 61 } });
  const one = { ...path, requestId: 1 };
  for (const operationId of [`${requests}ByRequestId`, `${requests}ByRequestIdBody`]) {
    await caller.call(operationId, 'A capture', { path: one });
  }
}

async function callReaders(caller: Caller, id: string): Promise<void> {
  const events = 'getWebhooksBinsByIdEvents';
  const path = { id };
  await caller.call(events, 'An invalid capture id', { path, query: { lastEventId: 'x' } });

  const streamed = { id: (await caller.send('postWebhooksBins')).json.id };
  await caller.send('postWebhooksByBinId', {
    path: { binId: streamed.id },
    json: { event: 'paid' },
  });
  await caller.call(events, 'All captures until the bin is deleted', {
    path: streamed,
    query: { lastEventId: 0 },
    onHead: () => caller.send('deleteWebhooksBinsById', { path: streamed }),
  });

  // Opens as many readers as a bin allows; they stay until the bin is deleted.
  const full = { id: (await caller.send('postWebhooksBins')).json.id };
  const readers: Promise<unknown>[] = [];
  for (let count = 0; count < 20; count += 1) {
    await new Promise<void>((resolve) => {
      readers.push(caller.send(events, { path: full, onHead: async () => resolve() }));
    });
  }
  await caller.call(events, 'Too many readers', { path: full });
  await caller.call('getWebhooksBinsByIdRequests', 'Too many readers', {
    path: full,
    query: { wait: 1 },
  });
  await caller.send('deleteWebhooksBinsById', { path: full });
  await Promise.all(readers);
}

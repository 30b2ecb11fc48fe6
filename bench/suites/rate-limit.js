/** What other endpoints cost while many clients are tracked: as much as while none is. */

import assert from 'node:assert/strict';
import { createService } from 'practice-api';
import { Client } from 'undici';

const trackedClients = 10_000;

const crowded = `practice-api, ${trackedClients.toLocaleString('en')} clients tracked`;

/** @type {import('../harness.js').Suite} */
export const suite = {
  name: 'rate-limit',
  contenders: {
    'practice-api': async () => (await createService()).url,
    [crowded]: startCrowded,
  },
  cases: ['/api/Events?limit=10', '/api/RateLimit/status'].map((path) => ({
    name: `GET ${path}`,
    requests: { 'practice-api': { path }, [crowded]: { path } },
    check(status) {
      assert.equal(status, 200);
    },
  })),
};

async function startCrowded() {
  const { url } = await createService();
  const client = new Client(url, { pipelining: 100 });
  const requests = Array.from({ length: trackedClients }, async (_, index) => {
    const headers = { 'x-client-id': `client-${index}` };
    // A long window, so that all of them are open throughout.
    const path = '/api/RateLimit?window=3600';
    const { statusCode, body } = await client.request({ method: 'GET', path, headers });
    await body.dump();
    assert.equal(statusCode, 200);
  });
  await Promise.all(requests);
  await client.close();
  return url;
}

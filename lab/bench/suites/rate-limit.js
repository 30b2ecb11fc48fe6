/**
 * Refusing a client and telling it its state, beside the same by hand; and what endpoints cost while
 * many clients are tracked: as much as while none is.
 */

import assert from 'node:assert/strict';
import { floor, startRateLimitFloor } from '../floors.js';
import { ourProgram } from '../our-program.js';

const trackedClients = 10_000;

const crowded = `practice-api, ${trackedClients.toLocaleString('en')} clients tracked`;
const limited = { path: '/api/RateLimit', headers: { 'x-client-id': 'bench' } };

/** @type {import('../harness.js').Suite} */
export const suite = {
  name: 'rate-limit',
  contenders: {
    'practice-api': ourProgram(),
    [floor]: startRateLimitFloor,
    [crowded]: ourProgram([], trackClients),
  },
  cases: [
    {
      name: 'GET /api/RateLimit, beyond the limit',
      requests: { 'practice-api': limited, [floor]: limited },
      isRefused: true,
      check(status, body) {
        // The first request is still within the limit; nearly all of the load is not.
        assert.equal(status, 200);
        assert.equal(JSON.parse(body).clientId, 'id:bench');
      },
    },
    statusCase('/api/RateLimit/status', { [floor]: { path: '/api/RateLimit/status' } }),
    statusCase('/api/Events?limit=10', {}),
  ],
};

/**
 * @param {string} path
 * @param {Record<string, import('../harness.js').BenchRequest>} others
 * @returns {import('../harness.js').BenchCase}
 */
function statusCase(path, others) {
  return {
    name: `GET ${path}`,
    requests: { 'practice-api': { path }, ...others, [crowded]: { path } },
    check(status) {
      assert.equal(status, 200);
    },
  };
}

/** @param {string} url */
async function trackClients(url) {
  const { Client } = await import('undici');
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

/**
 * The rejection of a client and the status of its window, compared with the same by hand; and the
 * cost of endpoints while many clients are tracked, which should be the same as with none.
 */

import assert from 'node:assert/strict';
import { importPeer } from '../../harness/peers.js';
import { isJson, isOk, ours, sameCase } from '../cases.js';
import { floor, startFloor } from '../floors.js';
import { ourProgram } from '../programs.js';

const trackedClients = 10_000;

const crowded = `practice-api, ${trackedClients.toLocaleString('en')} clients tracked`;
const limited = { path: '/api/RateLimit', headers: { 'x-client-id': 'bench' } };
const status = { path: '/api/RateLimit/status' };
const isOfClient = isJson(({ clientId }) => assert.equal(clientId, 'id:bench'));
const events = { path: '/api/Events?limit=10' };

/** @type {import('../run-suite.js').Suite} */
export const suite = {
  contenders: {
    [ours]: ourProgram(),
    [floor]: (ourUrl) => startFloor(ourUrl, limit(), status.path),
    [crowded]: ourProgram([], trackClients),
  },
  cases: [
    // Only the first requests are within the limit; nearly all of the load is beyond it.
    {
      ...sameCase(`GET ${limited.path}, beyond the limit`, limited, [ours, floor], isOfClient),
      isRejected: true,
    },
    sameCase(`GET ${status.path}`, status, [ours, floor, crowded], isOk()),
    sameCase(`GET ${events.path}`, events, [ours, crowded], isOk()),
  ],
};

/** @param {string} url */
async function trackClients(url) {
  const { Client } = await importPeer('undici');
  const client = new Client(url, { pipelining: 100 });
  const requests = Array.from({ length: trackedClients }, async (_, index) => {
    const headers = { 'x-client-id': `client-${index}` };
    // A long window, so that all of them stay open.
    const path = '/api/RateLimit?window=3600';
    const { statusCode, body } = await client.request({ method: 'GET', path, headers });
    await body.dump();
    assert.equal(statusCode, 200);
  });
  await Promise.all(requests);
  await client.close();
  return url;
}

/** @returns {import('../floors.js').Handle} */
function limit() {
  const most = 5;
  const windowMs = 60_000;
  /** @type {Map<string, {used: number, endsAtMs: number}>} */
  const windows = new Map();
  return ({ url, headers, socket }) => {
    const sent = headers['x-client-id'];
    const clientId = sent === undefined ? `ip:${socket.remoteAddress}` : `id:${sent}`;
    const nowMs = Date.now();
    const found = windows.get(clientId);
    const open = found !== undefined && found.endsAtMs > nowMs ? found : undefined;
    const resetsInSeconds = open === undefined ? 0 : Math.ceil((open.endsAtMs - nowMs) / 1000);
    if (url === status.path) {
      const used = open?.used ?? 0;
      const record = { clientId, used, remaining: most - used, limit: most, resetsInSeconds };
      return { body: JSON.stringify(record) };
    }
    if (url !== limited.path) return undefined;
    const window = open ?? { used: 0, endsAtMs: nowMs + windowMs };
    if (open === undefined) windows.set(clientId, window);
    const isAccepted = window.used < most;
    if (isAccepted) window.used += 1;
    const { used } = window;
    const rateHeaders = {
      'x-ratelimit-limit': most,
      'x-ratelimit-remaining': most - used,
      'x-ratelimit-reset': Math.ceil(window.endsAtMs / 1000),
    };
    if (isAccepted) {
      const message = `Request ${used} of ${most} in this window.`;
      const counts = { used, remaining: most - used, limit: most, windowSeconds: 60 };
      return { body: JSON.stringify({ message, clientId, ...counts }), headers: rateHeaders };
    }
    const message = `The limit of ${most} requests in ${windowMs / 1000} seconds is used up.`;
    const error = { status: 429, error: 'Too Many Requests', message, retryAfter: resetsInSeconds };
    return {
      status: 429,
      body: JSON.stringify(error),
      headers: { ...rateHeaders, 'retry-after': resetsInSeconds },
    };
  };
}

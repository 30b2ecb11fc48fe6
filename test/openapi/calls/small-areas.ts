/** Calls that need others before them: of the rate limit, and of sandboxes. */

import type { CallTable } from '../caller.js';
import { callRejectedBodies } from './rejected-bodies.js';

export const callRateLimit: CallTable = async (caller) => {
  const request = { headers: { 'X-Client-Id': 'example' } };
  await caller.call('getRateLimit', 'The first request', request);
  await caller.call('getRateLimitStatus', 'After one request', request);
  for (let count = 2; count <= 5; count += 1) await caller.send('getRateLimit', request);
  await caller.call('getRateLimit', 'Too many requests', request);
  await caller.call('postRateLimitReset', 'A new window', request);
  await caller.call('getRateLimit', 'A window with other limits', {
    headers: { 'X-Client-Id': 'another' },
    query: { limit: 100, window: 10 },
  });
  await caller.call('getRateLimit', 'Too long a window', { query: { window: 7200 } });
};

export const callSandbox: CallTable = async (caller) => {
  const headers = { 'X-Sandbox': 'my-own' };
  await caller.call('getSandbox', 'The shared sandbox');
  await caller.call('putSandboxClock', 'An hour ahead', { headers, json: { offsetSeconds: 3600 } });
  await caller.call('putSandboxClock', 'The shared sandbox', { json: { offsetSeconds: 3600 } });
  await caller.call('putSandboxClock', 'Not a number', {
    headers,
    json: { offsetSeconds: 'soon' },
  });
  await caller.call('getSandboxClock', 'An hour ahead', { headers });
  await caller.call('getSandbox', 'A named sandbox', { headers });
  await callFaults(caller);
  await caller.call('deleteSandbox', 'A reset', { headers });
};

const callFaults: CallTable = async (caller) => {
  const headers = { 'X-Sandbox': 'my-faults' };
  const json = {
    seed: 1,
    rules: [
      {
        name: 'flaky-books',
        match: { method: 'GET', path: '/api/Books/:id' },
        sequence: [
          { status: 503, retryAfter: 1 },
          { delayMs: { min: 10, max: 50 }, truncate: 20 },
        ],
      },
      { sequence: [{ probability: 0.1, fault: { reset: true } }], then: 'repeat' },
    ],
  };
  await caller.call('putSandboxFaults', 'Two failures, and random ones', { headers, json });
  await callRejectedBodies(caller, 'putSandboxFaults');
  await caller.call('putSandboxFaults', 'In the shared sandbox', { json });
  await caller.call('putSandboxFaults', 'Two faults in one entry', {
    headers,
    json: { rules: [{ sequence: [{ reset: true, empty: true }] }] },
  });
  await caller.send('getBooksById', { headers, path: { id: 1 } });
  await caller.call('getSandboxFaults', 'After a request', { headers });
  await caller.call('getSandboxFaults', 'In the shared sandbox');
  await caller.call('getSandboxFaultsLog', 'After a request', { headers });
  await caller.call('getSandboxFaultsLog', 'In the shared sandbox');
  await caller.call('deleteSandboxFaults', 'The end of a plan', { headers });
  await caller.call('deleteSandboxFaults', 'In the shared sandbox');
};

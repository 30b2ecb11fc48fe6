import { randomUUID } from 'node:crypto';
import { createService } from 'practice-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fetchPatiently } from './fetch-patiently.js';

/** @type {import('practice-api').Service} */
let service;

beforeAll(async () => {
  service = await createService();
});
afterAll(() => service.close());

/**
 * Creates a sandbox in which requests fail as the rules say, and then pass.
 *
 * @param {object[]} rules
 */
async function planFaults(...rules) {
  const headers = { 'x-sandbox': randomUUID(), 'content-type': 'application/json' };
  const faults = `${service.url}/api/sandbox/faults`;
  await fetch(faults, { method: 'PUT', headers, body: JSON.stringify({ rules }) });
  return {
    headers,
    /** Returns the verdict on the only series of attempts. */
    async verdict() {
      const log = /** @type {any} */ (await (await fetch(`${faults}/log`, { headers })).json());
      return log.series[0].verdict;
    },
  };
}

test.concurrent('the client waits as long as Retry-After says', async () => {
  const { headers, verdict } = await planFaults({ sequence: [{ status: 503, retryAfter: 1 }] });
  expect((await fetchPatiently(`${service.url}/api/Books/1`, { headers })).status).toBe(200);
  expect(await verdict()).toMatchObject({ retried: true, honouredRetryAfter: { honoured: true } });
});

test.concurrent('the client backs off without Retry-After', async () => {
  const { headers, verdict } = await planFaults({ sequence: [{ status: 503 }, { status: 503 }] });
  expect((await fetchPatiently(`${service.url}/api/Books/1`, { headers })).status).toBe(200);
  expect(await verdict()).toMatchObject({ succeeded: true, backedOff: true });
});

test.concurrent('the client gives up on a service that stays unavailable', async () => {
  const { headers, verdict } = await planFaults({ sequence: [{ status: 503 }], then: 'last' });
  expect((await fetchPatiently(`${service.url}/api/Books/1`, { headers }, 2)).status).toBe(503);
  expect(await verdict()).toMatchObject({ succeeded: false, gaveUpAfter: 2 });
});
